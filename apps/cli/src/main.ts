#!/usr/bin/env node
import { run } from './run.js';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0); // `platform sessions | head -1`
    throw error;
  });
}
// Node.js 20 never answers a request whose connection is closed at once, and would end the process with 0 since nothing else is left to wait for.
setInterval(() => undefined, 60_000);
const exitCode = await run(process.argv.slice(2));
// Nothing is left to do, and an interrupted command must not go on. Pipes take what was written before the process ends.
process.stdout.write('', () => process.exit(exitCode));
