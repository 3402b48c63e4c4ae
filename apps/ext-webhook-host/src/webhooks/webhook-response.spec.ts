import { webhookResponse } from './webhook-response.js';

const SAFE = {
  'cache-control': 'no-store',
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};
const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json';

const headersOf = (headers: unknown) => webhookResponse({ headers, body: 'x' }).headers;

describe('what a handler returns', () => {
  it.each<[string, unknown, number, string, string]>([
    ['a text', { body: 'pong' }, 200, TEXT, 'pong'],
    ['a challenge', { status_code: 200, body: '3eZbrw1aBm2rZgRNFdxV2595E9CY' }, 200, TEXT, '3eZbrw1aBm2rZgRNFdxV2595E9CY'],
    ['an object', { status_code: 201, body: { a: ['ž'] } }, 201, JSON_TYPE, '{"a":["ž"]}'],
    ['a list', { body: [1] }, 200, JSON_TYPE, '[1]'],
    ['null', { body: null }, 200, JSON_TYPE, 'null'],
    ['the other keys', { status_code: 401, error: 'bad signature' }, 401, JSON_TYPE, '{"error":"bad signature"}'],
    [
      'control keys inside of others',
      { result: { status_code: 500, body: 'x' } },
      200,
      JSON_TYPE,
      '{"result":{"status_code":500,"body":"x"}}',
    ],
    ['a body beside other keys', { body: 'x', error: 'not sent' }, 200, TEXT, 'x'],
    ['a status alone', { status_code: 202 }, 202, TEXT, ''],
    ['a text by itself', 'pong', 200, TEXT, 'pong'],
    ['a list by itself', [{ body: 'x' }], 200, JSON_TYPE, '[{"body":"x"}]'],
    ['nothing', undefined, 200, TEXT, ''],
    ['nothing', null, 200, TEXT, ''],
    ['an empty object', {}, 200, TEXT, ''],
  ])('becomes the response: %s', (_what, result, status, type, body) => {
    expect(webhookResponse(result)).toEqual({ status, headers: { ...SAFE, 'content-type': type }, body: Buffer.from(body) });
  });

  it.each([204, 205, 304])('has no body with the status %d', (status) => {
    const response = webhookResponse({ status_code: status, body: 'x' });
    expect(response).toEqual({ status, headers: SAFE, body: Buffer.alloc(0) });
  });

  it('may redirect', () => {
    const response = webhookResponse({ status_code: 302, headers: { Location: 'https://panel.example.com/connected' } });
    expect(response).toMatchObject({ status: 302, headers: { location: 'https://panel.example.com/connected' } });
  });

  it.each([
    ['no status', { status_code: '200' }],
    ['no whole status', { status_code: 200.5 }],
    ['an interim status', { status_code: 101 }],
    ['a status beyond', { status_code: 600 }],
    ['no number', { status_code: NaN }],
    ['headers that are a list', { headers: ['a'] }],
    ['headers that are a text', { headers: 'a: b' }],
    ['a body of more than 1 MiB', { body: 'x'.repeat(1024 * 1024 + 1) }],
  ])('is no response with %s', (_what, result) => {
    expect(() => webhookResponse(result)).toThrow(expect.objectContaining({ status: 502, code: 'webhook.bad_response' }) as Error);
  });
});

describe('headers of a handler', () => {
  it('answer a handshake', () => {
    expect(headersOf({ 'X-Hook-Secret': 'secret', 'x-number': 1, 'X-Yes': true })).toMatchObject({
      'x-hook-secret': 'secret',
      'x-number': '1',
      'x-yes': 'true',
    });
  });

  it.each([
    'Set-Cookie',
    'set-cookie2',
    'Content-Length',
    'Content-Encoding',
    'Transfer-Encoding',
    'Connection',
    'Keep-Alive',
    'Upgrade',
    'Trailer',
    'TE',
    'Proxy-Authenticate',
    'Date',
    'Server',
    'Clear-Site-Data',
    'Strict-Transport-Security',
    'Alt-Svc',
    'Service-Worker-Allowed',
    'WWW-Authenticate',
    'NEL',
    'Report-To',
    'Reporting-Endpoints',
    'X-Accel-Redirect',
    'X-Sendfile',
  ])('leave out %s', (name) => {
    expect(headersOf({ [name]: 'value' })).toEqual({ ...SAFE, 'content-type': TEXT });
  });

  it.each([
    ['a line end', 'X-A', 'a\r\nSet-Cookie: b'],
    ['a line end', 'X-A', 'a\nb'],
    ['NUL', 'X-A', 'a\0'],
    ['what is not Latin-1', 'X-A', 'ž'],
    ['a line end in the name', 'X-A\r\nX-B', 'a'],
    ['a space in the name', 'X A', 'a'],
    ['no name', '', 'a'],
    ['an object', 'X-A', {}],
    ['null', 'X-A', null],
    ['8 KiB', 'X-A', 'a'.repeat(8_193)],
    ['a name for the connection', 'Connection', 'X-A'],
  ])('leave out what has %s', (_what, name, value) => {
    expect(headersOf({ [name]: value })).toEqual({ ...SAFE, 'content-type': TEXT });
  });

  it('leave out what they say is of the connection', () => {
    expect(headersOf({ Connection: 'close, X-Named', 'X-Named': '1' })).toEqual({ ...SAFE, 'content-type': TEXT });
  });

  it('cannot loosen what keeps it from running on our origin', () => {
    const loose = { 'Content-Security-Policy': 'default-src *', 'content-security-policy': '', 'X-Content-Type-Options': 'sniff' };
    expect(headersOf({ ...loose, 'Content-Security-Policy-Report-Only': 'default-src *', 'Content-Type': 'text/html' })).toEqual({
      ...SAFE,
      'content-type': 'text/html',
    });
  });

  it.each([
    'text/javascript',
    'Application/JavaScript; charset=utf-8',
    'application/x-ecmascript',
    'text/plain; charset=utf-8, text/javascript',
    'text/css',
    'application/wasm',
  ])('cannot make it a script or a style: %s', (type) => {
    expect(headersOf({ 'content-type': type })['content-type']).toBe(TEXT);
  });

  it('may say how long it is kept, and what it is', () => {
    expect(headersOf({ 'Cache-Control': 'max-age=60', 'Content-Type': 'application/xml' })).toMatchObject({
      'cache-control': 'max-age=60',
      'content-type': 'application/xml',
    });
  });

  it('are fifty at most', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`x-${n}`, n]));
    expect(Object.keys(headersOf(many)).filter((name) => name.startsWith('x-') && name !== 'x-content-type-options')).toHaveLength(50);
  });
});
