import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const MISSING =
  'Redis is not installed: there is no redis-server on the PATH. Install it (apt-get install redis-server, or brew install redis) and run this again.';
/** Tries of another port, where the one that was drawn is taken. */
const PORTS_TRIED = 20;
/** Below the range from which systems give ports to outgoing connections. */
const [FIRST_PORT, LAST_PORT] = [18_000, 31_999];

/** A Redis for one test run, which keeps nothing. */
export class RedisServer {
  /** @param {import('node:child_process').ChildProcess} server @param {number} port @param {string} folder */
  constructor(server, port, folder) {
    this.server = server;
    this.folder = folder;
    this.url = `redis://127.0.0.1:${port}`;
  }

  /** @throws Error that says how to install Redis where it is missing. */
  static async start() {
    const folder = mkdtempSync(join(tmpdir(), 'platform-redis-'));
    for (let tried = 0; tried < PORTS_TRIED; tried++) {
      const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
      const options = [
        '--port',
        String(port),
        '--bind',
        '127.0.0.1',
        '--dir',
        folder,
        '--save',
        '',
        '--appendonly',
        'no',
        '--daemonize',
        'no',
      ];
      const server = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
      if (await isReady(server)) return new RedisServer(server, port, folder);
    }
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`redis-server found no free port between ${FIRST_PORT} and ${LAST_PORT}.`);
  }

  async stop() {
    const stopped = once(this.server, 'exit');
    this.server.kill('SIGTERM');
    await stopped;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * Resolves when it takes connections, or with false when it ends, such as for a port that is taken.
 *
 * @param {import('node:child_process').ChildProcess} server
 * @returns {Promise<boolean>}
 */
function isReady(server) {
  return new Promise((resolve, reject) => {
    server.once('error', () => reject(new Error(MISSING)));
    server.once('exit', () => resolve(false));
    const output = /** @type {import('node:stream').Readable} */ (server.stdout);
    createInterface({ input: output }).on('line', (line) => line.includes('Ready to accept connections') && resolve(true));
  });
}
