import { MAX_DOCUMENT_BYTES } from '@platform/extension-sdk/runtime';
import { startHostDatabase, type HostDatabase } from '../../testing/host-database.js';
import { DEFAULT_STORE_LIMITS, DocumentStore, type StoreLimits } from './document-store.js';
import type { StoreScope } from './documents.js';

let database: HostDatabase;
beforeAll(async () => {
  database = await startHostDatabase();
});
afterAll(() => database.stop());

const storeWith = (limits: Partial<StoreLimits> = {}) =>
  new DocumentStore(database.dataSource, { ...DEFAULT_STORE_LIMITS, ...limits });

let scopes = 0;
const newScope = (): StoreScope => ({ tenantId: 'acme', appId: `app-${++scopes}`, userId: 'usr_1' });

const dataOf = ({ data }: { data: { data: Record<string, unknown> }[] }) => data.map((document) => document.data);

describe('a document', () => {
  it('is kept as it was given', async () => {
    const [store, scope] = [storeWith(), newScope()];
    const data = { text: 'žluťoučký \u{1f511}', number: 0.1, list: [null, true, { a: {} }], '': '', 'with/slash': 1 };
    const created = await store.createDocument(scope, 'bookmarks', data);
    expect(created).toEqual({
      id: expect.stringMatching(/^doc_[0-9a-z]{26}$/),
      collection: 'bookmarks',
      data,
      extension_id: scope.appId,
      tenant_id: 'acme',
      user_id: 'usr_1',
      etag: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      updated_at: created.created_at,
    });
    expect(await store.findDocument(scope, 'bookmarks', created.id)).toEqual(created);
    expect(await store.findDocument(scope, 'bookmarks', 'another')).toBeNull();
  });

  it('keeps keys that name a prototype as plain data', async () => {
    const [store, scope] = [storeWith(), newScope()];
    const data = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}') as Record<string, unknown>;
    const { id } = await store.createDocument(scope, 'c', data);
    await store.updateDocument(scope, 'c', id, JSON.parse('{"__proto__":{"polluted":2}}') as Record<string, unknown>);
    const read = await store.findDocument(scope, 'c', id);
    expect(Object.entries(read?.data ?? {}).sort()).toEqual([
      ['__proto__', { polluted: 2 }],
      ['constructor', { prototype: 1 }],
    ]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('is merged on the first level by update', async () => {
    const [store, scope] = [storeWith(), newScope()];
    const created = await store.createDocument(scope, 'c', { a: 1, b: { c: 1 } });
    const updated = await store.updateDocument(scope, 'c', created.id, { b: { d: 2 }, e: null });
    expect(updated).toMatchObject({
      id: created.id,
      data: { a: 1, b: { d: 2 }, e: null },
      created_at: created.created_at,
    });
    expect(updated.etag).not.toBe(created.etag);
    expect(updated.updated_at >= created.updated_at).toBe(true);
  });

  it('is replaced by set, or made', async () => {
    const [store, scope] = [storeWith(), newScope()];
    const made = await store.setDocument(scope, 'c', 'own id: 1', { a: 1 });
    const replaced = await store.setDocument(scope, 'c', 'own id: 1', { b: 2 });
    expect(made).toMatchObject({ id: 'own id: 1', data: { a: 1 } });
    expect(replaced).toMatchObject({ id: 'own id: 1', data: { b: 2 }, created_at: made.created_at });
    expect(replaced.etag).not.toBe(made.etag);
    expect(await store.countDocuments(scope, 'c')).toBe(1);
  });

  it('is gone after delete, once', async () => {
    const [store, scope] = [storeWith(), newScope()];
    const { id } = await store.createDocument(scope, 'c', {});
    expect([await store.deleteDocument(scope, 'c', id), await store.deleteDocument(scope, 'c', id)]).toEqual([
      true,
      false,
    ]);
    expect(await store.findDocument(scope, 'c', id)).toBeNull();
  });

  it('is of one user, tenant, app and collection alone', async () => {
    const [store, scope] = [storeWith(), newScope()];
    const { id } = await store.createDocument(scope, 'c', { a: 1 });
    for (const [other, collection] of [
      [{ ...scope, userId: 'usr_2' }, 'c'],
      [{ ...scope, userId: '__webhook__' }, 'c'],
      [{ ...scope, tenantId: 'globex' }, 'c'],
      [newScope(), 'c'],
      [scope, 'd'],
    ] as const) {
      expect(await store.findDocument(other, collection, id)).toBeNull();
      expect(await store.queryDocuments(other, collection)).toEqual({
        data: [],
        cursor: null,
        has_more: false,
        total: 0,
      });
      expect(await store.queryDocuments(other, collection, { where: { a: 1 } })).toMatchObject({ data: [], total: 0 });
      expect(await store.queryDocuments(other, collection, { ids: [id] })).toMatchObject({ data: [], total: 0 });
      expect(await store.countDocuments(other, collection)).toBe(0);
      expect(await store.deleteDocument(other, collection, id)).toBe(false);
      expect(await store.deleteDocuments(other, collection, {})).toEqual([]);
      expect(await store.updateDocuments(other, collection, {}, { a: 2 })).toEqual([]);
      await expect(store.updateDocument(other, collection, id, { a: 2 })).rejects.toMatchObject({
        code: 'STORE_NOT_FOUND',
      });
      await store.setDocument(other, collection, id, { a: 3 });
    }
    expect(await store.findDocument(scope, 'c', id)).toMatchObject({ data: { a: 1 } });
  });

  it.each(['a:b', 'a*', 'a?', 'a[', 'a]', 'a/b', 'a b', '', ' ', 'a\tb', 'a\0', '\ud83d', 'a'.repeat(65), null, 1])(
    'is in no collection named %j',
    async (name) => {
      const [store, scope] = [storeWith(), newScope()];
      const collection = name as string;
      for (const attempt of [
        store.createDocument(scope, collection, {}),
        store.findDocument(scope, collection, 'id'),
        store.queryDocuments(scope, collection),
        store.queryAllUsers(scope, collection),
        store.listUsers(scope, collection),
      ]) {
        await expect(attempt).rejects.toMatchObject({ code: 'STORE_COLLECTION_INVALID' });
      }
    },
  );

  it.each(['žluté_záložky', 'a.b-c_d', '__proto__', '%27;--', 'a'.repeat(64)])(
    'may be in a collection named %j',
    async (name) => {
      const [store, scope] = [storeWith(), newScope()];
      const { id, collection } = await store.createDocument(scope, name, {});
      expect(collection).toBe(name);
      expect(await store.findDocument(scope, name, id)).not.toBeNull();
    },
  );

  it.each(['', 'a/b', 'a\nb', 'a\0', '\ud83d', 'a'.repeat(129), undefined])('has no id %j', async (id) => {
    await expect(storeWith().setDocument(newScope(), 'c', id as string, {})).rejects.toMatchObject({
      code: 'STORE_ID_INVALID',
    });
  });

  it.each([[[]], ['text'], [null], [{ a: 'b\0' }], [{ a: NaN }], [{ a: '\udc00' }]])('has no data %j', async (data) => {
    const [store, scope] = [storeWith(), newScope()];
    const { id } = await store.createDocument(scope, 'c', {});
    const bad = data as unknown as Record<string, unknown>;
    await expect(store.createDocument(scope, 'c', bad)).rejects.toMatchObject({ code: 'JSON_INVALID' });
    await expect(store.updateDocument(scope, 'c', id, bad)).rejects.toMatchObject({ code: 'JSON_INVALID' });
    await expect(store.queryDocuments(scope, 'c', { where: bad })).rejects.toMatchObject({ code: 'JSON_INVALID' });
  });
});

describe('etags', () => {
  it('let a change through that knows the document as it is, and tell the others what it is now', async () => {
    const [store, scope] = [storeWith(), newScope()];
    const { id, etag } = await store.createDocument(scope, 'c', { n: 0 });
    const { etag: current } = await store.updateDocument(scope, 'c', id, { n: 1 }, etag);
    for (const stale of [etag, 'none', '']) {
      await expect(store.updateDocument(scope, 'c', id, { n: 2 }, stale)).rejects.toMatchObject({
        code: 'STORE_CONFLICT',
        details: { current_etag: current },
      });
    }
    expect(await store.findDocument(scope, 'c', id)).toMatchObject({ data: { n: 1 }, etag: current });
  });

  it('are never the same again, also of a document that was deleted and made anew', async () => {
    const [store, scope] = [storeWith(), newScope()];
    const { etag } = await store.setDocument(scope, 'c', 'id', { n: 0 });
    await store.deleteDocument(scope, 'c', 'id');
    await store.setDocument(scope, 'c', 'id', { n: 0 });
    await expect(store.updateDocument(scope, 'c', 'id', { n: 1 }, etag)).rejects.toMatchObject({
      code: 'STORE_CONFLICT',
    });
  });

  it('let exactly one of many racing changes win', async () => {
    const [store, scope] = [storeWith(), newScope()];
    const { id, etag } = await store.createDocument(scope, 'c', {});
    const attempts = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => store.updateDocument(scope, 'c', id, { n }, etag)),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const codes = attempts.flatMap((attempt) =>
      attempt.status === 'rejected' ? [(attempt.reason as { code: string }).code] : [],
    );
    expect(new Set(codes)).toEqual(new Set(['STORE_CONFLICT']));
  });

  it('are not needed to merge: racing changes of different fields all stay', async () => {
    const [store, scope] = [storeWith(), newScope()];
    const { id } = await store.createDocument(scope, 'c', {});
    await Promise.all(Array.from({ length: 20 }, (_, n) => store.updateDocument(scope, 'c', id, { [`field${n}`]: n })));
    expect(Object.keys((await store.findDocument(scope, 'c', id))?.data ?? {})).toHaveLength(20);
  });
});

describe('where', () => {
  const DOCUMENTS = [
    { is: 'text', v: 'a' },
    { is: 'one', v: 1 },
    { is: 'text one', v: '1' },
    { is: 'true', v: true },
    { is: 'null', v: null },
    { is: 'missing' },
    { is: 'list', v: ['a', 'b'] },
    { is: 'short list', v: ['a'] },
    { is: 'no list', v: [] },
    { is: 'object', v: { a: 1, b: 2 } },
    { is: 'small object', v: { a: 1 } },
    { is: 'no object', v: {} },
  ];
  let [store, scope]: [DocumentStore, StoreScope] = [undefined as never, undefined as never];
  beforeAll(async () => {
    [store, scope] = [storeWith(), newScope()];
    for (const data of DOCUMENTS) await store.createDocument(scope, 'c', data);
  });

  it.each<[unknown, string[]]>([
    ['a', ['text']],
    [1, ['one']],
    ['1', ['text one']],
    [true, ['true']],
    [null, ['null']],
    [['a', 'b'], ['list']],
    [['a'], ['short list']],
    [['b', 'a'], []],
    [[], ['no list']],
    [{ b: 2, a: 1 }, ['object']],
    [{ a: 1 }, ['small object']],
    [{}, ['no object']],
    ["'; DROP TABLE documents; --", []],
  ])('v is %j finds what is equal, and not what only contains it', async (v, expected) => {
    expect(dataOf(await store.queryDocuments(scope, 'c', { where: { v } })).map(({ is }) => is)).toEqual(expected);
    expect(await store.countDocuments(scope, 'c', { where: { v } })).toBe(expected.length);
  });

  it('finds what all of its fields say', async () => {
    expect(await store.countDocuments(scope, 'c', { where: { v: 1, is: 'one' } })).toBe(1);
    expect(await store.countDocuments(scope, 'c', { where: { v: 1, is: 'text' } })).toBe(0);
    expect(await store.countDocuments(scope, 'c', { where: {} })).toBe(DOCUMENTS.length);
  });

  it('finds among ids', async () => {
    const { data } = await store.queryDocuments(scope, 'c');
    const ids = data.slice(0, 3).map(({ id }) => id);
    expect((await store.queryDocuments(scope, 'c', { ids: [...ids, 'none'] })).data.map(({ id }) => id)).toEqual(ids);
    expect(await store.countDocuments(scope, 'c', { ids, where: { v: 1 } })).toBe(1);
    expect(await store.countDocuments(scope, 'c', { ids: [] })).toBe(0);
    const many = Array<string>(1_001).fill('id');
    await expect(store.queryDocuments(scope, 'c', { ids: many })).rejects.toMatchObject({ code: 'STORE_IDS_INVALID' });
  });
});

describe('a list', () => {
  it('is in the order of creation unless told otherwise', async () => {
    const [store, scope] = [storeWith(), newScope()];
    for (const [id, n] of [
      ['b', 2],
      ['a', 10],
      ['c', null],
    ] as const) {
      await store.setDocument(scope, 'c', id, n === null ? {} : { n });
    }
    await store.updateDocument(scope, 'c', 'b', { n: 3 });
    const ids = async (orderBy?: string) => {
      const { data } = await store.queryDocuments(scope, 'c', orderBy === undefined ? {} : { orderBy });
      return data.map(({ id }) => id).join('');
    };
    expect(await ids()).toBe('bac');
    expect(await ids('-created_at')).toBe('cab');
    expect(await ids('updated_at')).toBe('acb');
    expect(await ids('id')).toBe('abc');
    expect(await ids('n')).toBe('cba');
    expect(await ids('-n')).toBe('abc');
    expect(await ids("x'; --")).toBe('abc');
    for (const bad of ['', '-', 'a\n', 'a'.repeat(201)])
      await expect(ids(bad)).rejects.toMatchObject({ code: 'STORE_ORDER_INVALID' });
  });

  it.each(['created_at', '-created_at', 'id', '-id', 'n', '-n', 'updated_at', '-text'])(
    'by %s gives every document once, page by page, while others come and go',
    async (orderBy) => {
      const [store, scope] = [storeWith(), newScope()];
      const made = await Promise.all(
        Array.from({ length: 25 }, (_, at) => store.createDocument(scope, 'c', { n: at % 4, text: `${at % 3} ž"'` })),
      );
      const gone = made.at(-1)?.id ?? '';
      const seen: string[] = [];
      for (let cursor: string | null = null, pages = 0; pages === 0 || cursor; pages++) {
        const {
          data,
          cursor: next,
          has_more,
          total,
        } = await store.queryDocuments(scope, 'c', { orderBy, limit: 7, cursor });
        seen.push(...data.map(({ id }) => id));
        expect(has_more).toBe(next !== null);
        expect(total).toBeGreaterThanOrEqual(24);
        cursor = next;
        // The last document of the page is deleted: the cursor still knows the position.
        if (pages === 0) await store.deleteDocument(scope, 'c', gone);
        else await store.createDocument(scope, 'd', {});
      }
      const kept = made.map(({ id }) => id).filter((id) => id !== gone);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((id) => id !== gone).sort()).toEqual(kept.sort());
    },
  );

  it('goes on after a document that is gone', async () => {
    const [store, scope] = [storeWith(), newScope()];
    for (const id of ['a', 'b', 'c']) await store.setDocument(scope, 'c', id, {});
    const { cursor } = await store.queryDocuments(scope, 'c', { limit: 2 });
    await store.deleteDocument(scope, 'c', 'b');
    expect((await store.queryDocuments(scope, 'c', { limit: 2, cursor })).data.map(({ id }) => id)).toEqual(['c']);
  });

  it('has no more documents on a page than 4 MiB of them, and at least one', async () => {
    const [store, scope] = [storeWith(), newScope()];
    const large = { text: 'x'.repeat(250_000) };
    for (let at = 0; at < 20; at++) await store.setDocument(scope, 'c', `${10 + at}`, large);
    const first = await store.queryDocuments(scope, 'c', { orderBy: 'id' });
    expect([first.data.length, first.has_more, first.total]).toEqual([17, true, 20]);
    const second = await store.queryDocuments(scope, 'c', { orderBy: 'id', cursor: first.cursor });
    expect(second.data.map(({ id }) => id)).toEqual(['27', '28', '29']);
    expect(second).toMatchObject({ has_more: false, cursor: null, total: 20 });
  });

  it.each([0, 1_001, 1.5, -1, NaN, '10'])('has no limit %j', async (limit) => {
    await expect(storeWith().queryDocuments(newScope(), 'c', { limit: limit as number })).rejects.toMatchObject({
      code: 'STORE_LIMIT_INVALID',
    });
  });

  it('refuses a cursor that is not its own', async () => {
    const [store, scope] = [storeWith(), newScope()];
    for (const id of ['a', 'b']) await store.setDocument(scope, 'c', id, { n: 1 });
    const { cursor } = await store.queryDocuments(scope, 'c', { limit: 1, orderBy: 'n' });
    const made = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    for (const [orderBy, bad] of [
      ['created_at', cursor],
      ['n', ''],
      ['n', 'garbage'],
      ['n', made(['n', 'no json', 'a'])],
      ['n', made(['n', '1', 'a\0'])],
      ['created_at', made(['created_at', 'yesterday or so', 'a'])],
      ['created_at', made(['created_at'])],
      ['created_at', made(null)],
    ] as const) {
      await expect(store.queryDocuments(scope, 'c', { orderBy, cursor: bad })).rejects.toMatchObject({
        code: 'STORE_CURSOR_INVALID',
      });
    }
  });
});

