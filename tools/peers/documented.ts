import { readFileSync } from 'node:fs';

export const PAGE = 'docs/operations/peers.md';

/** Code block in this language on the operators' page. @throws Error if there is none. */
export function documentedLines(language: string, page = readFileSync(PAGE, 'utf8')): string {
  const [, lines] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(page) ?? [];
  if (lines === undefined) throw new Error(`${PAGE} has no lines for ${language}.`);
  return lines;
}

/** Replaces example values of the page. @throws Error if an example value is no longer there. */
export function withOurOwn(lines: string, replacements: readonly (readonly [example: string, own: string])[]): string {
  return replacements.reduce((text, [example, own]) => {
    if (!text.includes(example)) throw new Error(`The lines of ${PAGE} have no ${JSON.stringify(example)}.`);
    return text.replaceAll(example, own);
  }, lines);
}
