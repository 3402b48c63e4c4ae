import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const MISSING =
  'Redis is not installed: there is no redis-server on the PATH. Install it (apt-get install redis-server, or brew install redis) and run this again.';
/** Number of random ports to try if a port is in use. */
const PORTS_TRIED = 20;
const LINES_SHOWN = 5;
/** Ports below the range that systems use for outgoing connections. */
const [FIRST_PORT, LAST_PORT] = [18_000, 31_999];

/** A Redis for one test run; it stores nothing on disk. */
export class RedisServer {
  /**
   * @param {import('node:child_process').ChildProcess} server
   * @param {number} port
   * @param {string} folder
   */
  constructor(server, port, folder) {
    this.server = server;
    this.folder = folder;
    this.url = `redis://127.0.0.1:${port}`;
  }

  /** @throws Error that says how to install Redis if it is missing. */
  static async start() {
    const folder = mkdtempSync(join(tmpdir(), 'platform-redis-'));
    try {
      return await RedisServer.startIn(folder);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** @param {string} folder */
  static async startIn(folder) {
    let reason = '';
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
      reason = await failureOf(server);
      if (!reason) return new RedisServer(server, port, folder);
      if (!/in use/i.test(reason)) break;
    }
    throw new Error(`redis-server does not start:\n${reason}`);
  }

  async stop() {
    const stopped = once(this.server, 'exit');
    this.server.kill('SIGTERM');
    await stopped;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * Waits until the server accepts connections or has ended.
 *
 * @param {import('node:child_process').ChildProcess} server
 * @returns {Promise<string>} empty if it accepts connections, else its last lines of output, for
 *   example about a port in use
 */
function failureOf(server) {
  return new Promise((resolve, reject) => {
    /** @type {string[]} */
    const lines = [];
    server.once('error', (error) => reject('code' in error && error.code === 'ENOENT' ? new Error(MISSING) : error));
    server.once('close', () => resolve(lines.slice(-LINES_SHOWN).join('\n') || 'it printed nothing'));
    const output = /** @type {import('node:stream').Readable} */ (server.stdout);
    createInterface({ input: output }).on('line', (line) => {
      lines.push(line);
      if (line.includes('Ready to accept connections')) resolve('');
    });
  });
}
