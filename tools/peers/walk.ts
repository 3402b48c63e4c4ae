import { EmbeddedPostgres } from '@platform/persistence';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePorts, ServiceProcess } from '../smoke/service-process.js';
import { runTour } from '../tour/tour.js';
import type { Certificates } from './certificates.js';
import { PeersPlatform } from './peers-platform.js';
import type { Peer } from './peer.js';
import { PROXIES } from './proxies.js';
import { checkProxy } from './proxy-checks.js';
import { startPostfix, startRedis } from './servers.js';

export interface Walk {
  folder: string;
  certificates: Certificates;
  /** Names in `PROXIES`, tested one after the other. */
  proxies: string[];
}

/**
 * Runs the tour and the checks in a process with the certificates' NODE_EXTRA_CA_CERTS. @throws
 * Error at the first failure.
 */
export async function walk({ folder, certificates, proxies }: Walk): Promise<void> {
  const ports = await freePorts(7);
  const next = () => ports.pop() as number;
  const [port, gatewayPort, panelPort, smtpPort, redisPort, relayPort, mailboxPort] = [
    next(),
    next(),
    next(),
    next(),
    next(),
    next(),
    next(),
  ];
  const stops: (() => Promise<unknown>)[] = [];
  const stopLater = <Server extends { stop: () => Promise<unknown> }>(server: Server): Server => {
    stops.push(() => server.stop());
    return server;
  };
  let platform: PeersPlatform | undefined;
  let proxy: Peer | undefined;
  const all = async (): Promise<void> => {
    const postgres = stopLater(
      await EmbeddedPostgres.start({
        directory: join(folder, 'postgres'),
        settings: { ssl: 'on', ssl_cert_file: certificates.cert, ssl_key_file: certificates.key },
      }),
    );
    await postgres.ensureDatabase('platform');
    const databaseUrl = `${postgres.url('platform')}?sslmode=verify-full`;
    const redis = await startRedis(folder, redisPort, certificates);
    stopLater(redis.peer);
    const mailbox = stopLater(
      await ServiceProcess.start('tools/mailbox/main.js', {
        MAILBOX_SMTP_PORT: String(relayPort),
        MAILBOX_WEB_PORT: String(mailboxPort),
        MAILBOX_FILE: join(folder, 'mailbox.jsonl'),
      }),
    );
    stopLater(await startPostfix(folder, smtpPort, relayPort, certificates));
    platform = new PeersPlatform({
      databaseUrl,
      redisUrl: redis.url,
      smtpPort,
      mailboxUrl: mailbox.url,
      gatewayUrl: `https://127.0.0.1:${port}`,
      panelUrl: `https://localhost:${port}`,
      gatewayPort,
      panelPort,
      authority: certificates.authority,
    });
    stopLater(platform);
    await platform.start();
    console.log('The platform runs, with PostgreSQL and Redis over TLS and with Postfix.');
    for (const name of proxies) {
      proxy = await PROXIES[name]?.start({ folder, certificates, port, gatewayPort, panelPort });
      console.log(`\n── ${name}`);
      await runTour({ ...platform.addresses, print: console.log });
      for (const line of await checkProxy(platform, port, readFileSync(certificates.authority)))
        console.log(`   ✓ ${line}`);
      await proxy?.stop();
      proxy = undefined;
    }
    await requireTls(databaseUrl);
    if (!/TLS connection established from/.test(readFileSync(join(folder, 'postfix.log'), 'utf8')))
      throw new Error('Postfix received no mail over TLS.');
    console.log('\nMails and all connections to PostgreSQL used TLS.');
  };
  try {
    await Promise.race([all(), interruption()]);
  } catch (error) {
    console.error([...(platform?.complaints().slice(-20) ?? []), proxy?.lastOutput ?? ''].join('\n'));
    throw error;
  } finally {
    await proxy?.stop();
    await stopAll(stops.reverse());
  }
}

/** Stops all, even if one fails. @throws the first failure. */
async function stopAll(stops: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const stop of stops) await stop().catch((error: unknown) => failures.push(error));
  if (failures.length) throw failures[0] as Error;
}

/**
 * Rejects after a signal to stop. The signal can come twice: from the terminal and from the parent
 * process.
 */
const interruption = (): Promise<never> =>
  new Promise((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => reject(new Error('Stopped.')));
  });

async function requireTls(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ ssl: boolean; connections: number }>(
    `SELECT ssl, count(*)::int AS connections FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
     WHERE backend_type = 'client backend' AND datname = 'platform' GROUP BY ssl`,
  );
  await client.end();
  if (rows.some(({ ssl }) => !ssl)) throw new Error(`Connections to PostgreSQL: ${JSON.stringify(rows)}`);
}
