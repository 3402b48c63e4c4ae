import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { THREAD, TRANSIT } from '../code-limits.js';

/**
 * `auto` uses bubblewrap if it works. Outside production it falls back to the permissions of
 * Node.js.
 */
export const SANDBOXES = ['auto', 'bubblewrap', 'permission'] as const;
export type Sandbox = (typeof SANDBOXES)[number];

export interface SandboxCommand {
  command: string;
  args: string[];
}

export interface SandboxSize {
  /** Number of threads. */
  lanes: number;
  /** MiB for the heaps of all handlers together. */
  megabytes: number;
}

const BUBBLEWRAP = 'bwrap';
/**
 * MiB of the process besides its threads: its own heap, and memory that Node.js uses outside of it.
 */
const MAIN_HEAP_MEGABYTES = 256;
const OUTSIDE_MEGABYTES = 256;
const MAIN = 'main.cjs';
const WASM = 'quickjs.wasm';

/**
 * Command that starts the process in which handlers run. The process may only read its own two
 * files and start threads, and its memory is limited. Bubblewrap also hides the network, all other
 * files and all other processes; `permission` has only the permissions of Node.js. Null if `kind`
 * is `bubblewrap` and bubblewrap is not installed.
 *
 * @throws Error if the sandbox is not built.
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

/** Limit for the writable memory of the process, in MiB: the sum of the limits of its parts. */
export function processMegabytes({ lanes, megabytes }: SandboxSize): number {
  // The additional thread is for apps that were stopped.
  const threads = (lanes + 1) * (THREAD.megabytes + THREAD.stackMegabytes);
  return megabytes + TRANSIT.megabytes * TRANSIT.copies + threads + MAIN_HEAP_MEGABYTES + OUTSIDE_MEGABYTES;
}

/**
 * Adds a limit of the operating system for writable memory, on Linux (RLIMIT_DATA; a limit on
 * addresses would stop V8, which reserves addresses that it never uses). It also covers memory that
 * nothing else counts. On other systems, and without `/bin/sh`, the command stays as it is.
 */
function limited({ command, args }: SandboxCommand, size: SandboxSize): SandboxCommand {
  if (process.platform !== 'linux' || !isExecutable(SHELL)) return { command, args };
  const kibibytes = processMegabytes(size) * 1024;
  return { command: SHELL, args: ['-c', `ulimit -d ${kibibytes}; exec "$0" "$@"`, command, ...args] };
}

/** True if the program `bwrap` is in the PATH. Starting it shows if it works. */
export const hasBubblewrap = (): boolean => findInPath(BUBBLEWRAP) !== null;

function nodeArguments([main, wasm]: readonly [string, string], { lanes, megabytes }: SandboxSize): string[] {
  const permission = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  return [
    ...[permission, '--allow-worker', `--allow-fs-read=${main}`, `--allow-fs-read=${wasm}`],
    ...[
      '--no-warnings',
      '--disable-proto=delete',
      `--max-old-space-size=${MAIN_HEAP_MEGABYTES}`,
      '--max-semi-space-size=2',
    ],
    ...[main, wasm, String(lanes), String(megabytes)],
  ];
}

/**
 * Folder that `npm run build` makes. Tests run from the sources and use the last build.
 *
 * @throws Error if there is none.
 */
function builtFolder(): string {
  // Relative to the bundle of the service or its worker, to this file when compiled (the bench),
  // and to the sources (tests).
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