describe('changes by selection', () => {
  it('reach what is selected, up to a thousand at once', async () => {
    const [store, scope] = [storeWith(), newScope()];
    await Promise.all(
      Array.from({ length: 1_005 }, (_, n) => store.setDocument(scope, 'c', `${10_000 + n}`, { even: n % 2 === 0 })),
    );
    const updated = await store.updateDocuments(scope, 'c', { where: { even: true } }, { seen: 1 });
    expect(updated).toHaveLength(503);
    expect(await store.countDocuments(scope, 'c', { where: { seen: 1, even: true } })).toBe(503);
    expect(await store.updateDocuments(scope, 'c', { ids: ['10001', 'none'] }, { seen: 2 })).toEqual(['10001']);
    const { data } = await store.queryDocuments(scope, 'c', { ids: ['10000', '10002'] });
    expect(new Set(data.map(({ etag }) => etag)).size).toBe(2);
    expect(await store.deleteDocuments(scope, 'c', {})).toHaveLength(1_000);
    expect(await store.deleteDocuments(scope, 'c', {})).toHaveLength(5);
    expect(await store.deleteDocuments(scope, 'c', {})).toEqual([]);
  });

  it('happen all or not at all', async () => {
    const [store, scope] = [storeWith(), newScope()];
    await store.setDocument(scope, 'c', 'small', {});
    await store.setDocument(scope, 'c', 'large', { text: 'x'.repeat(200_000) });
    const changes = store.updateDocuments(scope, 'c', {}, { more: 'y'.repeat(100_000) });
    await expect(changes).rejects.toMatchObject({ code: 'STORE_DOCUMENT_TOO_LARGE' });
    expect((await store.findDocument(scope, 'c', 'small'))?.data).toEqual({});
  });

  it('do not wait for each other without end', async () => {
    const [store, scope] = [storeWith(), newScope()];
    await Promise.all(Array.from({ length: 50 }, (_, n) => store.setDocument(scope, 'c', `${n}`, { n })));
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => store.updateDocuments(scope, 'c', {}, { [`by${n}`]: true })),
    );
    expect(Object.keys((await store.findDocument(scope, 'c', '0'))?.data ?? {})).toHaveLength(21);
  });
});

