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
 * @property {Record<string, string>} [urls] where each part is reached, once all of them run
 */

const STOPPING_MS = 12_000;
const LEFTOVER_MS = 6_000;
const POLL_MS = 50;

/**
 * `.data/run.json`: which process runs the platform of this folder, which ones it started, and where they are reached. It keeps a second one from starting
 * beside the first, and lets the one after a killed run end what that left.
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
   * Makes this process the one that runs the platform, once nothing of an earlier run is left.
   *
   * @param {import('../supervise/context.js').Terminal} terminal
   */
  async claim(terminal) {
    const previous = read(this.file);
    if (previous && previous.pid !== process.pid) {
      if (isSupervisor(previous.pid)) await this.#waitFor(previous, terminal);
      const leftovers = previous.processes.filter(isOurs);
      if (leftovers.length) {
        await terminal.step('Ending what a killed run left', 'Ended what a killed run left', async () => {
          await Promise.all(leftovers.map(end));
        });
      }
    }
    this.#write();
  }

  /**
   * @param {number} pid
   * @param {string} command a part of its command line that tells it from any other process
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
   * Says where the parts of the platform are.
   *
   * @param {Record<string, string>} urls by their names
   */
  announce(urls) {
    this.#run.urls = urls;
    this.#write();
  }

  /** Lets a start that comes meanwhile wait instead of refusing. */
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
    await terminal.step('Waiting for the platform to stop', 'The platform that ran before has stopped', async () => {
      if (!(await isGone(() => isSupervisor(pid), STOPPING_MS))) throw new StartError(message);
    });
  }

  /** Replaces the file whole, so that a kill leaves the old or the new one. */
  #write() {
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
    const temporary = `${this.file}.${process.pid}`;
    writeFileSync(temporary, `${JSON.stringify(this.#run, null, 2)}\n`);
    renameSync(temporary, this.file);
  }
}

/**
 * What runs from a folder now. A run that was killed left the file, and runs no more.
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
 * Services notice by themselves that their supervisor is gone, so most of the time there is little left to do.
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
 * Signals a process and all that it started, given that it leads a process group.
 *
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
export function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // it ended meanwhile
  }
}

/**
 * The command line of a process, empty when it is gone.
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
