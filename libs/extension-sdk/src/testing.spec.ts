import { createHmac } from 'node:crypto';
import { defineExtension, defineFunction, ExtensionError, result, Type } from './index.js';
import { createTestContext } from './testing.js';

const extension = defineExtension({
  id: 'notes',
  version: '1.0.0',
  secrets: { github: { scope: 'app' } },
  settings: { 'notes.limit': { type: 'integer', default: 2 } },
  functions: {
    add_note: defineFunction({
      description: 'Keeps a note.',
      params: Type.Object({ text: Type.String({ minLength: 1 }) }),
      async run({ text }, ctx) {
        if ((await ctx.store.count('notes')) >= Number(await ctx.config.get('notes.limit')))
          throw new ExtensionError('NOTES_FULL', 'Full.');
        const { id } = await ctx.store.create('notes', { text });
        return result({ data: { id }, summary: `Noted: ${text}` });
      },
    }),
    add_twice: { description: 'Adds two.', run: (_params, ctx) => ctx.extensions.call('notes', 'add_twice') },
    weather: {
      description: 'Asks another extension, and the world.',
      run: async (_params, ctx) => ({
        call: await ctx.extensions.call('weather', 'now', { place: 'Brno' }),
        http: (await ctx.http.get('https://example.com/weather')).body,
      }),
    },
    broken: { description: 'Returns what is no data.', run: () => ({ at: new Date(0) }) },
  },
  webhooks: {
    github: {
      async run(request, ctx) {
        const { valid } = ctx.webhook.verify({ scheme: 'github', secret: await ctx.secrets.get('github') });
        return { status_code: valid ? 200 : 401, body: request.json as object };
      },
    },
  },
  schedules: {
    nightly: {
      cron: '@daily',
      async run(_tick, ctx) {
        for (const user of (await ctx.store.listUsers('notes')).data)
          await ctx.notify.forUser(user).send({ message: 'Night.' });
      },
    },
  },
  events: {
    'tasks.*': {
      async run(event, ctx) {
        if (await ctx.once('the event')) await ctx.store.create('notes', { text: String(event.data['title']) });
      },
    },
  },
});

