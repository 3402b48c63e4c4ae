import { until } from '@platform/testing';
import { once } from 'node:events';
import { createServer, request, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RoundRobinProxy } from './round-robin-proxy.js';

interface Process {
  server: Server;
  url: string;
  isReady: boolean;
}

describe('the proxy that hands out requests in turn', () => {
  let proxy: RoundRobinProxy;
  let processes: Process[];

  beforeEach(async () => {
    processes = [];
    proxy = await RoundRobinProxy.start();
  });

  afterEach(async () => {
    await proxy.stop();
    await Promise.all(processes.map(({ server }) => end(server)));
  });

  async function begin(answer: RequestListener): Promise<Process> {
    const server = createServer((incoming, response) => {
      if (incoming.url === '/readyz') response.writeHead(process.isReady ? 200 : 503).end();
      else answer(incoming, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const process = { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, isReady: true };
    processes.push(process);
    proxy.add(process.url);
    return process;
  }

  const named = (name: string) => begin((_request, response) => response.end(name));

  const ask = async (path = '/') => (await fetch(proxy.url + path)).text();

  it('gives each process as many', async () => {
    await named('one');
    await named('two');
    const answers: string[] = [];
    for (let at = 0; at < 6; at++) answers.push(await ask());
    expect(answers.filter((answer) => answer === 'one')).toHaveLength(3);
    expect(answers.filter((answer) => answer === 'two')).toHaveLength(3);
  });

  it('passes on method, path, headers and body as they are, and says who asked', async () => {
    await begin((incoming, response) => {
      incoming.setEncoding('utf8').on('data', (piece: string) => {
        const { method, url, headers } = incoming;
        response.writeHead(418, { 'Set-Cookie': ['a=1', 'b=2'], 'X-Answer': 'yes' });
        response.end(
          JSON.stringify([method, url, headers['x-given'], headers['x-forwarded-for'], headers.host, piece]),
        );
      });
    });
    const headers = { 'X-Given': 'this', 'X-Forwarded-For': '192.0.2.1' };
    const answer = await fetch(`${proxy.url}/a%2Fb?c=d`, { method: 'PUT', headers, body: 'the body' });
    expect([answer.status, answer.headers.getSetCookie(), answer.headers.get('x-answer')]).toEqual([
      418,
      ['a=1', 'b=2'],
      'yes',
    ]);
    expect(await answer.json()).toEqual([
      'PUT',
      '/a%2Fb?c=d',
      'this',
      '192.0.2.1, 127.0.0.1',
      new URL(proxy.url).host,
      'the body',
    ]);
  });

  it('passes on a stream as it comes, and tells the process when its client goes', async () => {
    const gone = new Promise<void>((done) => {
      void begin((_request, response) => {
        response.writeHead(200).flushHeaders();
        response.once('close', done);
        response.write('first');
      });
    });
    await until(() => processes.length);
    const client = request(proxy.url).end();
    const [answer] = (await once(client, 'response')) as [NodeJS.ReadableStream];
    expect(String((await once(answer, 'data'))[0])).toBe('first');
    client.destroy();
    await gone;
  });

  it('tries the next one where a process takes no connection', async () => {
    const one = await named('one');
    await named('two');
    await end(one.server);
    for (let at = 0; at < 4; at++) expect(await ask()).toBe('two');
    expect(proxy.failures).toEqual([]);
  });

  it('sends nothing to a process that says that it is not ready, and comes back to it', async () => {
    const one = await named('one');
    await named('two');
    one.isReady = false;
    const both = async () => new Set([await ask(), await ask()]);
    await until(async () => (await both()).size === 1);
    for (let at = 0; at < 4; at++) expect(await ask()).toBe('two');
    one.isReady = true;
    await until(async () => (await both()).size === 2);
  });

  it('tries those that are not ready where none is', async () => {
    const one = await named('one');
    const two = await named('two');
    one.isReady = false;
    await until(async () => (await ask()) === 'two' && (await ask()) === 'two');
    proxy.remove(two.url);
    expect(await ask()).toBe('one');
    expect(proxy.failures).toEqual([]);
  });

  it('sends what a process may have begun to no other, and says that it failed', async () => {
    let begun = 0;
    for (const _process of ['one', 'two'])
      await begin((incoming) => {
        begun++;
        incoming.socket.destroy();
      });
    expect((await fetch(proxy.url, { method: 'POST', body: 'x' })).status).toBe(502);
    expect(begun).toBe(1);
    expect(proxy.failures).toEqual([{ status: 502, method: 'POST', path: '/' }]);
  });

  it('answers 503 where there is no process', async () => {
    const one = await named('one');
    proxy.remove(one.url);
    expect((await fetch(proxy.url)).status).toBe(503);
  });
});

async function end(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close().closeAllConnections();
  await once(server, 'close');
}