describe('a size', () => {
  /** Data of this size in bytes, as PostgreSQL writes it: `{"t": "…"}`. */
  const ofBytes = (bytes: number) => ({ t: 'x'.repeat(bytes - 9) });

  it('of a document is at most 256 KiB', async () => {
    const [store, scope] = [storeWith(), newScope()];
    const { id } = await store.createDocument(scope, 'c', ofBytes(MAX_DOCUMENT_BYTES));
    for (const attempt of [
      store.createDocument(scope, 'c', ofBytes(MAX_DOCUMENT_BYTES + 1)),
      store.createDocument(scope, 'c', ofBytes(50 * MAX_DOCUMENT_BYTES)),
      store.setDocument(scope, 'c', id, ofBytes(MAX_DOCUMENT_BYTES + 1)),
      store.updateDocument(scope, 'c', id, { n: 1 }),
    ]) {
      await expect(attempt).rejects.toMatchObject({ code: 'STORE_DOCUMENT_TOO_LARGE' });
    }
    await store.updateDocument(scope, 'c', id, { t: '' });
  });

  it('counts what is stored, also of numbers that are short to write', async () => {
    const data = { list: Array<number>(1_000).fill(1e308) };
    await expect(storeWith().createDocument(newScope(), 'c', data)).rejects.toMatchObject({
      code: 'STORE_DOCUMENT_TOO_LARGE',
    });
  });

  it('cannot be misstated to the database', async () => {
    const insert = (bytes: number, data: string) =>
      database.dataSource.query(
        "INSERT INTO documents (tenant_id, app_id, collection, user_id, id, data, bytes, etag) VALUES ('t', 'a', 'c', 'u', 'i', $1, $2, 'e')",
        [data, bytes],
      );
    await expect(insert(1, '{}')).rejects.toThrow('documents_size_check');
    await expect(insert(2, '[]')).rejects.toThrow('documents_data_check');
  });
});

