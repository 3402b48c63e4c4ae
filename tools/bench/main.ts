import 'reflect-metadata';
import { availableParallelism } from 'node:os';
import { MEASUREMENTS } from './measurements.js';
import { HELP, ON_DEMAND, PARTS, parseOptions, type Options } from './options.js';
import { OwnDatabases } from './platform/databases.js';
import { BenchPlatform } from './platform/bench-platform.js';
import { exitCodeOf, runAll, summaryOf, type Ended } from './run.js';

/**
 * Shows the current step on a line that the next step replaces. Prints nothing if stderr is not a
 * terminal.
 */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
}

async function bench({ size, only, rounds, rows }: Options): Promise<Ended[]> {
  progress('Starting a database');
  const ended: Ended[] = [];
  const platform = await BenchPlatform.start(size, await OwnDatabases.start());
  const interrupt = () => {
    console.log(`\n${summaryOf(ended)}`);
    void platform.stop().finally(() => process.exit(130));
  };
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    const beside = process.env['RUNNING_PLATFORM_URL'];
    if (beside) console.log(`A platform of this folder runs at ${beside} and also uses this machine.\n`);
    console.log(`Node.js ${process.version}, ${availableParallelism()} cores, median of ${rounds} rounds\n`);
    const parts = [...PARTS, ...ON_DEMAND].filter((part) => only.includes(part));
    await runAll(
      parts.flatMap((part) => MEASUREMENTS[part]),
      { platform, rounds, rows, progress },
      (text) => console.log(text),
      ended,
    );
  } finally {
    await platform.stop();
  }
  return ended;
}

function optionsOrExit(): Options {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

const options = optionsOrExit();
if (options.help) {
  console.log(HELP);
} else {
  const ended = await bench(options);
  console.log(`── Summary\n\n${summaryOf(ended)}`);
  process.exitCode = exitCodeOf(ended, options.strict);
}
