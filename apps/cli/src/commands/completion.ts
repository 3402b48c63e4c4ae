import { Argument, type Command } from 'commander';
import type { ContextOf } from '../context.js';

/** The scripts call the command itself for candidates, so a new version needs no new script. */
const SCRIPTS = {
  bash: `_platform() {
  local IFS=$'\\n'
  COMPREPLY=($(platform complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -o bashdefault -F _platform platform
`,
  zsh: `#compdef platform
_platform() {
  local -a found
  found=(\${(f)"$(platform complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -- \${found}; else _files; fi
}
compdef _platform platform
`,
  fish: `function __platform_complete
  set -l words (commandline -opc) (commandline -ct)
  platform complete -- $words[2..-1] 2>/dev/null
end
complete -c platform -a '(__platform_complete)'
`,
} as const;
type Shell = keyof typeof SCRIPTS;

const HELP = `
Add it to the file that your shell reads when it starts:
  bash  source <(platform completion bash)                  ~/.bashrc
  zsh   source <(platform completion zsh)                   ~/.zshrc, below compinit
  fish  platform completion fish | source                   ~/.config/fish/config.fish`;

/**
 * Hidden command that only shell scripts call. Commander has no public method to tell that a
 * command is hidden.
 */
const HIDDEN = 'complete';

export function addCompletion(program: Command, _contextOf: ContextOf): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(SCRIPTS)))
    .description('print the completion script for your shell')
    .addHelpText('after', HELP)
    .action((shell: Shell) => void process.stdout.write(SCRIPTS[shell]));
  program
    .command(HIDDEN, { hidden: true })
    .argument('[words...]', 'typed words, the last one possibly incomplete')
    .action(
      (words: string[]) =>
        void process.stdout.write(
          candidates(program, words)
            .map((each) => `${each}\n`)
            .join(''),
        ),
    );
}

/**
 * Returns the texts that can complete the last of the words: names of options after a `-`,
 * otherwise names of commands, and the choices of an argument or of the option before it. Empty if
 * any text is allowed, such as a file name.
 */
export function candidates(program: Command, words: readonly string[]): string[] {
  const typed = words.at(-1) ?? '';
  let command = program;
  let awaited: readonly string[] | null | undefined;
  for (const word of words.slice(0, -1)) {
    awaited = undefined;
    if (word.startsWith('-')) {
      const option = optionsOf(command).find(({ long, short }) => long === word || short === word);
      // The next word is the value of the option: one of its choices, or any text.
      if (option?.required) awaited = option.argChoices ?? null;
    } else command = visible(command).find((each) => each.name() === word) ?? command;
  }
  if (awaited !== undefined) return (awaited ?? []).filter((each) => each.startsWith(typed));
  if (typed.startsWith('-')) {
    const names = [...optionsOf(command).flatMap(({ long, hidden }) => (hidden || !long ? [] : [long])), '--help'];
    return [...new Set(names)].filter((each) => each.startsWith(typed)).sort();
  }
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return [...visible(command).map((each) => each.name()), ...choices].filter((each) => each.startsWith(typed)).sort();
}

const visible = (command: Command): Command[] =>
  (command.commands as Command[]).filter((each) => each.name() !== HIDDEN);

/** Options of the command and of its parent commands. */
const optionsOf = (command: Command): Command['options'][number][] => [
  ...command.options,
  ...(command.parent ? optionsOf(command.parent) : []),
];
