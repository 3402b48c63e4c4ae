import { isMainThread } from 'node:worker_threads';
import { runChild } from './child.js';
import { runWorker } from '../thread/handler-thread.js';

/**
 * Entry point of the sandbox process and of its threads: `main.cjs <wasm file> <threads>
 * <megabytes>`.
 */
if (isMainThread) runChild(__filename, process.argv[2] ?? '', Number(process.argv[3]), Number(process.argv[4]));
else runWorker();
