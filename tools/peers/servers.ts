import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificates } from './certificates.js';
import { documentedLines, withOurOwn } from './documented.js';
import { Peer } from './peer.js';

/** Starts a Redis with TLS and a password. Also returns its URL. */
export async function startRedis(
  folder: string,
  port: number,
  { cert, key }: Certificates,
): Promise<{ peer: Peer; url: string }> {
  const password = randomBytes(12).toString('hex');
  const own = withOurOwn(documentedLines('redis'), [
    ['tls-port 6379', `tls-port ${port}`],
    ['/etc/ssl/example.com.pem', cert],
    ['/etc/ssl/example.com.key', key],
    ['requirepass password', `requirepass ${password}`],
  ]);
  const file = join(folder, 'redis.conf');
  writeFileSync(file, `${own}bind 127.0.0.1\ndir ${folder}\nsave ""\nappendonly no\n`, { mode: 0o600 });
  const peer = await Peer.start('Redis', port, ['redis-server', file], folder);
  return { peer, url: `rediss://:${password}@127.0.0.1:${port}` };
}

const MASTER_OF_POSTFIX = (port: number): string => `\
127.0.0.1:${port} inet n - n - - smtpd
postlog unix-dgram n - n - 1 postlogd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
smtp unix - - n - - smtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
proxymap unix - - n - - proxymap
`;

/**
 * Starts Debian's Postfix with a certificate and folders of its own. It forwards all mails to
 * `relayPort`, where they can be read.
 */
export function startPostfix(
  folder: string,
  port: number,
  relayPort: number,
  { ownCert, ownKey }: Certificates,
): Promise<Peer> {
  const [config, queue, data] = ['postfix', 'postfix-queue', 'postfix-data'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [config, queue, data]) mkdirSync(each, { recursive: true });
  execFileSync('chown', ['postfix', data]);
  const own = withOurOwn(documentedLines('postfix'), [
    ['/etc/ssl/certs/ssl-cert-snakeoil.pem', ownCert],
    ['/etc/ssl/private/ssl-cert-snakeoil.key', ownKey],
  ]);
  const places = `smtpd_tls_loglevel = 1\nqueue_directory = ${queue}\ndata_directory = ${data}\nmaillog_file = ${folder}/postfix.log\nmaillog_file_prefixes = ${folder}\n`;
  const relay = `relayhost = [127.0.0.1]:${relayPort}\nsmtp_tls_security_level = none\nmydestination =\nmyhostname = mail.example\nalias_maps =\n`;
  writeFileSync(join(config, 'main.cf'), `compatibility_level = 3.6\n${own}${places}${relay}`);
  writeFileSync(join(config, 'master.cf'), MASTER_OF_POSTFIX(port));
  for (const each of [folder, config]) chmodSync(each, 0o755); // its processes run without root and have to read these folders
  return Peer.start('Postfix', port, ['postfix', '-c', config, 'start-fg'], folder, ['-c', config, 'stop']);
}
