import { spawn } from 'node:child_process';
import { signalGroup } from './run-file.mjs';
import { StartError } from './start-error.mjs';

const GRACE_MS = 3000;

/**
 * @typedef {object} CommandOptions
 * @property {string} root folder to run the command in
 * @property {string} trace part of its command line that no other process has
 * @property {string} failure message for the user if the command fails, with the next step
 * @property {NodeJS.ProcessEnv} [env]
 * @property {AbortSignal} [stop] ends the command early
 * @property {import('../supervise/context.js').RunFile} [runFile] records the process while it runs
 */

/**
 * Runs a command to its end. Its output is shown only if it fails.
 *
 * @param {string} command
 * @param {string[]} parameters
 * @param {CommandOptions} options
 * @returns {Promise<void>}
 */
export async function runCommand(command, parameters, { root, env, trace, failure, stop, runFile }) {
  stop?.throwIfAborted();
  // A process group of its own lets us stop the scripts that npm starts, too. Without `stop`,
  // Ctrl-C has to reach the command directly.
  const child = spawn(command, parameters, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: Boolean(stop),
  });
  const { pid } = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));
  const ended = new Promise((done) => {
    child.once('close', (code) => done(code === 0));
    child.once('error', (error) => {
      output += error.message;
      done(false);
    });
  });
  if (pid) runFile?.add(pid, trace);
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const end = () => {
    if (!pid) return;
    signalGroup(pid, 'SIGTERM');
    timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), GRACE_MS);
  };
  stop?.addEventListener('abort', end, { once: true });
  const succeeded = await ended;
  stop?.removeEventListener('abort', end);
  clearTimeout(timer);
  if (pid) runFile?.remove(pid);
  stop?.throwIfAborted();
  if (!succeeded) throw new StartError(failure, output);
}
