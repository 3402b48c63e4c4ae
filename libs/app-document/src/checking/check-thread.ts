/** Entry file of the worker threads that check documents. `tools/build-checks.mjs` bundles it. */
export { call, read, verify } from './checks.js';
