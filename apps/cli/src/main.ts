#!/usr/bin/env node
import { run } from './run.js';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0); // the reader has closed the pipe: `platform sessions | head -1`
    throw error;
  });
}
// Keeps the process alive. In Node.js 20, a request whose connection closes at once never settles;
// without other work, the process would end with exit code 0.
setInterval(() => undefined, 60_000);
const exitCode = await run(process.argv.slice(2));
// Exits explicitly, since an interrupted command must not continue. The callback runs after pending
// output was written.
process.stdout.write('', () => process.exit(exitCode));
