import { spawn } from 'node:child_process';
import { signalGroup } from './run-file.mjs';
import { StartError } from './start-error.mjs';

const GRACE_MS = 3000;

/**
 * @typedef {object} CommandOptions
 * @property {string} root the folder to run it in
 * @property {string} trace a part of its command line that tells it from any other process
 * @property {string} failure what to say, and what to do, when it fails
 * @property {NodeJS.ProcessEnv} [env]
 * @property {AbortSignal} [stop] ends it early
 * @property {import('../supervise/context.js').RunFile} [runFile] remembers it while it runs
 */

/**
 * Runs a command to its end. What it prints is shown only when it fails.
 *
 * @param {string} command
 * @param {string[]} parameters
 * @param {CommandOptions} options
 * @returns {Promise<void>}
 */
export async function runCommand(command, parameters, { root, env, trace, failure, stop, runFile }) {
  stop?.throwIfAborted();
  // With a process group of its own, stopping it reaches the scripts that npm starts. Without `stop`, Ctrl-C has to reach it directly.
  const child = spawn(command, parameters, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], detached: Boolean(stop) });
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
