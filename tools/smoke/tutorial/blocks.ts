/** What a reader of a tutorial does, block by block. */
export type TutorialBlock =
  | { kind: 'file'; path: string; text: string }
  /** In a terminal of its own when it has a name. Commands run to their end, those of a terminal with a name beside the rest. */
  | { kind: 'commands'; terminal: string | null; commands: TutorialCommand[]; /** Of the command that runs already. */ goesOn: string[] };

export interface TutorialCommand {
  words: string[];
  /** Lines that it prints; `…` stands for anything. */
  prints: string[];
}

/**
 * The fenced blocks that say more than their language, or are `console`: "```ts src/extension.ts" is a file as a whole,
 * "```console" commands behind `$ ` with what they print, "```console dev" the same in the terminal `dev`.
 */
export function tutorialBlocks(markdown: string): TutorialBlock[] {
  return [...markdown.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].flatMap(([, language, name = null, text = '']): TutorialBlock[] => {
    if (language === 'console') return [commandsOf(name, text)];
    return name === null ? [] : [{ kind: 'file', path: name, text }];
  });
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

/** Words as a shell parts them, where there are no escapes nor variables. */
export const shellWords = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));

/** What differs each time: moments, durations. */
const VARYING: [RegExp, string][] = [
  [/\d{4}-\d\d-\d\d \d\d:\d\d/g, '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d'],
  [/:\d\d(?= )/g, ':\\d\\d'],
  [/\d+\\\.\d+ (m?s)\b/g, '\\d+\\.\\d+ $1'],
];

/** Finds a line as the tutorial shows it. */
export function printedLine(shown: string): RegExp {
  const escaped = shown.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = VARYING.reduce((text, [of, by]) => text.replace(of, by), escaped).replaceAll('…', '.*');
  return new RegExp(`^[ ]*${pattern}[ ]*$`, 'm');
}
