import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeCertificates, type Certificates } from './certificates.js';
import { PROXIES } from './proxies.js';
import { walk } from './walk.js';

const HELP = `Usage: npm run peers [-- ${Object.keys(PROXIES).join(' | ')}]

Starts Debian's Postfix, a Redis and a PostgreSQL with TLS, and the platform behind a proxy, with the configuration of docs/operations/peers.md, and
runs the tour on it. Tests all proxies one after the other, or only the named ones.`;

const SERVERS = ['postfix', 'redis-server', 'openssl'];

const isThere = (program: string): boolean =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'].some((folder) =>
    existsSync(join(folder, program)),
  );

/**
 * Runs the walk in a child process that trusts our authority: Node.js reads NODE_EXTRA_CA_CERTS
 * only at its start.
 */
async function walkTrusting(folder: string, certificates: Certificates, proxies: string[]): Promise<number> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...proxies], {
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_EXTRA_CA_CERTS: certificates.authority,
      PEERS_FOLDER: folder,
      PEERS_CERTIFICATES: JSON.stringify(certificates),
    },
  });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, pass);
  return new Promise((done) => child.once('close', (code) => done(code ?? 1)));
}

async function main(names: string[]): Promise<number> {
  if (names.some((name) => !Object.hasOwn(PROXIES, name))) {
    console.log(HELP);
    return names[0] === '--help' ? 0 : 1;
  }
  const proxies = names.length ? names : Object.keys(PROXIES);
  const { PEERS_FOLDER: given, PEERS_CERTIFICATES: certificates } = process.env;
  if (given && certificates) {
    await walk({ folder: given, certificates: JSON.parse(certificates) as Certificates, proxies });
    return 0;
  }
  if (process.getuid?.() !== 0) throw new Error('npm run peers needs root, because Postfix does. Run it as root.');
  const needed = [...SERVERS, ...proxies.map((name) => PROXIES[name]?.program ?? '')];
  const missing = [...new Set(needed)].filter((program) => !isThere(program));
  if (missing.length)
    throw new Error(
      `Missing here: ${missing.join(', ')}. Install them: apt-get install --no-install-recommends ${missing.join(' ')}`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'platform-peers-'));
  const started = performance.now();
  try {
    const code = await walkTrusting(folder, makeCertificates(folder), proxies);
    if (code === 0) console.log(`\nEverything works; it took ${((performance.now() - started) / 1_000).toFixed(0)} s.`);
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
