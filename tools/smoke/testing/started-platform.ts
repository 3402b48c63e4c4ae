import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isBuilt } from '../../bootstrap/build.mjs';

/** Copied, because programs find the folder of the clone by their own path. */
const COPIED = ['dist', 'tools', 'package.json', 'package-lock.json', 'tsconfig.base.json', 'tsconfig.build.json'];
const LINKED = ['node_modules', 'apps', 'docs', 'libs'];
/**
 * The platform takes about a hundred ports from PORT_BASE. Ports below the range that systems use
 * for outgoing connections.
 */
const [FIRST_BASE, LAST_BASE] = [180, 318];
/** Number of values of PORT_BASE to try if a port is taken. */
const TRIES = 5;

interface RunFile {
  urls: Record<'panel' | 'auth-gateway' | 'mailbox' | 'payments', string>;
  processes: unknown[];
}

/** `npm start` in a separate folder, with the build of this one. */
export class StartedPlatform {
  private constructor(
    readonly folder: string,
    private readonly child: ChildProcess,
    private readonly output: string[],
  ) {}

  /** Starts the platform and waits until it prints `Platform is ready`. */
  static async start(): Promise<StartedPlatform> {
    if (!isBuilt(resolve('.'))) throw new Error('The sources have changed since the build. Run npm run build first.');
    const folder = mkdtempSync(join(tmpdir(), 'platform-start-'));
    for (const name of COPIED) cpSync(resolve(name), join(folder, name), { recursive: true });
    for (const name of LINKED) symlinkSync(resolve(name), join(folder, name));
    for (let tried = 1; ; tried++) {
      const output: string[] = [];
      const child = startIn(folder, output);
      if (await isReady(child)) return new StartedPlatform(folder, child, output);
      const said = output.join('');
      if (/\bports? \d+[^\n]* (is|are) taken/i.test(said) && tried < TRIES) continue;
      rmSync(folder, { recursive: true, force: true });
      throw new Error(`npm start failed:\n${said}`);
    }
  }

  get urls(): RunFile['urls'] {
    return this.runFile().urls;
  }

  /** Credentials that the start generated. */
  get secrets(): Record<string, string> {
    const lines = readFileSync(join(this.folder, '.data', 'dev.env'), 'utf8').split('\n');
    return Object.fromEntries(
      lines.filter((line) => line.includes('=')).map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
    );
  }

  get printed(): string {
    return this.output.join('');
  }

  /** Sends Ctrl-C and returns the exit code. */
  async stop(): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    const exited = once(this.child, 'close');
    this.child.kill('SIGINT');
    const [code] = (await exited) as [number | null];
    return code;
  }

  /** Stops the platform if it runs, and deletes its folder. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private runFile(): RunFile {
    return JSON.parse(readFileSync(join(this.folder, '.data', 'run.json'), 'utf8')) as RunFile;
  }
}

function startIn(folder: string, output: string[]): ChildProcess {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ['tools/start.mjs'], {
    cwd: folder,
    env: { PATH, HOME, CI: 'true', PORT_BASE: String(randomInt(FIRST_BASE, LAST_BASE) * 100) },
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  return child;
}

/** False if the process ends instead. */
function isReady(child: ChildProcess): Promise<boolean> {
  return new Promise((done) => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('Platform is ready')) done(true);
    });
    child.once('close', () => done(false));
  });
}
