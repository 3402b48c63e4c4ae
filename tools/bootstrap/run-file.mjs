import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from './start-error.mjs';

/** @typedef {import('../supervise/context.js').RunFile} Remembering */

/**
 * @typedef {object} Run
 * @property {number} pid
 * @property {boolean} stopping
 * @property {{ pid: number, command: string }[]} processes
 * @property {Record<string, string>} [urls] URL of each part, set after all parts run
 */

const STOPPING_MS = 12_000;
const LEFTOVER_MS = 6_000;
const POLL_MS = 50;

/**
 * `.data/run.json`: the process that runs the platform of this folder, the processes that it
 * started, and the URLs of its parts. The file prevents a second start beside the first. After a
 * killed run, the next start uses it to end the processes that are left.
 *
 * @implements {Remembering}
 */
export class RunFile {
  /** @type {Run} */
  #run = { pid: process.pid, stopping: false, processes: [] };

  /** @param {string} file */
  constructor(file) {
    this.file = file;
  }

  /**
   * Makes this process the one that runs the platform, after it has ended processes that an earlier
   * run left.
   * @param {import('../supervise/context.js').Terminal} terminal
   * @throws StartError if another process runs the platform and is not stopping
   */
  async claim(terminal) {
    const previous = read(this.file);
    if (previous && previous.pid !== process.pid) {
      if (isSupervisor(previous.pid)) await this.#waitFor(previous, terminal);
      const leftovers = previous.processes.filter(isOurs);
      if (leftovers.length) {
        await terminal.step('Ending processes of a killed run', 'Ended processes of a killed run', async () => {
          await Promise.all(leftovers.map(end));
        });
      }
    }
    this.#write();
  }

  /**
   * @param {number} pid
   * @param {string} command part of its command line that no other process has
   */
  add(pid, command) {
    this.#run.processes.push({ pid, command });
    this.#write();
  }

  /** @param {number} pid */
  remove(pid) {
    this.#run.processes = this.#run.processes.filter((entry) => entry.pid !== pid);
    this.#write();
  }

  /**
   * Records the URLs of the platform's parts.
   *
   * @param {Record<string, string>} urls by their names
   */
  announce(urls) {
    this.#run.urls = urls;
    this.#write();
  }

  /** Makes a start during the shutdown wait instead of fail. */
  markStopping() {
    this.#run.stopping = true;
    this.#write();
  }

  release() {
    rmSync(this.file, { force: true });
  }

  /**
   * @param {Run} previous
   * @param {import('../supervise/context.js').Terminal} terminal
   */
  async #waitFor({ pid, stopping }, terminal) {
    const message = `The platform of this folder already runs (process ${pid}). Stop it with Ctrl-C in its terminal, or with: kill ${pid}`;
    if (!stopping) throw new StartError(message);
    await terminal.step('Waiting for the platform to stop', 'The earlier run has stopped', async () => {
      if (!(await isGone(() => isSupervisor(pid), STOPPING_MS))) throw new StartError(message);
    });
  }

  /** Replaces the file in one step, so that a kill leaves either the old or the new content. */
  #write() {
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
    const temporary = `${this.file}.${process.pid}`;
    writeFileSync(temporary, `${JSON.stringify(this.#run, null, 2)}\n`);
    renameSync(temporary, this.file);
  }
}

/**
 * The current run of the platform in a folder. Undefined if there is none, also if a killed run
 * left its file.
 *
 * @param {string} file
 * @returns {Run | undefined}
 */
export function readRun(file) {
  const run = read(file);
  return run && isSupervisor(run.pid) ? run : undefined;
}

/**
 * @param {string} file
 * @returns {Run | undefined}
 */
function read(file) {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
const isSupervisor = (pid) => commandLine(pid).includes('start.mjs');

/** @param {{ pid: number, command: string }} entry */
const isOurs = ({ pid, command }) => commandLine(pid).includes(command);

/**
 * Ends a process that an earlier run left. Services notice the end of their supervisor themselves,
 * so most have already ended.
 *
 * @param {{ pid: number, command: string }} entry
 */
async function end(entry) {
  signalGroup(entry.pid, 'SIGTERM');
  if (await isGone(() => isOurs(entry), LEFTOVER_MS)) return;
  signalGroup(entry.pid, 'SIGKILL');
  await isGone(() => isOurs(entry), LEFTOVER_MS);
}

/**
 * @param {() => boolean} isThere
 * @param {number} timeoutMs
 */
async function isGone(isThere, timeoutMs) {
  const deadline = Date.now() + timeoutMs;
  while (isThere()) {
    if (Date.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

/**
 * Sends a signal to a process group: the process that leads it and all processes that it started.
 *
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
export function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // it has already ended
  }
}

/**
 * Command line of a process; empty if the process has ended.
 *
 * @param {number} pid
 */
function commandLine(pid) {
  try {
    // Slim container images have no `ps`.
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { stdio: 'pipe' }).toString();
  } catch {
    return '';
  }
}
