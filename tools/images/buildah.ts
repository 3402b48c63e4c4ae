import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Builds print much. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** buildah has no option for that. Its own mount of the folder takes over that it is read-only. */
const READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';

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

  /** Builds an image of the last stage of a Dockerfile, with this folder as the context. Its output goes to that of this process. */
  async build(dockerfile: string, image: string, options: readonly string[]): Promise<void> {
    const { NODE_EXTRA_CA_CERTS: certificates } = process.env; // npm in the image needs them as npm here does
    const secrets = certificates ? ['--secret', `id=certificates,src=${certificates}`] : [];
    const format = ['--format', 'docker']; // OCI's has no HEALTHCHECK
    const command = this.withStorage(['build', ...format, ...options, ...secrets, '--tag', image, '--file', dockerfile, '.']);
    const child = spawn('buildah', command, { stdio: ['ignore', 'ignore', 'inherit'] });
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`buildah could not build ${image}.`);
  }

  /** The size of all files below a folder. */
  async megabytes(folder: string): Promise<number> {
    const { stdout } = await run('du', ['--summarize', '--block-size=1M', '--one-file-system', folder]);
    return Number.parseInt(stdout, 10);
  }

  /** A container of the image. Its programs share the network and the processes of this machine, and see no other files. */
  from(image: string): Promise<string> {
    return this.call('from', image);
  }

  /** The folder with the files of a container. */
  mount(container: string): Promise<string> {
    return this.call('mount', container);
  }

  /**
   * Starts a program in a container, as the user of its image. The files of the container are read-only, and /tmp is memory that only this program sees.
   *
   * @param folder of the container, as `mount` has returned it
   */
  start(container: string, folder: string, program: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
    const variables = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : ['--env', `${name}=${value}`]));
    const options = ['--isolation', 'chroot', '--mount', 'type=tmpfs,destination=/tmp', ...variables];
    const command = ['buildah', ...this.withStorage(['run', ...options, container, '--', ...program])];
    return spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', READ_ONLY, folder, ...command], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  private withStorage(args: readonly string[]): string[] {
    return ['--storage-driver', 'vfs', '--root', `${this.folder}/images`, '--runroot', `${this.folder}/run`, ...args];
  }
}
