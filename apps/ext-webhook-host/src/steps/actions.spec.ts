import { ExtensionError } from '@platform/extension-sdk/runtime';
import { createHmac } from 'node:crypto';
import { runSteps, step, type SampleRun } from '../testing/step-runs.js';

/** Runs steps. Returns the result of the last one. */
const last = (steps: unknown[], more: Partial<SampleRun> = {}) => runSteps({ steps, ...more }).then(({ data }) => data);
const one = (operation: string, params: Record<string, unknown> = {}, more: Partial<SampleRun> = {}) =>
  last([step('s', operation, params)], more);
const failure = (code: string, message: string): unknown =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });

const NOTES: SampleRun['documents'] = [
  { kind: 'notes', id: 'n1', data: { title: 'One', stars: 3 } },
  { kind: 'notes', id: 'n2', data: { title: 'Two', stars: 1 } },
  { kind: 'notes', id: 'n3', data: { title: 'Three', stars: 3, id: 'own' } },
];
const stored = (operation: string, params: object, more: Partial<SampleRun> = {}) =>
  one(operation, { kind: 'notes', ...params }, { documents: NOTES, ...more });
const titles = (data: unknown) => (data as { docs: { title: string }[] }).docs.map(({ title }) => title);

describe('store', () => {
  it('creates, and gets with its id and times', async () => {
    const steps = [
      step('made', 'store.create', { kind: 'notes', data: { text: '{{ args.text }}' } }),
      step('found', 'store.get', { kind: 'notes', id: '{{ steps.made.id }}' }),
      step('both', 'transform.set', { value: ['{{ steps.made }}', '{{ steps.found.doc }}'] }),
    ];
    expect(await last(steps, { args: { text: 'Hi' } })).toEqual({
      value: [
        { id: expect.stringMatching(/^doc_/) },
        {
          id: expect.stringMatching(/^doc_/),
          text: 'Hi',
          created_at: expect.any(String),
          updated_at: expect.any(String),
        },
      ],
    });
  });

  it('gets null, and fields of the document before what the platform adds', async () => {
    expect(await stored('store.get', { id: 'none' })).toEqual({ doc: null });
    expect(await stored('store.get', { id: 'n3' })).toMatchObject({ doc: { id: 'own', title: 'Three' } });
  });

  it('lists by fields and ids, in order, page by page', async () => {
    expect(await stored('store.list', { where: { stars: 3 } })).toMatchObject({
      ids: ['n1', 'n3'],
      count: 2,
      cursor: null,
    });
    expect(await stored('store.list', { ids: ['n2', 'none'] })).toMatchObject({ ids: ['n2'] });
    expect(titles(await stored('store.list', { order_by: '-title' }))).toEqual(['Two', 'Three', 'One']);
    const pages = [
      step('a', 'store.list', { kind: 'notes', limit: 2 }),
      step('b', 'store.list', { kind: 'notes', limit: '{{ args.limit }}', cursor: '{{ prev.cursor }}' }),
    ];
    expect(await last(pages, { documents: NOTES, args: { limit: '2' } })).toMatchObject({ ids: ['n3'], cursor: null });
    expect(await stored('store.list', { where: '{{ args.none }}', ids: '{{ args.none }}' })).toMatchObject({
      count: 3,
    });
    expect(await stored('store.list', { ids: [] })).toMatchObject({ count: 0 });
  });

  it('updates one, several or those with a field', async () => {
    expect(await stored('store.update', { id: 'n1', set: { done: true } })).toEqual({ ids: ['n1'], count: 1 });
    expect(await stored('store.update', { id: 'none', set: { done: true } })).toEqual({ ids: [], count: 0 });
    expect(await stored('store.update', { ids: ['n1', 'none'], set: {} })).toEqual({ ids: ['n1'], count: 1 });
    const steps = [
      step('u', 'store.update', { kind: 'notes', where: { stars: 3 }, set: { stars: 5 } }),
      step('l', 'store.list', { kind: 'notes', where: { stars: 5 } }),
    ];
    expect(await last(steps, { documents: NOTES })).toMatchObject({
      ids: ['n1', 'n3'],
      docs: [{ title: 'One' }, { title: 'Three' }],
    });
  });

  it('deletes and counts', async () => {
    expect(await stored('store.delete', { id: 'n1' })).toEqual({ count: 1 });
    expect(await stored('store.delete', { id: 'none' })).toEqual({ count: 0 });
    expect(await stored('store.delete', { ids: ['n1', 'n2'] })).toEqual({ count: 2 });
    expect(await stored('store.delete', { where: { stars: 3 } })).toEqual({ count: 2 });
    expect(await stored('store.count', { where: { stars: 3 } })).toEqual({ count: 2 });
    expect(await stored('store.count', {})).toEqual({ count: 3 });
  });

  it('sets under an id, new or not', async () => {
    const steps = [
      step('a', 'store.set', { kind: 'notes', id: 'x', data: { n: 1 } }),
      step('b', 'store.set', { kind: 'notes', id: 'x', data: { m: 2 } }),
      step('c', 'store.get', { kind: 'notes', id: 'x' }),
    ];
    const result = await last(steps);
    expect(result).toMatchObject({ doc: { m: 2 } });
    expect(result).not.toHaveProperty('doc.n');
  });

  it.each([
    ['store.delete', { where: '{{ args.none }}' }, 'STEP_FAILED', '"where" is missing'],
    ['store.delete', { ids: '{{ args.none }}' }, 'STEP_FAILED', '"ids" is missing'],
    ['store.delete', { id: '{{ args.none }}' }, 'STEP_FAILED', '"id" is missing'],
    ['store.update', { where: '{{ args.list }}', set: {} }, 'STEP_FAILED', '"where" must be a map'],
    ['store.update', { id: 'n1', set: '{{ args.list }}' }, 'STEP_FAILED', '"set" must be a map'],
    ['store.get', { id: '{{ args.map }}' }, 'STEP_FAILED', '"id" must be a text'],
    ['store.get', { id: '{{ args.slash }}' }, 'STORE_ID_INVALID', 'The id'],
    ['store.set', { id: '{{ args.slash }}', data: {} }, 'STORE_ID_INVALID', 'The id'],
    ['store.list', { limit: '{{ args.map }}' }, 'STEP_FAILED', '"limit" must be a number'],
    ['store.list', { limit: '{{ args.many }}' }, 'STORE_LIMIT_INVALID', 'The limit must be a whole number'],
    ['store.list', { ids: '{{ args.lists }}' }, 'STEP_FAILED', '"ids" must be a list of texts'],
    ['store.create', { data: '{{ args.none }}' }, 'STEP_FAILED', '"data" is missing'],
  ])('%s with %j raises %s', async (operation, params, code, message) => {
    const args = { list: [], lists: [[]], map: {}, slash: 'a/b', many: 5000 };
    await expect(stored(operation, params, { args })).rejects.toEqual(failure(code, `Step "s": ${message}`));
  });
});

