import { readFileSync } from 'node:fs';

export const PAGE = 'docs/operations/peers.md';

/** The lines of the page for operators in this language. @throws Error where there are none. */
export function documentedLines(language: string, page = readFileSync(PAGE, 'utf8')): string {
  const [, lines] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(page) ?? [];
  if (lines === undefined) throw new Error(`${PAGE} has no lines for ${language}.`);
  return lines;
}

/** Replaces what the page has for an example. @throws Error where the lines have none of it any more. */
export function withOurOwn(lines: string, replacements: readonly (readonly [example: string, own: string])[]): string {
  return replacements.reduce((text, [example, own]) => {
    if (!text.includes(example)) throw new Error(`The lines of ${PAGE} have no ${JSON.stringify(example)}.`);
    return text.replaceAll(example, own);
  }, lines);
}
