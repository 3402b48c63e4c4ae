import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { EmbeddedPostgres, EmbeddedPostgresError, freePort } from './embedded-postgres.js';

/**
 * Each test starts its own server on the directory of the previous test. No test needs its data.
 */
const SETTINGS = { fsync: 'off' };
let directory: string;
beforeAll(() => (directory = mkdtempSync(join(tmpdir(), 'embedded-postgres-'))));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function query<Row extends object>(server: EmbeddedPostgres, sql: string): Promise<Row[]> {
  const client = new Client(server.url('postgres'));
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '); // a zombie does not run
  } catch {
    return false;
  }
};

describe('the embedded PostgreSQL', () => {
  it('starts on an empty directory, and finds its data at the second start', async () => {
    const first = await EmbeddedPostgres.start({ directory, settings: SETTINGS });
    await query(first, 'DROP TABLE IF EXISTS kept; CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    expect(isRunning(first.pid ?? 0)).toBe(false);

    const second = await EmbeddedPostgres.start({ directory, settings: SETTINGS });
    expect(await query(second, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await second.stop();
  });

  it('lets nobody in but who knows the password, over TCP on this machine only', async () => {
    const server = await EmbeddedPostgres.start({ directory, settings: SETTINGS });
    const url = new URL(server.url('postgres'));
    url.password = 'guessed';
    const stranger = new Client(url.href);
    await expect(stranger.connect()).rejects.toThrow('password authentication failed');
    const [listen] = await query(
      server,
      "SELECT current_setting('listen_addresses') AS on, current_setting('fsync') AS fsync",
    );
    expect(listen).toEqual({ on: '127.0.0.1', fsync: 'off' });
    expect(statSync(join(directory, 'password')).mode & 0o777).toBe(0o600);
    await server.stop();
  });

  it('makes a database that is not there, and leaves one that is', async () => {
    const server = await EmbeddedPostgres.start({ directory, settings: SETTINGS });
    await Promise.all(Array.from({ length: 3 }, () => server.ensureDatabase('a "quoted" name')));
    expect(await query(server, `SELECT 1 AS one FROM pg_database WHERE datname = 'a "quoted" name'`)).toHaveLength(1);
    await server.stop();
  });

  it('stops the server that a killed process left behind, and takes its place', async () => {
    const module = pathToFileURL(resolve('dist/libs/persistence/src/embedded-postgres.js')).href;
    const script = `
      const { EmbeddedPostgres } = await import(${JSON.stringify(module)});
      const server = await EmbeddedPostgres.start({ directory: ${JSON.stringify(directory)}, settings: { fsync: 'off' } });
      console.log(server.pid);
      setInterval(() => undefined, 1000);`;
    const killed = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const leftover = Number(
      await new Promise<string>((done) => killed.stdout.once('data', (data: Buffer) => done(data.toString()))),
    );
    const ended = new Promise((done) => killed.once('exit', done));
    killed.kill('SIGKILL');
    await ended;
    expect(isRunning(leftover)).toBe(true);

    const server = await EmbeddedPostgres.start({ directory, settings: SETTINGS });
    expect(isRunning(leftover)).toBe(false);
    expect(server.pid).not.toBe(leftover);
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it('tells who started it when it ends by itself, and not when it was stopped', async () => {
    let told: () => void = () => undefined;
    const ended = new Promise<void>((done) => (told = done));
    const server = await EmbeddedPostgres.start({ directory, settings: SETTINGS, onUnexpectedExit: told });
    process.kill(server.pid ?? 0, 'SIGINT');
    await ended;

    const onUnexpectedExit = jest.fn();
    const other = await EmbeddedPostgres.start({ directory, settings: SETTINGS, onUnexpectedExit });
    await other.stop();
    expect(onUnexpectedExit).not.toHaveBeenCalled();
  });

  it('names the port that is taken, and starts on another one afterwards', async () => {
    const blocker = createServer((socket) => socket.destroy());
    await new Promise<void>((done) => blocker.listen(0, '127.0.0.1', done));
    const { port } = blocker.address() as AddressInfo;
    const failure = await EmbeddedPostgres.start({ directory, port, settings: SETTINGS }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(EmbeddedPostgresError);
    expect((failure as Error).message).toContain(`Port ${port} is taken`);
    expect(existsSync(join(directory, 'cluster', 'postmaster.pid'))).toBe(false);
    await new Promise((done) => blocker.close(done));

    const server = await EmbeddedPostgres.start({ directory, port: await freePort(), settings: SETTINGS });
    await server.stop();
  });

  it('says in one line what is wrong with a setting', async () => {
    const failure = await EmbeddedPostgres.start({ directory, settings: { no_such_setting: 'x' } }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(EmbeddedPostgresError);
    expect((failure as Error).message).toMatch(/^PostgreSQL did not start: FATAL: .*no_such_setting.*\.$/);
  });
});