describe('cache, config and secret', () => {
  it('keeps a value and forgets it', async () => {
    const steps = [
      step('none', 'cache.get', { key: 'a:{{ args.k }}' }),
      step('set', 'cache.set', { key: 'a:{{ args.k }}', value: { n: '{{ args.k }}' }, ttl_seconds: 5 }),
      step('got', 'cache.get', { key: 'a:1' }),
      step('gone', 'cache.delete', { key: 'a:1' }),
      step('again', 'cache.get', { key: 'a:1' }),
      step('all', 'control.return', { data: '{{ steps }}' }),
    ];
    const value = { value: { n: 1 } };
    expect(await last(steps, { args: { k: 1 } })).toEqual({
      none: { value: null },
      set: value,
      got: value,
      gone: { value: null },
      again: { value: null },
    });
    await expect(one('cache.get', { key: '{{ args.k }}' }, { args: { k: 'a b' } })).rejects.toEqual(
      failure('CACHE_KEY_INVALID', 'Step "s"'),
    );
  });

  it('reads settings', async () => {
    const app = { settings: [{ name: 'mail.sender', type: 'string', default: 'nobody' }] };
    expect(await one('config.get', { key: 'mail.sender' }, { app })).toEqual({ value: 'nobody' });
    expect(await one('config.get', { key: 'mail.other', default: '{{ args.d }}' }, { app, args: { d: [1] } })).toEqual({
      value: [1],
    });
    expect(await one('config.get', { key: 'mail.other' }, { app })).toEqual({ value: null });
  });

  it('reads secrets, which the trace does not show', async () => {
    const app = { secrets: [{ name: 'token' }] };
    const { data, trace } = await runSteps({ steps: [step('s', 'secret.get', { name: 'token' })], app });
    expect(data).toEqual({ value: 'smoke-test-token' });
    expect(trace).toMatchObject([{ id: 's', kind: 'secret', action: 'get', ok: true, result: { value: '[secret]' } }]);
    await expect(one('secret.get', { name: '{{ args.n }}' }, { app, args: { n: '__proto__' } })).rejects.toEqual(
      failure('SECRET_UNDECLARED', 'Step "s"'),
    );
  });
});

