import { isMainThread } from 'node:worker_threads';
import { runChild } from './child.js';
import { runWorker } from './worker.js';

/** The file of the sandbox's process and of its threads: `main.cjs <wasm file> <threads>`. */
if (isMainThread) runChild(__filename, process.argv[2] ?? '', Number(process.argv[3]));
else runWorker();
