import { CommanderError } from 'commander';
import { contextFactory } from './context.js';
import { ExitCode } from './exit-codes.js';
import { describeFailure } from './failures.js';
import { Interruption } from './interruption.js';
import { createProgram } from './program.js';
import { resolveSettings, type GlobalOptions } from './settings.js';

/** Runs the command to its end and returns its exit code. */
export async function run(parameters: readonly string[]): Promise<number> {
  const interruption = new Interruption();
  const interrupted = interruption.requested().then((exitCode) => {
    process.stderr.write('\nCancelled.\n');
    return exitCode;
  });
  return Promise.race([interrupted, execute(parameters, interruption)]);
}

async function execute(parameters: readonly string[], interruption: Interruption): Promise<number> {
  const program = createProgram(contextFactory(interruption));
  try {
    await program.parseAsync(parameters, { from: 'user' });
    return ExitCode.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    const { message, exitCode } = describeFailure(error, resolveSettings(program.opts<GlobalOptions>(), process.env));
    process.stderr.write(`${message}\n`);
    return exitCode;
  }
}