describe('http', () => {
  const requests: unknown[] = [];
  const http = Object.fromEntries(
    ['get', 'post', 'put', 'patch', 'delete'].map((method) => [
      method,
      (url: string, options: object) => {
        requests.push([method, url, options]);
        return Promise.resolve({
          status_code: 404,
          headers: { a: 'b' },
          body: { no: 1 },
          ok: false,
          bytes: Buffer.from('secret'),
        });
      },
    ]),
  );
  const context = { http };
  beforeEach(() => (requests.length = 0));

  it.each(['get', 'post', 'put', 'patch', 'delete'])('%s gives what came, whatever the status', async (method) => {
    expect(
      await one(`http.${method}`, { url: 'https://example.com/{{ args.id }}' }, { context, args: { id: 7 } }),
    ).toEqual({
      status_code: 404,
      headers: { a: 'b' },
      body: { no: 1 },
      ok: false,
    });
    expect(requests).toEqual([[method, 'https://example.com/7', { headers: {}, query: {}, timeoutSeconds: 30 }]]);
  });

  it('sends headers, a query, and a body or JSON', async () => {
    const args = { token: 't', q: ['a', 1], none: null, timeout: '5' };
    const params = {
      url: 'https://example.com/',
      headers: { Authorization: 'Bearer {{ args.token }}', 'X-None': '{{ args.none }}' },
      query: { q: '{{ args.q }}', n: 1, none: '{{ args.none }}' },
      timeout: '{{ args.timeout }}',
    };
    await one('http.post', { ...params, json: { a: '{{ args.q }}' } }, { context, args });
    await one('http.post', { ...params, body: '{{ args.q }}' }, { context, args });
    const common = { headers: { Authorization: 'Bearer t' }, query: { q: ['a', 1], n: 1 }, timeoutSeconds: 5 };
    expect(requests).toEqual([
      ['post', 'https://example.com/', { ...common, json: { a: ['a', 1] } }],
      ['post', 'https://example.com/', { ...common, body: '["a",1]' }],
    ]);
  });

  it.each([
    [{ headers: { a: '{{ args.map }}' } }, '"headers" must be a map of texts'],
    [{ query: { a: '{{ args.map }}' } }, '"query" must be a map of texts, numbers and lists'],
    [{ url: '{{ args.none }}' }, '"url" is missing'],
    [{ timeout: '{{ args.map }}' }, '"timeout" must be a number'],
  ])('refuses %j', async (params, message) => {
    const args = { map: {} };
    await expect(one('http.get', { url: 'https://example.com/', ...params }, { context, args })).rejects.toEqual(
      failure('STEP_FAILED', message),
    );
    expect(requests).toEqual([]);
  });
});

describe('what other parts of the platform do', () => {
  const extensions = {
    call: (...call: unknown[]) => Promise.resolve({ call }),
    emit: () => Promise.resolve(),
  };

  it('calls functions of this app and of others', async () => {
    const context = { extensions };
    expect(await last([step('s', 'call.f', { params: { a: '{{ args.a }}' } })], { context, args: { a: [1] } })).toEqual(
      {
        call: ['notes', 'f', { a: [1] }],
      },
    );
    expect(await one('call.other.list_all', {}, { context })).toEqual({ call: ['other', 'list_all', {}] });
    await expect(one('call.f', { params: '{{ args.a }}' }, { context, args: { a: 1 } })).rejects.toEqual(
      failure('STEP_FAILED', 'Step "s": "params" must be a map.'),
    );
  });

  it('publishes events', async () => {
    const { data, effects } = await runSteps({
      steps: [step('s', 'emit.notes.made', { data: { a: '{{ args.a }}' } })],
      args: { a: 1 },
    });
    expect(data).toEqual({ emitted: true });
    expect(effects).toEqual([{ what: 'emit', details: { type: 'notes.made', data: { a: 1 } } }]);
  });

  it('notifies', async () => {
    const params = { message: 'Hi {{ user.email }}', priority: '{{ args.p }}', subject: '{{ args.none }}' };
    const { data, effects } = await runSteps({ steps: [step('s', 'notify.send', params)], args: { p: 'high' } });
    expect(data).toEqual({ sent: true });
    expect(effects).toEqual([
      { what: 'notify.send', details: { message: 'Hi ada@example.com', channel: 'in_app', priority: 'high' } },
    ]);
    await expect(one('notify.send', params, { args: { p: 'huge' } })).rejects.toEqual(
      failure('STEP_FAILED', '"priority" must be one of low'),
    );
  });

  it.each(['info', 'warning', 'error'])('logs with the level %s', async (level) => {
    const { data, effects } = await runSteps({
      steps: [step('s', `log.${level}`, { message: '{{ args }}' })],
      args: { a: 1 },
    });
    expect(data).toEqual({});
    expect(effects).toEqual([{ what: `log.${level}`, details: { message: '{"a":1}' } }]);
  });

  it('asks a model, where there is one', async () => {
    const asked: unknown[] = [];
    const complete = (...parameters: unknown[]) => {
      asked.push(parameters);
      return Promise.resolve({ text: 'Yes.', model: 'm', usage: { tokens: 3 }, stop_reason: 'end' });
    };
    const params = { prompt: 'Is {{ args.a }}?', max_tokens: 10, temperature: '{{ args.t }}', output: 'json' };
    expect(await one('ai.complete', params, { context: { ai: { complete } }, args: { a: 1, t: '0.5' } })).toEqual({
      text: 'Yes.',
      model: 'm',
      usage: { tokens: 3 },
    });
    expect(asked).toEqual([['Is 1?', { model: undefined, temperature: 0.5, maxTokens: 10, output: 'json' }]]);
    await expect(one('ai.complete', { prompt: 'x' })).rejects.toEqual(failure('AI_UNAVAILABLE', 'Step "s"'));
  });
});

