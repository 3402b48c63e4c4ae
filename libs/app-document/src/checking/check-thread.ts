/** The file of the threads in which documents are checked; `tools/build-checks.mjs` bundles it. */
export { call, read, verify } from './checks.js';