describe('the limits of an app', () => {
  const used = async ({ tenantId, appId }: StoreScope) => {
    const [sums] = await database.dataSource.query<object[]>(
      `SELECT sum(documents)::int AS documents, sum(bytes)::int AS bytes FROM document_usage WHERE tenant_id = $1 AND app_id = $2`,
      [tenantId, appId],
    );
    return sums;
  };
  const kept = async ({ tenantId, appId }: StoreScope) => {
    const [sums] = await database.dataSource.query<object[]>(
      `SELECT count(*)::int AS documents, coalesce(sum(bytes), 0)::int AS bytes FROM documents WHERE tenant_id = $1 AND app_id = $2`,
      [tenantId, appId],
    );
    return sums;
  };

  it('are counted right, whatever happens at once', async () => {
    const [store, scope] = [storeWith(), newScope()];
    let state = 18; // fixed seed; generator of Park and Miller
    const pick = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
    const id = () => `${pick(20)}`;
    const acts = [
      () => store.setDocument(scope, 'c', id(), { text: 'x'.repeat(pick(100)) }),
      () => store.setDocument({ ...scope, userId: 'usr_2' }, 'd', id(), {}),
      () => store.createDocument(scope, 'c', { n: 1 }),
      () => store.updateDocument(scope, 'c', id(), { more: 'y'.repeat(pick(100)) }).catch(() => undefined),
      () => store.deleteDocument(scope, 'c', id()),
      () => store.updateDocuments(scope, 'c', { where: { n: 1 } }, { n: 2 }),
      () => store.deleteDocuments(scope, 'c', { where: { n: 2 } }),
      () => store.createDocument(scope, 'c', { text: 'z'.repeat(300_000) }).catch(() => undefined),
    ];
    const act = async (): Promise<void> => {
      await acts[pick(acts.length)]?.();
    };
    await Promise.all(Array.from({ length: 300 }, act));
    expect(await used(scope)).toEqual(await kept(scope));
  });

  it('refuse a document too many, while what is there can be changed and deleted', async () => {
    const [store, scope] = [storeWith({ documents: 3 }), newScope()];
    for (const id of ['a', 'b', 'c']) await store.setDocument(scope, 'c', id, {});
    await expect(store.createDocument(scope, 'c', {})).rejects.toMatchObject({ code: 'STORE_FULL' });
    await expect(store.createDocument({ ...scope, userId: 'usr_2' }, 'd', {})).rejects.toMatchObject({
      code: 'STORE_FULL',
    });
    await store.setDocument(scope, 'c', 'a', { changed: true });
    await store.updateDocument(scope, 'c', 'b', { changed: true });
    expect(await store.countDocuments(scope, 'c', { where: { changed: true } })).toBe(2);
    await store.deleteDocument(scope, 'c', 'c');
    await store.createDocument(scope, 'c', {});
    await store.createDocument({ ...scope, tenantId: 'globex' }, 'c', {});
  });

  it('refuse bytes too many until some are deleted', async () => {
    const [store, scope] = [storeWith({ bytes: 1_000 }), newScope()];
    const { id, etag } = await store.createDocument(scope, 'c', { text: 'x'.repeat(1_000) });
    for (const attempt of [
      store.createDocument(scope, 'c', {}),
      store.setDocument(scope, 'c', 'own', {}),
      store.updateDocument(scope, 'c', id, { a: 1 }),
      store.updateDocument(scope, 'c', id, { a: 1 }, etag),
      store.updateDocuments(scope, 'c', {}, { a: 1 }),
    ]) {
      await expect(attempt).rejects.toMatchObject({ code: 'STORE_FULL' });
    }
    await expect(store.updateDocument(scope, 'c', 'none', {})).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
    await expect(store.updateDocument(scope, 'c', id, {}, 'stale')).rejects.toMatchObject({ code: 'STORE_CONFLICT' });
    await store.deleteDocument(scope, 'c', id);
    await store.createDocument(scope, 'c', {});
  });

  it('are exceeded by racing writes only by what these write', async () => {
    const [store, scope] = [storeWith({ documents: 5 }), newScope()];
    await Promise.allSettled(Array.from({ length: 40 }, () => store.createDocument(scope, 'c', {})));
    await expect(store.createDocument(scope, 'c', {})).rejects.toMatchObject({ code: 'STORE_FULL' });
    expect(await store.countDocuments(scope, 'c')).toBeLessThanOrEqual(5 + 12); // 12: connections of the pool
  });
});

