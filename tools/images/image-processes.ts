import { until } from '@platform/testing';
import type { ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import type { PlatformProcess, ProcessStarter } from '../replicas/replicated-platform.js';
import { Buildah } from './buildah.js';
import { BuildahRunner } from './image-runner.js';
import { readTargets, type Target } from './targets.js';

/** Longer than a service takes to stop by itself. */
const STOP_TIMEOUT_MS = 80_000;

/** Starts the programs of a replicated platform from the images that `npm run images` built. */
export class ImageProcesses implements ProcessStarter {
  private constructor(
    private readonly runner: BuildahRunner,
    private readonly targets: readonly Target[],
  ) {}

  /** @param folder folder with the images */
  static async of(folder: string): Promise<ImageProcesses> {
    const targets = readTargets();
    return new ImageProcesses(await BuildahRunner.of(new Buildah(resolve(folder)), targets), targets);
  }

  async start(program: string, env: NodeJS.ProcessEnv): Promise<PlatformProcess> {
    const { child, exited, output } = await this.begin(program, env);
    const port = env['PORT'] ?? env['MAILBOX_WEB_PORT'] ?? env['PAYMENTS_PORT'];
    const url = `http://127.0.0.1:${port}`;
    const isWorker = program.endsWith('/worker.js');
    const readyUrl = isWorker
      ? `http://127.0.0.1:${env['METRICS_PORT']}/healthz`
      : env['PORT']
        ? `${url}/readyz`
        : `${url}/`;
    let hasExited = false;
    void exited.then(() => (hasExited = true));
    await until(() => {
      if (hasExited) throw new Error(`${program} ended: ${output.join('')}`);
      return fetch(readyUrl).then(
        ({ status }) => status < 500,
        () => false,
      );
    });
    return { url, output, stop: () => this.stop(child, exited) };
  }

  async run(program: string, env: NodeJS.ProcessEnv): Promise<number | null> {
    return (await this.begin(program, env)).exited;
  }

  close(): Promise<void> {
    return this.runner.close();
  }

  private async begin(program: string, env: NodeJS.ProcessEnv) {
    const command = `dist/${program}`;
    // The mailbox and the test payments share an image, whose default program is the mailbox.
    const name = this.targets.find((target) => target.command[0] === command)?.name ?? 'development';
    const target = this.targets.find((one) => one.name === name) as Target;
    const child = await this.runner.start(target, env, [command]);
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    const exited = new Promise<number | null>((done) => child.once('close', (code) => done(code)));
    return { child, exited, output };
  }

  private async stop(child: ChildProcess, exited: Promise<number | null>): Promise<number | null> {
    this.runner.end(child);
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    return exited.finally(() => clearTimeout(timer));
  }
}
