import { CommanderError, type Command } from 'commander';
import { contextFactory } from './context.js';
import { ExitCode } from './exit-codes.js';
import { describeFailure, failureJson } from './failures.js';
import { Interruption } from './interruption.js';
import { createProgram } from './program.js';
import { resolveSettings, type GlobalOptions, type OptionSource } from './settings.js';

/** Runs the command to its end, or until Ctrl-C, and returns its exit code. Errors are printed. */
export async function run(parameters: readonly string[]): Promise<number> {
  const interruption = new Interruption();
  const interrupted = interruption.requested().then((exitCode) => {
    const cancelled = { code: 'cancelled', message: 'Cancelled.', exit_code: exitCode };
    process.stderr.write(wantsJson(parameters) ? `${JSON.stringify({ error: cancelled })}\n` : '\nCancelled.\n');
    return exitCode;
  });
  return Promise.race([interrupted, execute(parameters, interruption, interrupted)]);
}

async function execute(
  parameters: readonly string[],
  interruption: Interruption,
  interrupted: Promise<number>,
): Promise<number> {
  const program = createProgram(contextFactory(interruption));
  const isForProgram = wantsJson(parameters);
  if (isForProgram) keepUsageQuiet(program);
  try {
    await program.parseAsync(parameters, { from: 'user' });
    return ExitCode.ok;
  } catch (error) {
    if (interruption.signal.aborted) return interrupted; // errors after an interruption are not failures
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return ExitCode.ok;
      const message = error.message.replace(/^error: /, '');
      if (isForProgram) process.stderr.write(`${failureJson(error, { message, exitCode: ExitCode.usage })}\n`);
      return ExitCode.usage;
    }
    const urlSource = program.getOptionValueSource('url') as OptionSource | undefined;
    const failure = describeFailure(error, resolveSettings(program.opts<GlobalOptions>(), process.env, urlSource));
    process.stderr.write(`${isForProgram ? failureJson(error, failure) : failure.message}\n`);
    return failure.exitCode;
  }
}

/**
 * True if the arguments have `--json` before `--`. It looks before the command line is parsed, so
 * that parse errors are JSON, too.
 */
const wantsJson = (parameters: readonly string[]): boolean => {
  const end = parameters.indexOf('--');
  return parameters.slice(0, end < 0 ? undefined : end).includes('--json');
};

/** Keeps Commander from printing errors as text, for all commands. */
function keepUsageQuiet(program: Command): void {
  for (const command of [program, ...everyCommandOf(program)]) command.configureOutput({ writeErr: () => undefined });
}

const everyCommandOf = ({ commands }: Command): Command[] =>
  (commands as Command[]).flatMap((command) => [command, ...everyCommandOf(command)]);
