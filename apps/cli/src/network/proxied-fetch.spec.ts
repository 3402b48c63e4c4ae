import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { FakePlatform } from '../testing/fake-platform.js';

const VARIABLES = [
  'HTTP_PROXY',
  'http_proxy',
  'HTTPS_PROXY',
  'https_proxy',
  'ALL_PROXY',
  'all_proxy',
  'NO_PROXY',
  'no_proxy',
];
const before = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]));

let platform: FakePlatform;
let proxy: Server;
let proxyUrl: string;
/** Requests to the proxy, with credentials. */
let asked: string[];
let tunnels: number;
beforeAll(async () => {
  platform = await FakePlatform.start();
  const port = new URL(platform.url).port;
  proxy = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url} ${incoming.headers['proxy-authorization'] ?? '-'}`);
    if (tunnels === 407) {
      response.writeHead(407).end();
      return;
    }
    const { pathname, search } = new URL(incoming.url ?? '');
    const { 'proxy-authorization': _credentials, ...headers } = incoming.headers;
    const passed = request(
      { host: '127.0.0.1', port, method: incoming.method, path: pathname + search, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  proxy.on('connect', (incoming, socket: Socket) => {
    asked.push(`CONNECT ${incoming.url} ${incoming.headers['proxy-authorization'] ?? '-'}`);
    socket.end(`HTTP/1.1 ${tunnels} Refused\r\n\r\n`);
  });
  await once(proxy, 'listening');
  proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
beforeEach(() => {
  for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
  platform.reset();
  asked = [];
  tunnels = 502;
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  for (const name of VARIABLES)
    if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = before[name];
  await platform.stop();
  proxy.closeAllConnections();
  await new Promise((done) => proxy.close(done));
});

const ME = 'Basic YWRhOmh1bnRlcjI=';
const withPassword = () => proxyUrl.replace('//', '//ada:hunter2@');
/** Name of the platform that only the proxy can resolve. */
const BY_PROXY = ['--url', 'http://platform.test'];

it('asks the proxy for what it calls, with its password, which nobody sees', async () => {
  process.env['HTTP_PROXY'] = withPassword();
  platform.answer = () => [200, { items: [], cursor: null }];
  expect(await platform.run(...BY_PROXY, 'webhook', 'list', 'notes')).toBeNull();
  const path = '/v1/developer/apps/notes/webhook-deliveries?limit=50';
  expect(asked).toEqual([`GET http://platform.test${path} ${ME}`]);
  expect(platform.asked.map(({ line }) => line)).toEqual([`GET ${path}`]);
  expect(platform.authorizations).toEqual(['Bearer cp_live_of_the_test']);
  expect(platform.printed + platform.noted).not.toMatch(/hunter2|YWRhOmh1bnRlcjI/);
});

it('gets events through the proxy as they come', async () => {
  process.env['http_proxy'] = proxyUrl;
  const event = { type: 'notes.added', payload: {}, ts: '2026-11-22T10:00:00.000Z' };
  platform.stream = `: connected\n\nid: 7\nevent: notes.added\ndata: ${JSON.stringify(event)}\n\n`;
  expect(await platform.run(...BY_PROXY, '--json', 'events', 'tail', '--limit', '1')).toBeNull();
  expect(asked).toEqual([expect.stringMatching(/^GET http:\/\/platform\.test\/v1\/events\/stream/)]);
  expect(JSON.parse(platform.printed)).toMatchObject({ type: 'notes.added' });
});

it('asks the proxy for what the panel serves and whether the platform is there', async () => {
  process.env['ALL_PROXY'] = proxyUrl;
  platform.answer = ({ line }) =>
    line === 'GET /'
      ? [200, { panel: 'http://panel.test', docs: 'http://platform.test/docs' }]
      : [200, { status: 'ok', packages: {} }];
  await platform.run(...BY_PROXY, 'doctor');
  const addresses = asked.map((line) => line.split(' ')[1]);
  expect(addresses).toEqual(
    expect.arrayContaining([
      'http://platform.test/healthz',
      'http://platform.test/',
      'http://panel.test/packages/index.json',
    ]),
  );
});

it('asks no proxy where none is needed', async () => {
  process.env['HTTP_PROXY'] = proxyUrl;
  process.env['NO_PROXY'] = '127.0.0.1';
  platform.answer = () => [200, { items: [], cursor: null }];
  expect(await platform.run('webhook', 'list', 'notes')).toBeNull();
  expect(asked).toEqual([]);
});

it.each([
  [407, 'Proxy Authentication Required (407)'],
  [403, 'The proxy refuses with status 403'],
])('says why the proxy makes no connection: %d', async (status, reason) => {
  process.env['HTTPS_PROXY'] = withPassword();
  tunnels = status;
  const failure = await platform.run('--url', 'https://platform.test', 'whoami');
  expect(asked).toEqual([`CONNECT platform.test:443 ${ME}`]);
  expect(failure).toMatchObject({ exitCode: 1 });
  expect(failure?.message).toContain(`https://platform.test cannot be reached (${reason}).`);
});

it('says that the proxy wants a password, also without a tunnel, and which proxy it was', async () => {
  process.env['HTTP_PROXY'] = withPassword();
  tunnels = 407;
  const failure = await platform.run(...BY_PROXY, 'whoami');
  expect(failure?.message).toContain('http://platform.test cannot be reached (Proxy Authentication Required (407)).');
  expect(failure?.message).toContain(`The request uses the proxy ${proxyUrl} from the variable HTTP_PROXY.`);
});

it('says that a proxy is none before anything is sent', async () => {
  process.env['HTTP_PROXY'] = 'socks5://ada:hunter2@proxy:1080';
  for (const command of [['whoami'], ['open'], ['events', 'tail']]) {
    const failure = await platform.run(...BY_PROXY, ...command);
    expect(failure?.message).toMatch(/^HTTP_PROXY is not a valid proxy address(?!.*hunter2)/);
    expect(failure?.exitCode).toBe(2);
  }
});