describe('lists over all users', () => {
  it('find who has documents, and all of these', async () => {
    const [store, scope] = [storeWith(), newScope()];
    for (const userId of ['usr_c', 'usr_a', 'usr_b', '__webhook__']) {
      for (const id of ['2', '1']) await store.setDocument({ ...scope, userId }, 'c', id, { userId });
    }
    await store.createDocument({ ...scope, tenantId: 'globex', userId: 'usr_d' }, 'c', {});
    await store.createDocument({ ...scope, userId: 'usr_e' }, 'd', {});

    const first = await store.listUsers(scope, 'c', { limit: 2 });
    expect(first).toMatchObject({ data: ['usr_a', 'usr_b'], has_more: true });
    expect(await store.listUsers(scope, 'c', { cursor: first.cursor })).toEqual({
      data: ['usr_c'],
      cursor: null,
      has_more: false,
    });

    const seen: string[] = [];
    for (let cursor: string | null = null, pages = 0; pages === 0 || cursor; pages++) {
      const page = await store.queryAllUsers(scope, 'c', { limit: 3, cursor });
      seen.push(...page.data.map(({ user_id, id, data }) => `${user_id} ${id} ${data['userId'] === user_id}`));
      expect(page.total).toBe(8);
      cursor = page.cursor;
    }
    const users = ['__webhook__', 'usr_a', 'usr_b', 'usr_c'];
    expect(seen).toEqual(users.flatMap((userId) => [`${userId} 1 true`, `${userId} 2 true`]));
  });

  it.each([0, 10_001])('have no limit %d', async (limit) => {
    await expect(storeWith().listUsers(newScope(), 'c', { limit })).rejects.toMatchObject({
      code: 'STORE_LIMIT_INVALID',
    });
    await expect(storeWith().queryAllUsers(newScope(), 'c', { limit })).rejects.toMatchObject({
      code: 'STORE_LIMIT_INVALID',
    });
  });
});