describe('crypto', () => {
  const now = Math.floor(Date.now() / 1000);
  const hmac = (data: string, algorithm = 'sha256', encoding: 'hex' | 'base64' = 'hex') =>
    createHmac(algorithm, 'key').update(data).digest(encoding);
  const verify = (params: object, args: object) =>
    one(
      'crypto.hmac_verify',
      { data: '{{ args.data }}', secret: 'key', signature: '{{ args.signature }}', ...params },
      { args },
    );

  it.each([
    ['a good signature', {}, { data: 'a', signature: hmac('a') }, true],
    ['another text', {}, { data: 'b', signature: hmac('a') }, false],
    ['none', {}, { data: 'a' }, false],
    ['a prefix', { prefix: 'v1=' }, { data: 'a', signature: `v1=${hmac('a')}` }, true],
    ['no prefix', { prefix: 'v1=' }, { data: 'a', signature: hmac('a') }, false],
    [
      'SHA-512 in Base64',
      { algorithm: 'sha512', encoding: 'base64' },
      { data: 'a', signature: hmac('a', 'sha512', 'base64') },
      true,
    ],
    ['a time of now', { timestamp: '{{ args.t }}' }, { data: 'a', signature: hmac('a'), t: now }, true],
    ['a time long past', { timestamp: '{{ args.t }}' }, { data: 'a', signature: hmac('a'), t: now - 301 }, false],
    [
      'more tolerance',
      { timestamp: '{{ args.t }}', tolerance: 600 },
      { data: 'a', signature: hmac('a'), t: `${now - 301}` },
      true,
    ],
    ['no time where there should be one', { timestamp: '{{ args.t }}' }, { data: 'a', signature: hmac('a') }, false],
  ])('verifies %s', async (_what, params, args, valid) => {
    expect(await verify(params, args)).toEqual({ valid });
  });

  it('does nothing without a secret', async () => {
    const missing = failure('WEBHOOK_SECRET_MISSING', 'Step "s"');
    await expect(verify({ secret: '{{ args.none }}' }, { data: 'a' })).rejects.toEqual(missing);
    await expect(one('crypto.hmac_sign', { data: 'a', secret: '{{ args.none }}' })).rejects.toEqual(missing);
  });

  it('signs and hashes', async () => {
    expect(await one('crypto.hmac_sign', { data: 'a', secret: 'key', prefix: 'sha1=', algorithm: 'sha1' })).toEqual({
      signature: `sha1=${hmac('a', 'sha1')}`,
    });
    expect(await one('crypto.sha256', { data: '' })).toEqual({
      digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    });
    expect(await one('crypto.sha256', { data: '', encoding: 'base64' })).toEqual({
      digest: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    });
  });
});

