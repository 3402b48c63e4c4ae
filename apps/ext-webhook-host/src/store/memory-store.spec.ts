import type { JsonObject } from '@platform/app-document';
import { Budget, type ContextStore, ExtensionError, MemoryDocuments, MemoryStore } from '@platform/extension-sdk/runtime';
import { newId } from '@platform/platform';
import { startHostDatabase, type HostDatabase } from '../testing/host-database.js';
import { DEFAULT_STORE_LIMITS, DocumentStore } from './document-store.service.js';
import type { StoreScope } from './documents.js';

let database: HostDatabase;
beforeAll(async () => {
  database = await startHostDatabase();
});
afterAll(() => database.stop());

/** What both stores can be asked. */
type Store = Pick<ContextStore, 'get' | 'query' | 'update' | 'updateMany' | 'delete' | 'deleteMany' | 'count' | 'set'>;

const DOCUMENTS: JsonObject[] = [
  { n: 10, tag: 'b', nested: { a: 1, b: [1, 2] } },
  { n: 9, tag: 'a', nested: { b: [1, 2], a: 1 } },
  { n: null, tag: 'c' },
  { tag: 'c', other: true },
  { n: 'text', tag: 'a', other: false },
];

/** The answer, or the code of the error. */
async function answerOf(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ExtensionError) return error.code;
    throw error;
  }
}

const ids = async (page: unknown) => {
  const { data, has_more, total } = (await page) as Awaited<ReturnType<MemoryStore['query']>>;
  return { ids: data.map(({ id }) => id), has_more, total };
};

/** Two pages, to see that the cursor leads on. */
async function pages(store: Store, orderBy: string) {
  const first = await store.query('k', { orderBy, limit: 3 });
  return [await ids(first), await ids(store.query('k', { orderBy, limit: 3, cursor: first.cursor }))];
}

describe('the store of a smoke test answers as the real one does', () => {
  it.each<[string, (store: Store) => unknown]>([
    ['a page', (store) => ids(store.query('k', { orderBy: 'id' }))],
    ['pages by a number', (store) => pages(store, 'n')],
    ['pages backwards by what some share', (store) => pages(store, '-tag')],
    ['pages backwards', (store) => pages(store, '-id')],
    ['an order that is none', (store) => store.query('k', { orderBy: 'a\0' })],
    ['a limit that is none', (store) => store.query('k', { limit: 0 })],
    ['a field', (store) => ids(store.query('k', { where: { tag: 'a' }, orderBy: 'id' }))],
    ['null, which is not missing', (store) => ids(store.query('k', { where: { n: null } }))],
    ['a number, which is no text', (store) => store.count('k', { where: { n: '10' } })],
    ['a map in whatever order', (store) => store.count('k', { where: { nested: { b: [1, 2], a: 1 } } })],
    ['a part of a map', (store) => store.count('k', { where: { nested: { a: 1 } } })],
    ['a list in another order', (store) => store.count('k', { where: { nested: { a: 1, b: [2, 1] } } })],
    ['ids and a field', (store) => ids(store.query('k', { ids: ['d0', 'd1', 'd9'], where: { tag: 'b' } }))],
    ['no ids', (store) => store.count('k', { ids: [] })],
    ['an id that is none', (store) => store.count('k', { ids: ['a/b'] })],
    ['another collection', (store) => store.count('other')],
    ['a collection that is none', (store) => store.count('a b')],
    ['a change of one', async (store) => [(await store.update('k', 'd0', { tag: 'z' })).data, (await store.get('k', 'd0'))?.data]],
    ['a change of none', (store) => store.update('k', 'd9', {})],
    ['a change of many', (store) => store.updateMany('k', { where: { tag: 'c' } }, { tag: 'd' })],
    ['a change of what there is not', (store) => store.updateMany('k', { ids: ['d9'] }, { tag: 'd' })],
    ['a deletion', async (store) => [await store.delete('k', 'd0'), await store.delete('k', 'd0'), await store.get('k', 'd0')]],
    ['a deletion of many', async (store) => [await store.deleteMany('k', { where: { tag: 'a' } }), await store.count('k')]],
    ['a document in place of another', async (store) => [(await store.set('k/d0', { a: 1 })).data, await store.count('k')]],
    ['a document that is too large', (store) => store.set('k/x', { a: 'x'.repeat(1024 * 1024) })],
    ['a document that is no JSON', (store) => store.set('k/x', { a: NaN })],
  ])('for %s', async (_what, ask) => {
    const scope: StoreScope = { tenantId: 'default', appId: newId('app'), userId: 'usr_ada' };
    const stores = [new MemoryStore(new MemoryDocuments(), scope, new Budget('store operations', 100)) as unknown as Store, real(scope)];
    for (const store of stores) for (const [at, data] of DOCUMENTS.entries()) await store.set(`k/d${at}`, data);
    const [memory, database] = await Promise.all(stores.map((store) => answerOf(() => ask(store))));
    expect(memory).toEqual(database);
  });
});

/** One user's view of the real store. */
function real(scope: StoreScope): Store {
  const store = new DocumentStore(database.dataSource, DEFAULT_STORE_LIMITS);
  const bound = {
    get: store.get.bind(store, scope),
    query: store.query.bind(store, scope),
    update: store.update.bind(store, scope),
    updateMany: store.updateMany.bind(store, scope),
    delete: store.delete.bind(store, scope),
    deleteMany: store.deleteMany.bind(store, scope),
    count: store.count.bind(store, scope),
    set: (path: string, data: JsonObject) => {
      const [collection = '', id = ''] = path.split('/');
      return store.set(scope, collection, id, data);
    },
  };
  return bound;
}
