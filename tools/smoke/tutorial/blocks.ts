/** A block of a tutorial: a file to write, or commands to run. */
export type TutorialBlock =
  | { kind: 'file'; path: string; text: string }
  /**
   * Commands run one after the other until they end. A block with a terminal name runs in that
   * terminal, in parallel to the others.
   */
  | {
      kind: 'commands';
      terminal: string | null;
      commands: TutorialCommand[];
      /** Output of the running command. */ goesOn: string[];
    };

export interface TutorialCommand {
  words: string[];
  /** Expected lines of output; `…` matches any text. */
  prints: string[];
}

/**
 * Blocks to execute: fenced blocks with more than a language, and `console` blocks. "```ts
 * src/extension.ts" is the whole content of a file, "```console" has commands after `$ ` and their
 * output, "```console dev" the same in the terminal `dev`.
 */
export function tutorialBlocks(markdown: string): TutorialBlock[] {
  return [...markdown.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].flatMap(
    ([, language, name = null, text = '']): TutorialBlock[] => {
      if (language === 'console') return [commandsOf(name, text)];
      return name === null ? [] : [{ kind: 'file', path: name, text }];
    },
  );
}

function commandsOf(terminal: string | null, text: string): TutorialBlock {
  const commands: TutorialCommand[] = [];
  const goesOn: string[] = [];
  for (const line of text.split('\n').filter((each) => each.trim() && each.trim() !== '…')) {
    if (line.startsWith('$ ')) commands.push({ words: shellWords(line.slice(2)), prints: [] });
    else (commands.at(-1)?.prints ?? goesOn).push(line);
  }
  return { kind: 'commands', terminal, commands, goesOn };
}

/** Splits a line into words like a shell, without escapes and variables. */
export const shellWords = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));

/** Values that differ in each run: times and durations. */
const VARYING: [RegExp, string][] = [
  [/\d{4}-\d\d-\d\d \d\d:\d\d/g, '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d'],
  [/:\d\d(?= )/g, ':\\d\\d'],
  [/\d+\\\.\d+ (m?s)\b/g, '\\d+\\.\\d+ $1'],
];

/** Pattern that finds a line as the tutorial shows it. */
export function printedLine(shown: string): RegExp {
  const escaped = shown.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = VARYING.reduce((text, [of, by]) => text.replace(of, by), escaped).replaceAll('…', '.*');
  return new RegExp(`^[ ]*${pattern}[ ]*$`, 'm');
}
