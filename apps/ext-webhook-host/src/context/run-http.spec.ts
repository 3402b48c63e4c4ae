import { ANY_HOST } from '@platform/app-document';
import { RUN_LIMITS } from '@platform/extension-sdk/runtime';
import { LocalServer, until } from '@platform/testing';
import { Egress, addressAndPort } from '@platform/egress';
import { RunHttp } from './run-http.js';

let server: LocalServer;
let egress: Egress;
let open = 0;
let mostOpen = 0;
const held: (() => void)[] = [];
beforeAll(async () => {
  server = await LocalServer.start((request, response) => {
    mostOpen = Math.max(mostOpen, ++open);
    response.on('finish', () => open--);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      const answer = () => {
        response.setHeader('Content-Type', headers['x-type'] ?? 'application/json');
        response.statusCode = Number(headers['x-status'] ?? 200);
        response.end(
          headers['x-answer'] ??
            JSON.stringify({ method, url, type: headers['content-type'], body: Buffer.concat(chunks).toString() }),
        );
      };
      if (url === '/held') held.push(answer);
      else answer();
    });
  });
  egress = new Egress({ allow: new Set([addressAndPort('127.0.0.1', server.port)]) });
});
afterAll(async () => {
  await egress.onApplicationShutdown();
  await server.stop();
});

const at = (path: string) => `http://127.0.0.1:${server.port}${path}`;
const client = (changes: Partial<(typeof RUN_LIMITS)['webhook']> = {}, signal = new AbortController().signal) =>
  new RunHttp(egress, { ...RUN_LIMITS.webhook, ...changes }, signal, () => Promise.resolve([ANY_HOST]));

describe('ctx.http', () => {
  it.each(['get', 'post', 'put', 'patch', 'delete'] as const)('sends %s', async (method) => {
    const { status_code, ok, body, headers, bytes } = await client()[method](at('/path'));
    expect({ status_code, ok, body }).toEqual({
      status_code: 200,
      ok: true,
      body: { method: method.toUpperCase(), url: '/path', body: '' },
    });
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(Buffer.from(bytes).toString())).toEqual(body);
  });

  it('sends JSON, or a body as it is', async () => {
    expect(await client().post(at('/'), { json: { a: [1, null] } })).toMatchObject({
      body: { type: 'application/json', body: '{"a":[1,null]}' },
    });
    const typed = await client().post(at('/'), { json: null, headers: { 'Content-Type': 'application/vnd.api+json' } });
    expect(typed).toMatchObject({ body: { type: 'application/vnd.api+json', body: 'null' } });
    expect(await client().put(at('/'), { body: Buffer.from('ž') })).toMatchObject({ body: { body: 'ž' } });
    await expect(client().post(at('/'), { json: 1, body: '1' })).rejects.toMatchObject({
      code: 'EGRESS_REQUEST_REFUSED',
    });
    await expect(client().post(at('/'), { json: NaN })).rejects.toMatchObject({ code: 'JSON_INVALID' });
  });

  it.each([
    ['/', { a: 'b c', n: 1, no: false }, '/?a=b+c&n=1&no=false'],
    ['/?x=%20y', { a: ['1', '2'] }, '/?x=%20y&a=1&a=2'],
    ['/?#part?', { a: '&=#' }, '/?a=%26%3D%23'],
    ['/#part', {}, '/'],
  ])('adds to the query of %s what it is given', async (path, query, expected) => {
    expect(await client().get(at(path), { query })).toMatchObject({ body: { url: expected } });
  });

  it.each([
    ['application/json; charset=utf-8', '[1]', [1]],
    ['application/problem+json', '{"a":1}', { a: 1 }],
    ['application/json', 'no JSON', 'no JSON'],
    ['application/jsonp', '[1]', '[1]'],
    ['text/plain', '[1]', '[1]'],
  ])('reads %s as %j', async (type, answer, body) => {
    expect((await client().get(at('/'), { headers: { 'X-Type': type, 'X-Answer': answer } })).body).toEqual(body);
  });

  it.each([
    [204, true],
    [399, true],
    [400, false],
    [503, false],
  ])('gives the status %d as a response', async (status, ok) => {
    const headers = { 'X-Status': `${status}`, 'X-Answer': 'x' };
    expect(await client().get(at('/'), { headers })).toMatchObject({ status_code: status, ok });
  });

  it('has as many requests as the run may make', async () => {
    const http = client({ httpRequests: 2 });
    await http.get(at('/'));
    await expect(http.get('http://10.0.0.1/')).rejects.toMatchObject({ code: 'EGRESS_ADDRESS_REFUSED' });
    await expect(http.get(at('/'))).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
  });

  it('has no more of them open than the run may have', async () => {
    mostOpen = 0;
    const http = client({ openHttpRequests: 2 });
    const answers = Promise.all(Array.from({ length: 5 }, () => http.get(at('/held'))));
    for (let left = 5; left > 0; left--) {
      await until(() => held.length === Math.min(2, left));
      held.shift()?.();
    }
    await answers;
    expect(mostOpen).toBe(2);
  });

  it('ends with the run, those that wait included', async () => {
    const run = new AbortController();
    const http = client({ openHttpRequests: 1 }, run.signal);
    const answers = Promise.allSettled([http.get(at('/held')), http.get(at('/'))]);
    run.abort(new Error('the run is over'));
    expect(await answers).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ message: 'the run is over' }) },
      { status: 'rejected', reason: expect.objectContaining({ message: 'the run is over' }) },
    ]);
    await expect(http.get(at('/'))).rejects.toThrow('the run is over');
  });

  it.each([0, -1, 181, NaN])('has no timeout of %d seconds', async (timeoutSeconds) => {
    await expect(client().get(at('/'), { timeoutSeconds })).rejects.toMatchObject({ code: 'EGRESS_REQUEST_REFUSED' });
  });

  it('takes no more than the run may receive', async () => {
    const http = client({ httpResponseBytes: 10 });
    await expect(http.get(at('/'))).rejects.toMatchObject({ code: 'EGRESS_RESPONSE_TOO_LARGE' });
  });
});
