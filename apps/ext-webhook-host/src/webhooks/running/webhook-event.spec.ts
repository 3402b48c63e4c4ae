import { webhookEvent, webhookHeaders } from './webhook-event.js';

const eventOf = (body: Buffer | string, url = '/v1/ext/app/webhook/path') =>
  webhookEvent({ method: 'POST', url, rawHeaders: [], body: Buffer.from(body) });

describe('the headers of a webhook', () => {
  it('have names in lower case and are joined where they come several times', () => {
    const raw = ['X-Hub-Signature-256', 'sha256=a', 'ACCEPT', 'a', 'Accept', 'b', 'User-Agent', 'x', 'user-agent', 'y'];
    expect(webhookHeaders(raw)).toEqual({ 'x-hub-signature-256': 'sha256=a', accept: 'a, b', 'user-agent': 'x, y' });
  });

  it('are without those of the connection, and those that these name', () => {
    const raw = [
      ...[
        'Connection',
        'close, X-Named',
        'X-Named',
        '1',
        'Keep-Alive',
        '1',
        'TE',
        'trailers',
        'Trailer',
        'x',
        'Upgrade',
        'h2c',
      ],
      ...[
        'Transfer-Encoding',
        'chunked',
        'Proxy-Authorization',
        'Basic a',
        'Proxy-Connection',
        'close',
        'connection',
        'X-Also',
        'x-also',
        '2',
      ],
      ...['Content-Type', 'text/plain'],
    ];
    expect(webhookHeaders(raw)).toEqual({ 'content-type': 'text/plain' });
  });

  it('are without what the platform says to itself', () => {
    const raw = [
      'X-Service-Token',
      'token',
      'x-acting-user',
      'usr_1',
      'X-Acting-Session',
      'ses_1',
      'Cookie',
      'panel_session=secret',
      'cookie',
      'other=1',
      'X-Kept',
      '1',
    ];
    expect(webhookHeaders(raw)).toEqual({ 'x-kept': '1' });
  });

  it.each([
    'Stripe-Signature',
    'X-Slack-Signature',
    'X-Slack-Request-Timestamp',
    'X-Hub-Signature-256',
    'X-Shopify-Hmac-Sha256',
    'Webhook-Id',
    'Webhook-Timestamp',
    'Webhook-Signature',
    'Authorization',
    'X-Api-Key',
  ])('keep %s, by which providers show who they are', (name) => {
    expect(webhookHeaders([name, 'value'])).toEqual({ [name.toLowerCase()]: 'value' });
  });

  it('have no prototype to reach', () => {
    const headers = webhookHeaders(['__proto__', 'polluted', 'constructor', 'c']);
    expect(Object.entries(headers)).toEqual([
      ['__proto__', 'polluted'],
      ['constructor', 'c'],
    ]);
  });
});

describe('the event of a webhook', () => {
  it('has the query as it was meant', () => {
    const { query_params } = eventOf('', '/path?code=a%2Fb+c&state=%C5%BE&code=last&empty=&bad=%zz&__proto__=x');
    expect(Object.entries(query_params)).toEqual([
      ['code', 'last'],
      ['state', 'ž'],
      ['empty', ''],
      ['bad', '%zz'],
      ['__proto__', 'x'],
    ]);
    expect(eventOf('', '/path').query_params).toEqual({});
    expect(eventOf('', '/path?a?b=1').query_params).toEqual({ 'a?b': '1' });
  });

  it.each([
    ['text', '{"a":"ž"}', 'utf-8'],
    ['a byte order mark', '\ufeff{}', 'utf-8'],
    ['NUL', 'a\0', 'utf-8'],
    ['nothing', '', 'utf-8'],
    ['no text', Buffer.from([0x61, 0xff, 0x62]), 'base64'],
    ['a lone surrogate', Buffer.from([0xed, 0xa0, 0x80]), 'base64'],
  ])('has a body to the byte: %s', (_what, body, encoding) => {
    const event = eventOf(body);
    expect(event.body_encoding).toBe(encoding);
    expect(Buffer.from(event.body_base64, 'base64')).toEqual(Buffer.from(body));
    expect(Buffer.from(event.body).equals(Buffer.from(body))).toBe(encoding === 'utf-8');
  });

  it.each<[string | Buffer, unknown]>([
    ['{"a":[1,null]}', { a: [1, null] }],
    ['"text"', 'text'],
    ['', null],
    ['a=1&b=2', null],
    ['{"a":', null],
    [Buffer.from([0x22, 0xff, 0x22]), null],
    [`${'['.repeat(32)}${']'.repeat(32)}`, expect.any(Array)],
    [`${'['.repeat(33)}${']'.repeat(33)}`, null],
    ['['.repeat(1_000_000), null],
  ])('has its JSON, if it is JSON (%#)', (body, json) => {
    expect(eventOf(body).json).toEqual(json);
  });

  it('makes each form when it is asked for, once, and shows all of them', () => {
    const event = eventOf('{"a":1}');
    expect(event.json).toBe(event.json);
    expect({ ...event }).toEqual({
      method: 'POST',
      headers: {},
      query: '',
      query_params: {},
      query_values: {},
      body: '{"a":1}',
      body_base64: 'eyJhIjoxfQ==',
      body_encoding: 'utf-8',
      json: { a: 1 },
    });
  });
});
