import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { THREAD, TRANSIT } from '../code-limits.js';

/** `auto`: bubblewrap where it works; outside production, else Node's permissions alone. */
export const SANDBOXES = ['auto', 'bubblewrap', 'permission'] as const;
export type Sandbox = (typeof SANDBOXES)[number];

export interface SandboxCommand {
  command: string;
  args: string[];
}

export interface SandboxSize {
  /** Threads. */
  lanes: number;
  /** Of memory for the heaps of all handlers together. */
  megabytes: number;
}

const BUBBLEWRAP = 'bwrap';
/** Of the process beside its threads: its own heap, and what Node.js has outside of it. */
const MAIN_HEAP_MEGABYTES = 256;
const OUTSIDE_MEGABYTES = 256;
const MAIN = 'main.cjs';
const WASM = 'quickjs.wasm';

/**
 * What starts the process in which handlers run: with no right but to read its own two files and to have threads, and in bubblewrap with
 * no network, no other files and no other processes either. Null: there is no bubblewrap here.
 */
export function sandboxCommand(kind: 'bubblewrap' | 'permission', size: SandboxSize): SandboxCommand | null {
  const folder = builtFolder();
  const files = [join(folder, MAIN), join(folder, WASM)] as const;
  if (kind === 'permission') return limited({ command: process.execPath, args: nodeArguments(files, size) }, size);
  const bubblewrap = findInPath(BUBBLEWRAP);
  if (!bubblewrap) return null;
  const inside = [`/sandbox/${MAIN}`, `/sandbox/${WASM}`] as const;
  const node = realpathSync(process.execPath);
  const args = [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--uid', '65534', '--gid', '65534'],
    ...['/lib', '/lib64', '/usr/lib', '/usr/lib64'].flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--ro-bind', node, '/sandbox/node', '--ro-bind', files[0], inside[0], '--ro-bind', files[1], inside[1]],
    ...['--dev', '/dev', '--remount-ro', '/', '--chdir', '/', '--', '/sandbox/node', ...nodeArguments(inside, size)],
  ];
  return limited({ command: bubblewrap, args }, size);
}

const SHELL = '/bin/sh';

/** What the process may have in writable memory: the sum of what its parts may. */
export function processMegabytes({ lanes, megabytes }: SandboxSize): number {
  // One more is for apps that were stopped.
  const threads = (lanes + 1) * (THREAD.megabytes + THREAD.stackMegabytes);
  return megabytes + TRANSIT.megabytes * TRANSIT.copies + threads + MAIN_HEAP_MEGABYTES + OUTSIDE_MEGABYTES;
}

/**
 * With a limit of the system on what the process may have in writable memory, where the system has one (RLIMIT_DATA; one on addresses would
 * stop what V8 reserves and never uses). It holds what nobody counts.
 */
function limited({ command, args }: SandboxCommand, size: SandboxSize): SandboxCommand {
  if (process.platform !== 'linux' || !isExecutable(SHELL)) return { command, args };
  const kibibytes = processMegabytes(size) * 1024;
  return { command: SHELL, args: ['-c', `ulimit -d ${kibibytes}; exec "$0" "$@"`, command, ...args] };
}

/** Whether there is a program of that name; whether it works shows when it is started. */
export const hasBubblewrap = (): boolean => findInPath(BUBBLEWRAP) !== null;

function nodeArguments([main, wasm]: readonly [string, string], { lanes, megabytes }: SandboxSize): string[] {
  const permission = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  return [
    ...[permission, '--allow-worker', `--allow-fs-read=${main}`, `--allow-fs-read=${wasm}`],
    ...['--no-warnings', '--disable-proto=delete', `--max-old-space-size=${MAIN_HEAP_MEGABYTES}`, '--max-semi-space-size=2'],
    ...[main, wasm, String(lanes), String(megabytes)],
  ];
}

/** `npm run build` makes it; the tests, which run from the sources, take what was built last. */
function builtFolder(): string {
  // From the bundle of the service or of its worker, from this file as it is compiled (the bench), and from the sources (tests).
  const paths = ['../../../sandbox/', '../../../../../sandbox/', '../../../../../dist/sandbox/'];
  const candidates = paths.map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const found = candidates.find((folder) => existsSync(join(folder, MAIN)));
  if (!found) throw new Error('The sandbox for handlers in JavaScript is not built: npm run build');
  return found;
}

function findInPath(name: string): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, name);
    if (isExecutable(file)) return file;
  }
  return null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
