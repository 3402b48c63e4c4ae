import { DECLARABLE_CAPABILITIES, type JsonObject } from '@platform/app-document';
import type { CallKind } from '../capabilities.js';
import type { ExtensionContext } from '../context.js';
import { ExtensionError } from '../extension-error.js';

/** Document parts that the app of the scenarios has, in addition to its id and version. */
export const CONFORMANCE_APP: JsonObject = {
  secrets: [
    { name: 'own', scope: 'user', write_mode: 'both', max_bytes: 10 },
    { name: 'shared', scope: 'app', write_mode: 'extension' },
    { name: 'given', scope: 'user', write_mode: 'user' },
  ],
  settings: [
    { name: 'mail.sender', type: 'string', default: 'nobody' },
    { name: 'mail.limit', type: 'integer', default: 5 },
    { name: 'empty', type: 'string' },
  ],
  hosts: ['api.example.com'],
  capabilities: [...DECLARABLE_CAPABILITIES],
  steps: [],
};

/** Starts a run of a kind as `user`, with an id that contains both digits and letters. */
export type Begin = (kind?: CallKind, user?: string) => ExtensionContext;

type Scenario = [what: string, ask: (begin: Begin) => unknown, expected: unknown];

/**
 * Returns the result of `work`, or `!` and the code of its ExtensionError. Other errors are thrown.
 */
export async function answerOf(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ExtensionError) return `!${error.code}`;
    throw error;
  }
}

const all = async (...work: (() => unknown)[]): Promise<unknown[]> => {
  const answers: unknown[] = [];
  for (const each of work) answers.push(await answerOf(each));
  return answers;
};

type Store = ExtensionContext['store'];

/** Stores five documents, d0 to d4. */
async function filled(store: Store): Promise<Store> {
  const documents: JsonObject[] = [
    { n: 10, tag: 'b', nested: { a: 1, b: [1, 2] } },
    { n: 9, tag: 'a', nested: { b: [1, 2], a: 1 } },
    { n: null, tag: 'c' },
    { tag: 'c', other: true },
    { n: 'text', tag: 'a', other: false },
  ];
  for (const [at, data] of documents.entries()) await store.set(`k/d${at}`, data);
  return store;
}

const ids = async (page: ReturnType<Store['query']>): Promise<unknown> => {
  const { data, has_more, total } = await page;
  return [data.map(({ id }) => id).join(' '), has_more, total];
};

const onStore =
  (ask: (store: Store) => unknown): Scenario[1] =>
  async (begin) =>
    ask(await filled(begin().store));

/**
 * Behaviour that every context shows: the in-memory context for tests and the context of the
 * platform. Each scenario gets its own app.
 */
