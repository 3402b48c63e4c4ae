import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Builds print much output. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * Commands that run a program in a container: in private mounts, with the container's files
 * read-only, a tmpfs at /tmp, and the kernel's file systems. `buildah run` has no option for a
 * read-only root, and fails at its end if it cannot write.
 */
const IN_CONTAINER = [
  'mount --bind "$0" "$0"',
  'mount -o remount,bind,ro "$0"',
  'mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$0/tmp"',
  'mount --rbind /dev "$0/dev"',
  'mount -t proc proc "$0/proc"',
  'mount --bind /etc/hosts "$0/etc/hosts"',
  'user=$1',
  'shift',
  'exec chroot --userspec="$user" --groups= "$0" "$@"',
].join(' && ');

/** The part of an image's configuration that its processes need. */
export interface ImageConfig {
  User: string;
  WorkingDir: string;
  /** Variables, each as `NAME=value`. */
  Env: string[];
}

/**
 * Builds images and runs programs in them, without a daemon and without a container engine
 * (https://buildah.io).
 */
export class Buildah {
  /** @param folder folder for images and containers; it needs some gigabytes */
  constructor(private readonly folder: string) {}

  /** @throws Error with buildah's output if the command fails. */
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

  /** False if no registry answers within the time. */
  async pull(image: string, timeoutMs: number): Promise<boolean> {
    return run('buildah', this.withStorage(['pull', image]), { timeout: timeoutMs }).then(
      () => true,
      () => false,
    );
  }

  /**
   * Builds an image from the last stage of a Dockerfile, with the current folder as context. The
   * output goes to the output of this process.
   */
  async build(dockerfile: string, image: string, options: readonly string[]): Promise<void> {
    const { NODE_EXTRA_CA_CERTS: certificates } = process.env; // npm in the image needs the same certificates as npm here
    const secrets = certificates ? ['--secret', `id=certificates,src=${certificates}`] : [];
    const format = ['--format', 'docker']; // the OCI format has no HEALTHCHECK
    const command = this.withStorage([
      'build',
      ...format,
      ...options,
      ...secrets,
      '--tag',
      image,
      '--file',
      dockerfile,
      '.',
    ]);
    const child = spawn('buildah', command, { stdio: ['ignore', 'ignore', 'inherit'] });
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`buildah could not build ${image}.`);
  }

  /** Size of all files below a folder. */
  async megabytes(folder: string): Promise<number> {
    const { stdout } = await run('du', ['--summarize', '--block-size=1M', '--one-file-system', folder]);
    return Number.parseInt(stdout, 10);
  }

  /**
   * Creates a container from the image. Its programs share the network and processes of this
   * machine, and see no other files.
   */
  from(image: string): Promise<string> {
    return this.call('from', image);
  }

  /** Mounts the container's files and returns their folder. */
  mount(container: string): Promise<string> {
    return this.call('mount', container);
  }

  async configOf(container: string): Promise<ImageConfig> {
    const { OCIv1 } = JSON.parse(await this.call('inspect', container)) as { OCIv1: { config: ImageConfig } };
    return OCIv1.config;
  }

  private withStorage(args: readonly string[]): string[] {
    return ['--storage-driver', 'vfs', '--root', `${this.folder}/images`, '--runroot', `${this.folder}/run`, ...args];
  }
}

/**
 * Starts a program with the files of a container, as the user and in the folder that the image
 * names.
 */
export function startIn(
  folder: string,
  config: ImageConfig,
  program: readonly string[],
  env: NodeJS.ProcessEnv,
): ChildProcess {
  const given = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`));
  const environment = [
    'env',
    '--chdir',
    config.WorkingDir,
    '--ignore-environment',
    ...config.Env,
    'TINI_SUBREAPER=1',
    ...given,
  ];
  const command = ['sh', '-c', IN_CONTAINER, folder, config.User, ...environment, ...program];
  return spawn('unshare', ['--mount', '--propagation', 'private', ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
}
