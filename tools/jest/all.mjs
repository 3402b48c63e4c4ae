// Jest, for tools/test.mjs and for Nx, which runs the whole suite for `npm test` and remembers it. Arguments are passed on. What Nx tells its
// tasks by the environment is taken away: tests start Nx and other programs themselves, and these would take it for theirs.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';

const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^NX_|^(FORCE_COLOR|LERNA_PACKAGE_NAME)$/.test(name)));
// Jest does not make the folder of its report, and Nx removes it before each run.
mkdirSync('reports', { recursive: true });
const jest = spawn(
  process.execPath,
  ['node_modules/jest/bin/jest.js', '--json', '--outputFile=reports/jest.json', ...process.argv.slice(2)],
  { stdio: 'inherit', env },
);
jest.once('exit', (code) => (process.exitCode = code ?? 1));
