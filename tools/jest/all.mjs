// Jest, for tools/test.mjs and for Nx, which runs the whole suite for `npm test` and remembers it. Arguments are passed on.
import { runJest } from './run-jest.mjs';

process.exitCode = await runJest('reports/jest.json', process.argv.slice(2));