describe('transform', () => {
  it('makes values', async () => {
    const args = { a: 1, list: [{ n: 1 }, { n: 2 }, { m: 3 }] };
    expect(await one('transform.set', { value: { x: ['{{ args.a }}', null] } }, { args })).toEqual({
      value: { x: [1, null] },
    });
    expect(await one('transform.pick', { from: '{{ args }}', keys: ['a', 'none', 'toString'] }, { args })).toEqual({
      value: { a: 1 },
    });
    expect(await one('transform.map', { items: '{{ args.list }}', to: '{{ index }}: {{ item.n }}' }, { args })).toEqual(
      {
        value: ['0: 1', '1: 2', '2: '],
      },
    );
    expect(
      await one(
        'transform.filter',
        { items: '{{ args.list }}', if: { field: '{{ item.n }}', gte: '{{ args.a }}' } },
        { args },
      ),
    ).toEqual({ value: [{ n: 1 }, { n: 2 }] });
    expect(await one('transform.map', { items: '{{ args.none }}', to: 1 })).toEqual({ value: [] });
    expect(await one('transform.json_stringify', { value: '{{ args }}' }, { args: { a: 'é' } })).toEqual({
      value: '{"a":"é"}',
    });
    expect(await one('transform.json_parse', { text: '{{ args.text }}' }, { args: { text: '{"a":[1]}' } })).toEqual({
      value: { a: [1] },
    });
    expect(await one('transform.uuid')).toEqual({ value: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(await one('transform.now')).toEqual({ value: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) });
  });

  it('knows an item only where it is made something of', async () => {
    const steps = [
      step('m', 'transform.map', { items: [1], to: '{{ item }}' }),
      step('s', 'transform.json_parse', { text: '{{ args.text }}' }),
    ];
    await expect(last(steps, { args: { text: '{' } })).rejects.toEqual(
      failure('STEP_FAILED', 'Step "s": The text is not valid JSON.'),
    );
    await expect(one('transform.map', { items: '{{ args.a }}', to: 1 }, { args: { a: 'x' } })).rejects.toEqual(
      failure('STEP_FAILED', '"items" must be a list'),
    );
  });
});

describe('ui', () => {
  const ui = (...steps: unknown[]) =>
    runSteps({ steps, args: { id: 7 } }).then(({ data, summary, ui: node }) => ({ data, summary, ui: node }));

  it('tells the client what to do', async () => {
    const navigate = { action: 'navigate', url: '/notes/7' };
    expect(await ui(step('n', 'ui.navigate', { url: '/notes/{{ args.id }}', target: '{{ args.none }}' }))).toEqual({
      data: navigate,
      summary: null,
      ui: navigate,
    });
    const open = { action: 'open', target: 'board', params: { id: 7 } };
    expect(await ui(step('o', 'ui.open', { target: 'board', params: { id: '{{ args.id }}' } }))).toMatchObject({
      ui: open,
    });
    const send = { action: 'send', message: 'Note 7' };
    expect(await ui(step('m', 'ui.send', { message: 'Note {{ args.id }}' }))).toEqual({
      data: send,
      summary: 'Note 7',
      ui: send,
    });
  });

  it('draws a node, beside which a message goes', async () => {
    const node = { type: 'Text', props: { text: 7 } };
    const render = step('r', 'ui.render', { type: 'Text', props: { text: '{{ args.id }}' } });
    const message = step('m', 'ui.send', { message: 'Done.' });
    expect(await ui(render, message)).toMatchObject({ summary: 'Done.', ui: node });
    expect(await ui(message, render)).toMatchObject({ summary: 'Done.', ui: node });
    expect(await ui(step('r', 'ui.render', { node: { type: 'List' } }))).toMatchObject({ ui: { type: 'List' } });
    const returned = step('x', 'control.return', { ui: { type: 'Box' }, summary: 'All.' });
    expect(await ui(render, message, returned)).toEqual({ data: null, summary: 'All.', ui: { type: 'Box' } });
  });
});

it('leaves what is no failure of the app to the platform', async () => {
  const broken = new TypeError('no database');
  const store = { get: () => Promise.reject(broken) };
  await expect(one('store.get', { kind: 'a', id: 'b' }, { context: { store } })).rejects.toBe(broken);
  const details = { current_etag: 'x' };
  const refused = {
    get: () => Promise.reject(new ExtensionError('STORE_CONFLICT', 'Changed.', { retryable: true, details })),
  };
  await expect(one('store.get', { kind: 'a', id: 'b' }, { context: { store: refused } })).rejects.toMatchObject({
    code: 'STORE_CONFLICT',
    message: 'Step "s": Changed.',
    retryable: true,
    details: { ...details, step: 's' },
  });
});
