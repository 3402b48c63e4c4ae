import 'reflect-metadata';
import { HELP, parseOptions, type Options } from './options.js';
import { runStreams } from './run.js';

function optionsOrExit(): Options {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

const options = optionsOrExit();
if (options.help) console.log(HELP);
else process.exitCode = (await runStreams(options, (line) => console.log(line))) ? 0 : 1;
