import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Runs Jest in the folder of this process, and has it write its results into the report. What Nx tells its tasks by the environment is taken away: tests start Nx and other programs
 * themselves, and these would take it for theirs.
 *
 * @param {string} report
 * @param {readonly string[]} options
 * @returns {Promise<number>} its exit code; 1 where a signal ended it
 */
export function runJest(report, options) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^NX_|^(FORCE_COLOR|LERNA_PACKAGE_NAME)$/.test(name)));
  // Jest does not make the folder of its report, and Nx removes it before each run.
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', '--ci', '--json', `--outputFile=${report}`, ...options], {
    stdio: 'inherit',
    env,
  });
  return new Promise((resolve) => jest.once('exit', (code) => resolve(code ?? 1)));
}
