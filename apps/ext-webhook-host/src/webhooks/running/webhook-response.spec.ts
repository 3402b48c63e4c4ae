import { APP_ANSWER_HEADERS } from '@platform/platform';
import { webhookResponse as responseOf } from './webhook-response.js';

const TERMS = {
  url: 'https://panel.example.com/v1/ext/app/webhook/in',
  redirectHosts: ['done.example'],
  toProgram: false,
};
const webhookResponse = (result: unknown) => responseOf(result, TERMS);

const SAFE = {
  ...APP_ANSWER_HEADERS,
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
    [
      'a challenge',
      { status_code: 200, body: '3eZbrw1aBm2rZgRNFdxV2595E9CY' },
      200,
      TEXT,
      '3eZbrw1aBm2rZgRNFdxV2595E9CY',
    ],
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
    expect(webhookResponse(result)).toEqual({
      status,
      headers: { ...SAFE, 'content-type': type },
      body: Buffer.from(body),
    });
  });

  it.each([
    ['bytes', { body_base64: '/wD+' }, 'application/octet-stream', Buffer.from([0xff, 0x00, 0xfe])],
    ['bytes as base64url', { body_base64: '_wD-' }, 'application/octet-stream', Buffer.from([0xff, 0x00, 0xfe])],
    [
      'bytes of a type',
      { headers: { 'Content-Type': 'image/png' }, body_base64: 'iVBORw==' },
      'image/png',
      Buffer.from('iVBORw==', 'base64'),
    ],
    ['no bytes', { body_base64: '' }, 'application/octet-stream', Buffer.alloc(0)],
  ])('may be %s', (_what, result, type, body) => {
    const response = webhookResponse(result);
    expect(response).toEqual({ status: 200, headers: { ...SAFE, 'content-type': type }, body });
  });

  it.each([204, 205, 304])('has no body with the status %d', (status) => {
    const response = webhookResponse({ status_code: status, body: 'x' });
    expect(response).toEqual({ status, headers: SAFE, body: Buffer.alloc(0) });
  });

  it.each([
    ['/connected', 'https://panel.example.com/connected'],
    ['https://panel.example.com/connected', 'https://panel.example.com/connected'],
    ['https://done.example/?a=b', 'https://done.example/?a=b'],
  ])('may redirect to the platform, and to a host that the webhook declares: %s', (location, href) => {
    const response = webhookResponse({ status_code: 302, headers: { Location: location } });
    const host = new URL(href).host;
    expect(response).toMatchObject({ status: 302, headers: { location: href, 'x-platform-redirect-host': host } });
  });

  it('redirects nowhere else, and no handler says that it may', () => {
    const headers = { Location: 'https://evil.example/', 'X-Platform-Redirect-Host': 'evil.example' };
    expect(() => webhookResponse({ status_code: 302, headers })).toThrow(
      expect.objectContaining({
        status: 502,
        code: 'webhook.bad_response',
        message: expect.stringContaining('redirect_hosts') as string,
      }) as Error,
    );
    expect(webhookResponse({ status_code: 201, headers, body: 'x' }).headers).toEqual({
      ...SAFE,
      'content-type': TEXT,
    });
  });

  it.each([
    ['no status', { status_code: '200' }],
    ['no whole status', { status_code: 200.5 }],
    ['an interim status', { status_code: 101 }],
    ['a status beyond', { status_code: 600 }],
    ['no number', { status_code: NaN }],
    ['headers that are a list', { headers: ['a'] }],
    ['headers that are a text', { headers: 'a: b' }],
    ['bytes that are no Base64', { body_base64: 'ž' }],
    ['bytes that are no text', { body_base64: [1] }],
    ['two bodies', { body: 'x', body_base64: 'eA==' }],
    ['bytes of more than 1 MiB', { body_base64: 'AAAA'.repeat(1024 * 1024) }],
    ['a body of more than 1 MiB', { body: 'x'.repeat(1024 * 1024 + 1) }],
  ])('is no response with %s', (_what, result) => {
    expect(() => webhookResponse(result)).toThrow(
      expect.objectContaining({ status: 502, code: 'webhook.bad_response' }) as Error,
    );
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
    'Refresh',
    'Link',
    'Cache-Control',
    'Expires',
    'Access-Control-Allow-Origin',
    'X-Frame-Options',
    'X-Platform-Redirect-Host',
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
    const loose = {
      'Content-Security-Policy': 'default-src *',
      'content-security-policy': '',
      'X-Content-Type-Options': 'sniff',
    };
    expect(
      headersOf({ ...loose, 'Content-Security-Policy-Report-Only': 'default-src *', 'Content-Type': 'text/html' }),
    ).toEqual({
      ...SAFE,
      'content-type': TEXT,
    });
  });

  it.each([
    'text/javascript',
    'Application/JavaScript; charset=utf-8',
    'application/x-ecmascript',
    'text/plain; charset=utf-8, text/javascript',
    'text/css',
    'application/wasm',
    'text/html',
    'image/svg+xml',
    'application/xhtml+xml',
  ])('cannot make it anything that runs or is rendered: %s', (type) => {
    expect(headersOf({ 'content-type': type })['content-type']).toBe(TEXT);
  });

  it('may make it XML, which a browser saves', () => {
    expect(headersOf({ 'content-type': 'text/xml', 'content-disposition': 'inline' })).toEqual({
      ...SAFE,
      'content-type': 'text/xml',
      'content-disposition': 'attachment',
    });
  });

  it('ask a program for a password, and no browser', () => {
    const result = { status_code: 401, headers: { 'WWW-Authenticate': 'Basic realm="calls"' } };
    expect(responseOf(result, { ...TERMS, toProgram: true }).headers['www-authenticate']).toBe('Basic realm="calls"');
    expect(webhookResponse(result).headers).not.toHaveProperty('www-authenticate');
  });

  it('may say what it is', () => {
    expect(headersOf({ 'Content-Type': 'application/problem+json', ETag: '"a"', 'Retry-After': 5 })).toEqual({
      ...SAFE,
      'content-type': 'application/problem+json',
      etag: '"a"',
      'retry-after': '5',
    });
  });

  it('are fifty at most', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`x-${n}`, n]));
    expect(
      Object.keys(headersOf(many)).filter((name) => name.startsWith('x-') && name !== 'x-content-type-options'),
    ).toHaveLength(50);
  });
});
