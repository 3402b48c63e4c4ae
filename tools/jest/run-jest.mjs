import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Runs Jest in the current folder and writes its results into the report. Removes the environment
 * variables that Nx sets for its tasks: tests start Nx and other programs, which would apply the
 * variables to themselves.
 *
 * @param {string} report
 * @param {readonly string[]} options
 * @returns {Promise<number>} exit code; 1 if a signal ended Jest
 */
export function runJest(report, options) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^NX_|^(FORCE_COLOR|LERNA_PACKAGE_NAME)$/.test(name)),
  );
  // Jest does not create the folder of its report, and Nx removes it before each run.
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const jest = spawn(
    process.execPath,
    ['node_modules/jest/bin/jest.js', '--ci', '--json', `--outputFile=${report}`, ...options],
    {
      stdio: 'inherit',
      env,
    },
  );
  return new Promise((resolve) => jest.once('exit', (code) => resolve(code ?? 1)));
}
