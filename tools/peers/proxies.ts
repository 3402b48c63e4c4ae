import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificates } from './certificates.js';
import { documentedLines, withOurOwn } from './documented.js';
import { Peer } from './peer.js';

export interface Front {
  folder: string;
  certificates: Certificates;
  /** Port of the proxy. The gateway is at 127.0.0.1, the panel at localhost. */
  port: number;
  gatewayPort: number;
  panelPort: number;
}

const NO_CONNECTION = 'proxy_set_header Connection "";\n';

const upstreams = ({ gatewayPort, panelPort }: Front) =>
  [
    ['127.0.0.1:4000', `127.0.0.1:${gatewayPort}`],
    ['127.0.0.1:4003', `127.0.0.1:${panelPort}`],
  ] as const;

const names = [
  ['api.example.com', '127.0.0.1'],
  ['panel.example.com', 'localhost'],
] as const;

function nginx(front: Front, lines: string): Promise<Peer> {
  const { folder, certificates, port } = front;
  const own = withOurOwn(lines, [
    ...upstreams(front),
    ...names,
    ['listen 443', `listen 127.0.0.1:${port}`],
    ['/etc/ssl/example.com.pem', certificates.cert],
    ['/etc/ssl/example.com.key', certificates.key],
  ]);
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/nginx;`,
  );
  mkdirSync(join(folder, 'nginx'), { recursive: true });
  const file = join(folder, 'nginx.conf');
  const main = `user root;\nworker_processes 1;\npid ${folder}/nginx.pid;\nerror_log stderr warn;\nevents {}\n`;
  writeFileSync(file, `${main}http {\naccess_log off;\n${places.join('\n')}\n${own}}\n`);
  return Peer.start('nginx', port, ['nginx', '-p', folder, '-e', 'stderr', '-c', file, '-g', 'daemon off;'], folder);
}

function haproxy(front: Front): Promise<Peer> {
  const { folder, certificates, port } = front;
  const own = withOurOwn(documentedLines('haproxy'), [
    ...upstreams(front),
    ['api.example.com', '127.0.0.1'],
    [':443', `127.0.0.1:${port}`],
    ['/etc/ssl/example.com.both.pem', certificates.both],
  ]);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, own);
  return Peer.start('HAProxy', port, ['haproxy', '-db', '-f', file], folder);
}

function caddy(front: Front): Promise<Peer> {
  const { folder, certificates, port } = front;
  const tls = `tls ${certificates.cert} ${certificates.key}`;
  const own = withOurOwn(documentedLines('caddyfile'), [
    ...upstreams(front),
    ['api.example.com {', `https://127.0.0.1:${port} {\n  ${tls}`],
    ['panel.example.com {', `https://localhost:${port} {\n  ${tls}`],
  ]);
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, `{\n  admin off\n  auto_https disable_redirects\n  default_bind 127.0.0.1\n}\n${own}`);
  return Peer.start('Caddy', port, ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'], folder);
}

/** Proxies by the names that `npm run peers` accepts, each with the program that it needs. */
export const PROXIES: Readonly<Record<string, { program: string; start: (front: Front) => Promise<Peer> }>> = {
  nginx: { program: 'nginx', start: (front) => nginx(front, documentedLines('nginx')) },
  'nginx-upgrade': {
    program: 'nginx',
    start: (front) =>
      nginx(front, withOurOwn(documentedLines('nginx'), [[NO_CONNECTION, documentedLines('nginx-upgrade')]])),
  },
  haproxy: { program: 'haproxy', start: haproxy },
  caddy: { program: 'caddy', start: caddy },
};
