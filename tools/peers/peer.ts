import { spawn, type ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const START_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 50;

/** A third-party server as a child process. */
export class Peer {
  private readonly output: string[] = [];
  private readonly exited: Promise<void>;
  private hasExited = false;

  private constructor(
    readonly name: string,
    private readonly child: ChildProcess,
    private readonly askToStop: () => void,
  ) {
    this.exited = new Promise((done) => {
      const end = () => {
        this.hasExited = true;
        done();
      };
      child.once('close', end);
      child.once('error', (error) => {
        this.output.push(error.message);
        end();
      });
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => this.output.push(chunk.toString()));
  }

  /**
   * Starts a server and waits until it accepts connections on this port of 127.0.0.1. The server
   * must stay in the foreground.
   * @param stopping parameters with which the command stops the server; by default SIGTERM stops it
   * @throws Error with its output if it ends or does not accept connections within 20 s.
   */
  static async start(
    name: string,
    port: number,
    [command, ...parameters]: readonly [string, ...string[]],
    folder: string,
    stopping?: readonly string[],
  ): Promise<Peer> {
    const env = {
      PATH: `${process.env['PATH']}:/usr/sbin:/sbin`,
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    };
    const child = spawn(command, parameters, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const stop = () => {
      if (stopping) spawn(command, stopping, { env, stdio: 'ignore' });
      else child.kill('SIGTERM');
    };
    const peer = new Peer(name, child, stop);
    const deadline = performance.now() + START_TIMEOUT_MS;
    while (!(await accepts(port))) {
      if (peer.hasExited || performance.now() > deadline) {
        await peer.stop();
        throw new Error(`${name} does not accept connections:\n${peer.lastOutput}`);
      }
      await delay(POLL_MS);
    }
    return peer;
  }

  get lastOutput(): string {
    return this.output.join('').slice(-3_000);
  }

  async stop(): Promise<void> {
    if (this.hasExited) return;
    this.askToStop();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await this.exited.finally(() => clearTimeout(timer));
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      done(true);
    }).once('error', () => done(false));
  });