describe('a test context', () => {
  it('calls functions as the platform does', async () => {
    const test = createTestContext({ extension });
    expect(await test.call('add_note', { text: 'One' })).toMatchObject({
      summary: 'Noted: One',
      data: { id: expect.stringMatching(/^doc_/) },
    });
    expect((await test.ctx.store.query('notes')).data).toMatchObject([{ user_id: 'usr_ada', data: { text: 'One' } }]);
    await expect(test.call('add_note', { text: '' })).rejects.toMatchObject({
      code: expect.stringMatching(/^VALIDATION_/),
    });
    await expect(test.call('add_twice')).rejects.toMatchObject({ code: 'CALL_CYCLE' });
    await expect(test.call('gone')).rejects.toMatchObject({ code: 'UNKNOWN_SUB_FUNCTION' });
    await expect(test.call('broken')).rejects.toMatchObject({ code: 'JSON_INVALID' });
    await test.call('add_note', { text: 'Two' });
    await expect(test.call('add_note', { text: 'Three' })).rejects.toMatchObject({ code: 'NOTES_FULL' });
    expect(await createTestContext({ extension, settings: { 'notes.limit': 3 } }).ctx.config.get('notes.limit')).toBe(
      3,
    );
  });

  it('keeps what users have apart, in one world', async () => {
    const test = createTestContext({ extension });
    await test.call('add_note', { text: 'Mine' });
    const other = test.as({ user: { platform_id: 'usr_bob' } });
    expect(await other.ctx.store.count('notes')).toBe(0);
    await other.call('add_note', { text: 'His' });
    await test.schedule('nightly');
    expect(test.effects).toEqual(
      ['usr_ada', 'usr_bob'].map((user_id) => ({ what: 'notify.send', details: { message: 'Night.', user_id } })),
    );
  });

  it('answers for the world as the test says', async () => {
    const test = createTestContext({
      extension,
      http: ({ method, url }) => ({ body: { method, url } }),
      functions: { 'weather.now': ({ place }) => `Rain in ${place as string}` },
    });
    expect((await test.call('weather')).data).toEqual({
      call: 'Rain in Brno',
      http: { method: 'get', url: 'https://example.com/weather' },
    });
    expect(test.effects).toEqual([{ what: 'http.get', details: { url: 'https://example.com/weather' } }]);
  });

  it('sends requests to the hosts of the extension alone, where it names any', async () => {
    const named = (hosts: string[]) => createTestContext({ extension: { ...extension, hosts } });
    expect((await named(['example.com']).ctx.http.get('https://example.com/weather')).status_code).toBe(200);
    const refused = named(['other.example']);
    await expect(refused.ctx.http.get('https://example.com/weather')).rejects.toMatchObject({
      code: 'EGRESS_HOST_NOT_DECLARED',
      message: expect.stringContaining('"hosts": ["example.com","other.example"]'),
    });
    expect(refused.effects).toEqual([]);
  });

  it('sends a request to the webhook that takes its method', async () => {
    const test = createTestContext({
      extension: {
        id: 'hub',
        version: '1.0.0',
        webhooks: {
          both: { method: ['GET', 'POST'], run: ({ method }) => ({ body: method }) },
          each: [
            { method: 'GET', run: ({ query_params }) => ({ body: query_params['hub.challenge'] ?? null }) },
            { run: () => ({ body: 'event' }) },
          ],
        },
      },
    });
    const answers = [
      await test.webhook('both', { method: 'GET' }),
      await test.webhook('both'),
      await test.webhook('each', { method: 'GET', query: { 'hub.challenge': '42' } }),
      await test.webhook('each'),
    ];
    expect(answers.map(({ body }) => body)).toEqual(['GET', 'POST', '42', 'event']);
    const heads = [await test.webhook('both', { method: 'HEAD' }), await test.webhook('each', { method: 'HEAD' })];
    expect(heads.map(({ body }) => body)).toEqual(['GET', null]);
    await expect(test.webhook('each', { method: 'PUT' })).rejects.toThrow('The webhook "each" does not take PUT.');
    await expect(test.webhook('none')).rejects.toThrow('The extension has no webhook "none".');
  });

  it.each([
    [{ tag: ['a b', 'c'], n: '1' }, 'tag=a+b&tag=c&n=1'],
    ['tag=a%20b&tag=c&n=1', 'tag=a%20b&tag=c&n=1'],
  ])('gives webhooks the query in each of its forms: %j', async (query, sent) => {
    const forms = { query: '', query_params: {}, query_values: {} };
    const run = (request: typeof forms) => void Object.assign(forms, { ...request });
    const test = createTestContext({ extension: { id: 'hub', version: '1.0.0', webhooks: { in: { run } } } });
    await test.webhook('in', { query });
    expect(forms).toMatchObject({
      query: sent,
      query_params: { tag: 'c', n: '1' },
      query_values: { tag: ['a b', 'c'], n: ['1'] },
    });
  });

  it('sends requests to webhooks, whose signatures count', async () => {
    const test = createTestContext({ extension, secrets: { github: 'key' } });
    const body = { ref: 'main' };
    const signature = `sha256=${createHmac('sha256', 'key').update(JSON.stringify(body)).digest('hex')}`;
    expect(await test.webhook('github', { body, headers: { 'X-Hub-Signature-256': signature } })).toEqual({
      status_code: 200,
      body,
    });
    expect(await test.webhook('github', { body })).toMatchObject({ status_code: 401 });
  });

  it('hands events to their handlers', async () => {
    const test = createTestContext({ extension });
    await test.event('tasks.added', { title: 'Tidy up' });
    await test.event('tasks.added', { title: 'Tidy up' });
    expect((await test.ctx.store.query('notes')).data).toMatchObject([
      { user_id: 'usr_ada', data: { text: 'Tidy up' } },
    ]);
    await expect(test.event('mail.sent', {})).rejects.toThrow('handles no event');
  });

  it('refuses events as the platform does, and is somebody else for a schedule', async () => {
    const emits = { 'notes.created': Type.Object({ id: Type.String() }) };
    const { ctx, effects } = createTestContext({ extension: { ...extension, emits }, kind: 'schedule' });
    const codes: unknown[] = [];
    for (const [type, data] of [
      ['tasks.x', {}],
      ['notes.x', {}],
      ['notes.created', {}],
    ] as const) {
      await ctx.extensions.emit(type, data).catch((error: unknown) => codes.push((error as ExtensionError).code));
    }
    expect(codes).toEqual(['EVENT_TYPE_FOREIGN', 'EVENT_NOT_DECLARED', 'EVENT_INVALID']);
    await ctx.extensions.emit('notes.created', { id: '1' });
    expect(effects).toEqual([{ what: 'emit', details: { type: 'notes.created', data: { id: '1' } } }]);
    const bob = await ctx.asUser('usr_bob');
    await bob.store.set('notes/a', {});
    expect([await ctx.store.count('notes'), await ctx.store.forUser('usr_bob').count('notes')]).toEqual([0, 1]);
  });

  it('has what the kind of call has', async () => {
    const { ctx } = createTestContext({ extension, kind: 'webhook' });
    expect(await ctx.store.forUser('usr_bob').count('notes')).toBe(0);
    expect(() => (ctx as unknown as { notify: object }).notify).toThrow('ctx.notify is not available in a webhook.');
    expect(() => createTestContext({ extension }).ctx.log('x')).not.toThrow();
  });

  it('refuses a definition that cannot be deployed', () => {
    expect(() => createTestContext({ extension: { ...extension, version: 'one' } })).toThrow(
      'version: "one" must be a semantic version',
    );
  });
});