export const SCENARIOS: Scenario[] = [
  [
    'a document is created and read',
    async (begin) => {
      const { store } = begin();
      const made = await store.create('k', { a: 1, gone: undefined } as never);
      const found = await store.get('k', made.id);
      return [
        /^doc_\w{26}$/.test(made.id),
        found?.data,
        found?.collection,
        found?.user_id,
        found?.etag === made.etag,
        await store.get('k', 'none'),
      ];
    },
    [true, { a: 1 }, 'k', 'usr_1', true, null],
  ],
  [
    'a request to a host that the app does not declare',
    (begin) =>
      all(
        () => begin().http.get('https://elsewhere.example/'),
        () => begin().http.post('https://API.example.com:8443/', { json: {} }),
      ),
    ['!EGRESS_HOST_NOT_DECLARED', '!EGRESS_HOST_NOT_DECLARED'],
  ],
  ['a page', onStore((store) => ids(store.query('k', { orderBy: 'id', limit: 2 }))), ['d0 d1', true, 5]],
  [
    'the cursor of a list ordered by a number',
    onStore(async (store) => {
      const first = await store.query('k', { orderBy: 'n', limit: 3 });
      return [
        await ids(Promise.resolve(first)),
        await ids(store.query('k', { orderBy: 'n', limit: 3, cursor: first.cursor })),
      ];
    }),
    [
      ['d2 d3 d4', true, 5],
      ['d1 d0', false, 5],
    ],
  ],
  ['pages backwards', onStore((store) => ids(store.query('k', { orderBy: '-tag' }))), ['d3 d2 d0 d4 d1', false, 5]],
  [
    'a cursor of another list',
    onStore(async (store) => {
      const { cursor } = await store.query('k', { orderBy: 'id', limit: 1 });
      return all(
        () => store.query('k', { orderBy: 'n', cursor }),
        () => store.query('k', { cursor: 'x' }),
      );
    }),
    ['!STORE_CURSOR_INVALID', '!STORE_CURSOR_INVALID'],
  ],
  [
    'selected documents',
    onStore((store) =>
      all(
        () => store.count('k', { where: { tag: 'a' } }),
        () => store.count('k', { where: { n: null } }),
        () => store.count('k', { where: { n: '10' } }),
        () => store.count('k', { where: { nested: { b: [1, 2], a: 1 } } }),
        () => store.count('k', { where: { nested: { a: 1 } } }),
        () => store.count('k', { where: { nested: { a: 1, b: [2, 1] } } }),
        () => store.count('k', { ids: ['d0', 'd1', 'd9'], where: { tag: 'b' } }),
        () => store.count('k', { ids: [] }),
        () => store.count('other'),
      ),
    ),
    [2, 1, 0, 2, 0, 0, 1, 0, 0],
  ],
  [
    'changed documents',
    onStore((store) =>
      all(
        async () => (await store.update('k', 'd0', { tag: 'z' })).data['tag'],
        () => store.update('k', 'd9', {}),
        () => store.update('k', 'd0', {}, 'an old etag'),
        () => store.updateMany('k', { where: { tag: 'c' } }, { tag: 'd' }),
        () => store.delete('k', 'd0'),
        () => store.delete('k', 'd0'),
        () => store.deleteMany('k', { where: { tag: 'd' } }),
        () => store.count('k'),
      ),
    ),
    ['z', '!STORE_NOT_FOUND', '!STORE_CONFLICT', ['d2', 'd3'], true, false, ['d2', 'd3'], 2],
  ],
  [
    'refused values',
    onStore((store) =>
      all(
        () => store.create('a b', {}),
        () => store.get('k', 'a/b'),
        () => store.set('k/a/b', {}),
        () => store.set('k/x', { a: 'x'.repeat(1024 * 1024) }),
        () => store.set('k/x', { a: NaN }),
        () => store.set('k/x', [] as never),
        () => store.query('k', { limit: 0 }),
        () => store.query('k', { limit: 1001 }),
        () => store.query('k', { orderBy: 'a\0' }),
        () => store.count('k', { ids: ['a/b'] }),
        () => store.count('k', { ids: Array<string>(1001).fill('a') }),
      ),
    ),
    [
      '!STORE_COLLECTION_INVALID',
      '!STORE_ID_INVALID',
      '!STORE_ID_INVALID',
      '!STORE_DOCUMENT_TOO_LARGE',
      '!JSON_INVALID',
      '!JSON_INVALID',
      '!STORE_LIMIT_INVALID',
      '!STORE_LIMIT_INVALID',
      '!STORE_ORDER_INVALID',
      '!STORE_ID_INVALID',
      '!STORE_IDS_INVALID',
    ],
  ],
  [
    'documents of users are separate, and schedules see all of them',
    async (begin) => {
      await begin('function', 'usr_1').store.set('k/a', { of: 1 });
      await begin('function', 'usr_2').store.set('k/a', { of: 2 });
      const { store } = begin('schedule');
      return all(
        async () => (await begin('function', 'usr_2').store.get('k', 'a'))?.data,
        () => store.count('k'),
        () => store.forUser('usr_2').count('k'),
        async () => (await store.listUsers('k')).data,
        async () => (await store.queryAll('k')).data.map(({ data }) => data['of']),
        async () => (await store.queryAll('k', { limit: 1 })).has_more,
        () => store.forUser('__system__'),
        () => store.listUsers('k', { limit: 10_001 }),
      );
    },
    [{ of: 2 }, 0, 1, ['usr_1', 'usr_2'], [1, 2], true, '!USER_INVALID', '!STORE_LIMIT_INVALID'],
  ],
  [
    'the cache',
    (begin) => {
      const { cache } = begin();
      return all(
        () => cache.get('a'),
        () => cache.set('a', { b: null }),
        () => begin().cache.get('a'),
        () => begin('function', 'usr_2').cache.get('a'),
        () => cache.getOrFetch('a', () => Promise.resolve(1)),
        () => cache.getOrFetch('c', () => Promise.resolve(1)),
        () => cache.delete('c'),
        () => cache.delete('c'),
        () => cache.get('a b'),
        () => cache.set('a', 1, 4),
        () => cache.set('a', 'x'.repeat(65_536)),
      );
    },
    [
      undefined,
      undefined,
      { b: null },
      undefined,
      { b: null },
      1,
      true,
      false,
      '!CACHE_KEY_INVALID',
      '!CACHE_TTL_INVALID',
      '!CACHE_VALUE_TOO_LARGE',
    ],
  ],
  [
    'secrets',
    (begin) => {
      const { secrets } = begin();
      return all(
        () => secrets.get('own'),
        () => secrets.set('own', 'value'),
        () => secrets.set('shared', 'for all'),
        () => begin('function', 'usr_2').secrets.get('own'),
        () => begin('webhook').secrets.get('shared'),
        () => secrets.list(),
        () => secrets.isSet('own'),
        () => secrets.delete('own'),
        () => secrets.delete('own'),
        () => secrets.get('none'),
        () => secrets.set('given', 'x'),
        () => secrets.set('own', ''),
        () => secrets.set('own', 'x'.repeat(11)),
      );
    },
    [
      ...[null, undefined, undefined, null, 'for all', ['own', 'shared'], true, true, false],
      ...['!SECRET_UNDECLARED', '!SECRET_READ_ONLY', '!SECRET_INVALID', '!SECRET_INVALID'],
    ],
  ],
  [
    'settings',
    (begin) => {
      const { config } = begin();
      return all(
        () => config.get('mail.sender'),
        () => config.get('mail'),
        () => config.getSection('mail'),
        () => config.getSection('none'),
        () => config.get('none', 7),
        () => config.get('empty', 'else'),
        () => config.get('toString'),
      );
    },
    ['nobody', { sender: 'nobody', limit: 5 }, { sender: 'nobody', limit: 5 }, {}, 7, 'else', null],
  ],
  [
    'once',
    (begin) => {
      const context = begin('webhook');
      return all(
        () => context.once('evt_1'),
        () => context.once('evt_1'),
        () => context.once('evt_2'),
        () => context.once(''),
        () => context.once('evt_3', 59),
      );
    },
    [true, false, true, '!EVENT_ID_INVALID', '!EVENT_RETENTION_INVALID'],
  ],
  [
    'usage meters',
    (begin) => {
      const { billing } = begin();
      return all(
        () => billing.trackUsage('pages', 1),
        () => billing.trackUsage('ocr.pages-2_x', 1_000_000_000_000),
        ...['', 'Pages', '9', 'a b', 'é', 'a'.repeat(65), 5 as unknown as string].map(
          (meter) => () => billing.trackUsage(meter, 1),
        ),
        ...[0, -5, 0.5, Number.NaN, 2 ** 53, 1e12 + 1, '1e3' as unknown as number].map(
          (n) => () => billing.trackUsage('pages', n),
        ),
        () => begin('webhook').billing,
        () => begin('schedule').billing,
      );
    },
    [
      undefined,
      undefined,
      ...Array<string>(7).fill('!BILLING_METER_INVALID'),
      ...Array<string>(7).fill('!BILLING_QUANTITY_INVALID'),
      '!CAPABILITY_UNAVAILABLE',
      '!CAPABILITY_UNAVAILABLE',
    ],
  ],
  [
    'progress of a task',
    (begin) => {
      const context = begin();
      return all(
        () => context.progress(0),
        () => context.progress(99.5, 'Almost'),
        ...[-1, 101, Number.NaN, '50' as unknown as number].map((percent) => () => context.progress(percent)),
        () => context.progress(50, 5 as unknown as string),
        () => begin('webhook').progress(50),
      );
    },
    [undefined, undefined, ...Array<string>(5).fill('!PROGRESS_INVALID'), '!CAPABILITY_UNAVAILABLE'],
  ],
  [
    'chat messages to the user',
    (begin) => {
      const context = begin();
      return all(
        () => context.deliverChatMessage('Hello'),
        () => context.deliverChatMessage('x'.repeat(65_536), { type: 'tool_result', refreshPanels: ['notes'] }),
        () => context.deliverChatMessage('x'.repeat(65_537)),
        () => context.deliverChatMessage(''),
        () => context.deliverChatMessage('Hello', { type: 'shout' as 'system' }),
        () => context.deliverChatMessage('Hello', { refreshPanels: Array<string>(21).fill('a') }),
        () => begin('schedule').deliverChatMessage('Hello'),
      );
    },
    [
      undefined,
      undefined,
      '!CHAT_MESSAGE_TOO_LARGE',
      ...Array<string>(3).fill('!CHAT_MESSAGE_INVALID'),
      '!CAPABILITY_UNAVAILABLE',
    ],
  ],
  [
    'billing values that are not configured',
    (begin) => {
      const { billing } = begin();
      return all(
        () => billing.getBalance(),
        () => billing.getSubscription(),
        () => billing.checkLimits(),
      );
    },
    [null, null, null],
  ],
  [
    'members that a kind of run does not have',
    (begin) =>
      all(
        () => begin('function').webhook,
        () => begin('function').store.forUser('usr_2'),
        () => begin('webhook').notify,
        () => begin('webhook').store.listUsers('k'),
        () => begin('event').cache,
        () => begin('function').skeleton,
      ),
    Array<string>(6).fill('!CAPABILITY_UNAVAILABLE'),
  ],
  [
    'the identity of a run',
    (begin) => {
      const { user } = begin();
      const webhook = begin('webhook').user;
      return [
        user.platform_id,
        user.hasScope('notes:read'),
        user.hasRole('admin'),
        webhook.platform_id,
        webhook.email,
        webhook.hasScope('x'),
      ];
    },
    ['usr_1', true, false, '__webhook__', null, false],
  ],
  [
    'a budget',
    async (begin) => {
      const { store, secrets } = begin('webhook');
      for (let spent = 0; spent < 100; spent++) await store.get('k', 'a');
      return all(
        () => store.get('k', 'a'),
        () => secrets.list(),
      );
    },
    ['!BUDGET_EXCEEDED', '!BUDGET_EXCEEDED'],
  ],
];
