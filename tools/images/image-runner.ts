import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startIn, type Buildah, type ImageConfig } from './buildah.js';
import { imageOf, type Target } from './targets.js';

/** Starts the processes of images. */
export interface ImageRunner {
  /** @param command replaces the command of the image */
  start(target: Target, env: NodeJS.ProcessEnv, command?: readonly string[]): Promise<ChildProcess>;
  /** Asks the program to end, the way a container engine does. */
  end(child: ChildProcess): void;
}

interface Container {
  name: string;
  folder: string;
  config: ImageConfig;
}

/**
 * Runs images with their own files, and with the network and processes of this machine. All
 * processes of an image share one container, since none can write to it.
 */
export class BuildahRunner implements ImageRunner {
  private constructor(
    private readonly buildah: Buildah,
    private readonly containers: ReadonlyMap<string, Container>,
  ) {}

  /** Creates a container from each image. */
  static async of(buildah: Buildah, targets: readonly Target[]): Promise<BuildahRunner> {
    const containers = new Map<string, Container>();
    for (const target of targets) {
      const name = await buildah.from(imageOf(target));
      const folder = await buildah.mount(name);
      appendFileSync(join(folder, 'etc/hosts'), ''); // the hosts file of this machine is mounted there
      containers.set(target.name, { name, folder, config: await buildah.configOf(name) });
    }
    return new BuildahRunner(buildah, containers);
  }

  start(target: Target, env: NodeJS.ProcessEnv, command: readonly string[] = target.command): Promise<ChildProcess> {
    return Promise.resolve(this.startProgram(target, ['tini', '--', 'node', ...command], env));
  }

  /** Starts any program of the image instead of its command. */
  startProgram(target: Target, program: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
    const { folder, config } = this.containerOf(target);
    return startIn(folder, config, program, env);
  }

  megabytes(target: Target): Promise<number> {
    return this.buildah.megabytes(this.containerOf(target).folder);
  }

  /** Deletes the containers, not the images. */
  async close(): Promise<void> {
    for (const { name } of this.containers.values()) await this.buildah.call('rm', name);
  }

  private containerOf({ name }: Target): Container {
    const container = this.containers.get(name);
    if (!container) throw new Error(`There is no container for ${name}.`);
    return container;
  }

  end({ pid }: ChildProcess): void {
    for (const init of [pid as number, ...below(pid as number)].filter((each) => nameOf(each) === 'tini'))
      process.kill(init, 'SIGTERM');
  }
}

/**
 * Runs the contents of images in plain folders with the Node.js of this machine: without the system
 * of the image, and without building it.
 */
export class FolderRunner implements ImageRunner {
  /** @param folder has a folder for each kind of contents */
  constructor(private readonly folder: string) {}

  start(target: Target, env: NodeJS.ProcessEnv, command: readonly string[] = target.command): Promise<ChildProcess> {
    const cwd = join(this.folder, target.contents);
    return Promise.resolve(spawn(process.execPath, command, { cwd, env: { PATH: process.env['PATH'], ...env } }));
  }

  end(child: ChildProcess): void {
    child.kill('SIGTERM');
  }
}

/** Sizes in megabytes. */
export interface Memory {
  resident: number;
  /**
   * Without mapped files, such as Node.js itself (60 MB), which all processes of a machine share.
   */
  own: number;
}

/**
 * Memory of the largest process among this process and its descendants. The name of the process
 * says nothing, because it differs between Node.js 20 and 24.
 */
export function memoryOf({ pid = 0 }: ChildProcess): Memory {
  const sizes = [pid, ...below(pid)].map((each) => {
    const status = read(each, 'status');
    return { resident: megabytes(status, 'VmRSS'), own: megabytes(status, 'RssAnon') };
  });
  return sizes.reduce((largest, each) => (each.resident > largest.resident ? each : largest), { resident: 0, own: 0 });
}

const megabytes = (status: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024;

/** Descendants of the process, the deepest first. */
function below(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => Number(/^PPid:\s*(\d+)$/m.exec(read(candidate, 'status'))?.[1]) === pid);
  return children.flatMap((child) => [...below(child), child]);
}

const nameOf = (pid: number): string => read(pid, 'comm').trim();

/** Empty for a process that has just ended. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
