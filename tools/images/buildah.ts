import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Builds print much. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Builds images and runs programs in them, without a daemon and without a container engine (https://buildah.io). */
export class Buildah {
  /** @param folder where images and containers are kept; it takes some gigabytes */
  constructor(private readonly folder: string) {}

  /** @throws Error with what buildah said when it fails. */
  async call(...args: string[]): Promise<string> {
    const { stdout } = await run('buildah', this.withStorage(args), { maxBuffer: MAX_OUTPUT_BYTES });
    return stdout.trim();
  }

  async has(image: string): Promise<boolean> {
    return this.call('images', '--quiet', image).then(
      (id) => id !== '',
      () => false,
    );
  }

  /** False where no registry can be reached in that time. */
  async pull(image: string, timeoutMs: number): Promise<boolean> {
    return run('buildah', this.withStorage(['pull', image]), { timeout: timeoutMs }).then(
      () => true,
      () => false,
    );
  }

  /** Prints what it does. */
  async build(target: string, image: string, options: readonly string[]): Promise<void> {
    const { NODE_EXTRA_CA_CERTS: certificates } = process.env; // npm in the image needs them as npm here does
    const secrets = certificates ? ['--secret', `id=certificates,src=${certificates}`] : [];
    const child = spawn(
      'buildah',
      this.withStorage([
        'build',
        ...options,
        ...secrets,
        '--layers',
        '--target',
        target,
        '--tag',
        image,
        '--file',
        'docker/Dockerfile',
        '.',
      ]),
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`buildah could not build ${target}.`);
  }

  /** How large the files of an image are. */
  async megabytes(image: string): Promise<number> {
    const container = await this.from(image);
    try {
      const folder = await this.call('mount', container);
      const { stdout } = await run('du', ['--summarize', '--block-size=1M', '--one-file-system', folder]);
      return Number.parseInt(stdout, 10);
    } finally {
      await this.call('rm', container);
    }
  }

  /** A container of the image. What runs in it shares the network and the processes of this machine, and has no other files. */
  from(image: string): Promise<string> {
    return this.call('from', image);
  }

  /** Runs a program in the container, as the user of its image unless told. Without one: what the image starts. */
  start(container: string, program: readonly string[], env: NodeJS.ProcessEnv, user?: string): ChildProcess {
    const variables = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : ['--env', `${name}=${value}`]));
    const asUser = user ? ['--user', user] : [];
    return spawn('buildah', this.withStorage(['run', '--isolation', 'chroot', ...asUser, ...variables, container, '--', ...program]), {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  private withStorage(args: readonly string[]): string[] {
    return ['--storage-driver', 'vfs', '--root', `${this.folder}/images`, '--runroot', `${this.folder}/run`, ...args];
  }
}
