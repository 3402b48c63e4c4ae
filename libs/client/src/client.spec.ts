import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { call } from './call.js';
import { createPlatformClient } from './client.js';
import { ApiError, ConnectionError } from './errors.js';
import { ScriptedServer } from './testing/scripted-server.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let server: ScriptedServer;

beforeAll(async () => {
  server = await ScriptedServer.start();
});
beforeEach(() => {
  server.requests.length = 0;
});
afterAll(() => server.stop());

const client = (timeoutMs?: number) =>
  createPlatformClient({ baseUrl: server.url, timeoutMs, headers: { 'X-From': 'spec' } });
const me = (timeoutMs?: number) => call(client(timeoutMs).GET('/v1/auth/me'));

describe('call', () => {
  it('returns the typed data, and sends the headers and the body as JSON', async () => {
    server.answer({ status: 200, json: { message: 'Signed out.' } });
    const { message } = await call(client().POST('/v1/auth/logout', { body: { refresh_token: 'r' } }));
    expect(message.toUpperCase()).toBe('SIGNED OUT.');
    expect(server.requests).toEqual([
      expect.objectContaining({ method: 'POST', path: '/v1/auth/logout', body: '{"refresh_token":"r"}' }),
    ]);
    expect(server.requests[0]?.headers).toMatchObject({ 'x-from': 'spec', 'content-type': 'application/json' });
  });

  it('throws what the platform says', async () => {
    const json = { detail: 'Too many requests.', code: 'rate_limited', request_id: 'req_1' };
    server.answer({ status: 429, json, headers: { 'Retry-After': '7' } });
    const error = await me().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      message: 'Too many requests.',
      status: 429,
      code: 'rate_limited',
      requestId: 'req_1',
      issues: [],
    });
    expect(error).toMatchObject({ retryAfterSeconds: 7 });
  });

  it('reads a Retry-After that is a date', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    server.answer({ status: 503, json: {}, headers: { 'Retry-After': date } });
    const error = (await me().catch((thrown: unknown) => thrown)) as ApiError;
    expect(error.retryAfterSeconds).toBeGreaterThan(50);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  it('names every issue of a 422', async () => {
    const detail = [
      { loc: ['body', 'email'], msg: 'Not an e-mail address', type: 'value_error' },
      { loc: ['body'], msg: 'Not an object', type: 'dict_type' },
    ];
    server.answer({ status: 422, json: { detail }, headers: { 'X-Request-Id': 'req_2' } });
    await expect(me()).rejects.toMatchObject({
      message: 'email: Not an e-mail address; Not an object',
      code: 'validation_failed',
      issues: detail,
      requestId: 'req_2',
    });
  });

  it('keeps what a refusal says beside its message', async () => {
    const detail = { message: 'The app cannot be submitted yet.', checks: [{ check: 'icon', ok: false }] };
    server.answer({ status: 409, json: { detail, code: 'app.not_ready' } });
    await expect(me()).rejects.toMatchObject({ message: detail.message, code: 'app.not_ready', detail });
  });

  it('keeps it also where it stands in the answer itself, which names the error and the request', async () => {
    const json = {
      detail: 'This costs 20 credits, and 5 can be spent.',
      code: 'wallet.insufficient',
      request_id: 'req_4',
      price: 20,
      balance: 5,
    };
    server.answer({ status: 402, json });
    await expect(me()).rejects.toMatchObject({ message: json.detail, code: 'wallet.insufficient', requestId: 'req_4' });
    const { detail } = (await me().catch((thrown: unknown) => thrown)) as ApiError;
    expect(detail).toEqual({ price: 20, balance: 5 });
  });

  it('shows the OAuth error of the token routes', async () => {
    const json = {
      error: 'expired_token',
      detail: 'The code has expired.',
      code: 'device_code.expired',
      request_id: 'req_3',
    };
    server.answer({ status: 400, json });
    await expect(me()).rejects.toMatchObject({ oauthError: 'expired_token', code: 'device_code.expired' });
  });

  it.each([
    ['an error page', 502, '<html>Bad gateway</html>', { name: 'ApiError', status: 502, code: 'http_502' }],
    ['an error without body', 503, '', { name: 'ApiError', status: 503, code: 'http_503' }],
    ['a page instead of data', 200, '<html>Welcome</html>', { name: 'ConnectionError', reason: 'not_the_platform' }],
  ])('does not take %s for an answer of the platform', async (_what, status, text, expected) => {
    server.script = (_request, response) => response.writeHead(status, { 'Content-Type': 'text/html' }).end(text);
    await expect(me()).rejects.toMatchObject(expected);
  });

  it('does not follow a redirect, so nothing goes to another server', async () => {
    server.script = (_request, response) => response.writeHead(307, { Location: `${server.url}/elsewhere` }).end();
    await expect(me()).rejects.toMatchObject({ reason: 'unreachable' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a platform that does not answer', () => {
  it('is given up after the timeout', async () => {
    server.script = () => undefined;
    const error = (await me(50).catch((thrown: unknown) => thrown)) as ConnectionError;
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ reason: 'timeout', message: `${server.url} did not answer within 0.05 s.` });
  });

  it('is given up even when garbage is collected meanwhile', async () => {
    server.script = () => collectGarbage();
    await expect(me(300)).rejects.toMatchObject({ reason: 'timeout' });
    const caller = new AbortController();
    server.script = (_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('{');
      collectGarbage();
      setImmediate(() => caller.abort(new Error('enough')));
    };
    const tokens = { current: () => Promise.resolve('token'), renew: () => Promise.reject(new Error('unused')) };
    const signedIn = createPlatformClient({ baseUrl: server.url, tokens });
    await expect(call(signedIn.GET('/v1/auth/me', { signal: caller.signal }))).rejects.toThrow('enough');
  });

  it('is given up when the answer stops half-way', async () => {
    server.script = (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' }).write('{');
    };
    await expect(me(100)).rejects.toMatchObject({ reason: 'timeout' });
  });

  it('is told from one that breaks the connection', async () => {
    server.script = (_request, response) => response.destroy();
    await expect(me()).rejects.toMatchObject({ reason: 'unreachable' });
    server.script = (_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('{', () => response.destroy());
    };
    await expect(me()).rejects.toMatchObject({ reason: 'unreachable', message: 'The connection was interrupted.' });
  });

  it('says why it cannot be reached', async () => {
    const gone = await ScriptedServer.start();
    const { url } = gone;
    await gone.stop();
    await expect(call(createPlatformClient({ baseUrl: url }).GET('/v1/auth/me'))).rejects.toThrow(
      `${url} cannot be reached (connect ECONNREFUSED ${new URL(url).host}).`,
    );
  });

  it('can be given up by the caller', async () => {
    const caller = new AbortController();
    server.script = () => caller.abort(new Error('enough'));
    await expect(call(client().GET('/v1/auth/me', { signal: caller.signal }))).rejects.toThrow('enough');
  });
});
