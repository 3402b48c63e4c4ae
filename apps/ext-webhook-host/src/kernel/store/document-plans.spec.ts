import { startHostDatabase, type HostDatabase } from '../../testing/host-database.js';
import { DEFAULT_STORE_LIMITS, DocumentStore } from './document-store.js';
import { pageStatement } from './document-page.js';
import { selectionCondition, collectionCondition, type Statement } from './document-selection.js';
import type { StoreScope } from './documents.js';

const BUSY: StoreScope = { tenantId: 'acme', appId: 'busy', userId: 'usr_1' };
const SCALE = 40_000;

let database: HostDatabase;
beforeAll(async () => {
  database = await startHostDatabase();
  // A user with many documents, and many other users and apps with the same data.
  await database.dataSource.query(
    `INSERT INTO documents (tenant_id, app_id, collection, user_id, id, data, bytes, etag, created_at)
     SELECT 'acme', CASE WHEN busy THEN 'busy' ELSE 'app-' || n % 50 END, 'c', CASE WHEN busy THEN 'usr_1' ELSE 'usr_' || n % 1000 END,
       n::text, data, octet_length(data::text), 'e', now() + make_interval(secs => n)
     FROM generate_series(1, ${SCALE}) n,
       LATERAL (SELECT n % 10 = 0 AS busy) b,
       LATERAL (SELECT jsonb_build_object('n', n / 10, 'status', CASE WHEN n % 400 < 10 THEN 'open' ELSE 'done' END, 'tags', '["a"]'::jsonb) AS data) d`,
  );
  await database.dataSource.query('ANALYZE documents');
});
afterAll(() => database.stop());

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Rows': number;
  Plans?: Plan[];
}

const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

async function planOf({ text, values }: Statement): Promise<Plan[]> {
  const [row] = await database.dataSource.query<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values,
  );
  return nodes((row as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan);
}

const indexesOf = (plan: Plan[]) => plan.flatMap(({ 'Index Name': name }) => name ?? []);
const count = ({ text, values }: Statement): Statement => ({
  text: `SELECT count(*) FROM documents WHERE ${text}`,
  values,
});
const query = (condition: Statement, orderBy: string) =>
  pageStatement(condition, { limit: 100, orderBy, cursor: null });

describe('a search by equality', () => {
  it.each([
    ['one of many', { n: 1_711 }, 1],
    ['some of many', { status: 'open' }, 100],
    ['none', { status: 'none' }, 0],
    ['two fields', { status: 'open', n: 400 }, 1],
  ])('reads what it finds by the index, and no documents of others: %s', async (_what, where, found) => {
    for (const statement of [selectionCondition(BUSY, 'c', { where })].flatMap((condition) => [
      count(condition),
      query(condition, '-created_at'),
    ])) {
      const plan = await planOf(statement);
      expect(indexesOf(plan)).toEqual(['documents_where_idx']);
      expect(plan.find(({ 'Node Type': type }) => type === 'Bitmap Index Scan')?.['Actual Rows']).toBe(found);
    }
  });
});

describe('no search reads the whole table', () => {
  it.each<[string, () => Statement]>([
    ['all of a collection', () => query(selectionCondition(BUSY, 'c', {}), 'created_at')],
    ['the newest', () => query(selectionCondition(BUSY, 'c', {}), '-created_at')],
    ['by a field', () => query(selectionCondition(BUSY, 'c', {}), 'status')],
    [
      'what most documents are',
      () => query(selectionCondition(BUSY, 'c', { where: { status: 'done' } }), 'created_at'),
    ],
    [
      'a value that is not indexed by itself',
      () => query(selectionCondition(BUSY, 'c', { where: { none: {} } }), 'created_at'),
    ],
    ['by ids', () => query(selectionCondition(BUSY, 'c', { ids: ['2', '4'] }), 'created_at')],
    [
      'the second page',
      () => pageStatement(selectionCondition(BUSY, 'c', {}), { limit: 100, orderBy: 'created_at', cursor: CURSOR }),
    ],
    [
      'a user with little',
      () => query(selectionCondition({ ...BUSY, userId: 'usr_3' }, 'c', { where: { status: 'open' } }), 'created_at'),
    ],
    ['all users of an app', () => query(collectionCondition({ tenantId: 'acme', appId: 'app-7' }, 'c'), 'user_id')],
    ['how many', () => count(selectionCondition(BUSY, 'c', {}))],
  ])('%s', async (_what, statement) => {
    const plan = await planOf(statement());
    expect(plan.map(({ 'Node Type': type }) => type)).not.toContain('Seq Scan');
    expect(indexesOf(plan)).not.toEqual([]);
  });

  const CURSOR = Buffer.from(
    JSON.stringify(['created_at', new Date(Date.now() + 3_600_000).toISOString(), '7']),
  ).toString('base64url');

  it('the newest are read in order, no more of them than the page takes', async () => {
    const plan = await planOf(query(selectionCondition(BUSY, 'c', {}), '-created_at'));
    const [scan] = plan.filter(({ 'Index Name': name }) => name === 'documents_created_idx');
    expect(scan?.['Actual Rows']).toBe(101);
  });
});

describe('what is kept for a user is deleted by one statement that does not read what others keep', () => {
  const store = () => new DocumentStore(database.dataSource, DEFAULT_STORE_LIMITS);
  const purging = async (...purged: Parameters<DocumentStore['purgeDocuments']>) => {
    const statements = jest.spyOn(database.dataSource, 'query');
    const answer = await store().purgeDocuments(...purged);
    const asked = statements.mock.calls.map(([text, values = []]) => ({ text, values }) as Statement);
    statements.mockRestore();
    return { answer, asked };
  };
  const later = () => new Date(Date.now() + 60_000).toISOString();

  beforeAll(async () => {
    // Usage of apps in other tenants, and of other apps in this tenant.
    await database.dataSource.query(
      `INSERT INTO document_usage (tenant_id, app_id, shard, documents, bytes)
       SELECT 'tenant-' || n % 500, 'app-' || n / 500, 0, 1, 2 FROM generate_series(0, 24999) n`,
    );
    await database.dataSource.query('ANALYZE document_usage');
  });

  it.each([
    ['in an app', 'busy', 'usr_none', 0],
    ['in an app, of much', 'app-7', 'usr_7', 40],
    ['in all apps, where there is none', null, 'usr_none', 0],
    ['in all apps', null, 'usr_8', 40],
  ])('%s', async (_what, appId, userId, deleted) => {
    const of = { tenantId: 'acme', appId, userId };
    const [statement] = (await purging(of, '2000-01-01T00:00:00Z')).asked as [Statement];
    const plan = await planOf({ ...statement, values: [later(), ...statement.values.slice(1)] });
    expect(plan.map(({ 'Node Type': type }) => type)).not.toContain('Seq Scan');
    const [scan] = plan.filter(({ 'Index Name': name }) => name === 'documents_purge_idx');
    expect(scan).toBeDefined();
    expect(plan.find(({ 'Node Type': type }) => type === 'ModifyTable')?.['Actual Rows']).toBe(deleted);
  });

  it('as much as there is room for in a request, app by app, and says whether there is more', async () => {
    const of = { tenantId: 'acme', appId: null, userId: 'usr_much' };
    const apps = ['first', 'second', 'third'];
    for (const app of apps) {
      await database.dataSource.query(
        `INSERT INTO documents (tenant_id, app_id, collection, user_id, id, data, bytes, etag)
         SELECT 'acme', $1, 'c', 'usr_much', n::text, '{}', 2, 'e' FROM generate_series(1, 600) n`,
        [app],
      );
    }
    const left = async () =>
      database.dataSource.query<{ app_id: string; left: number }[]>(
        "SELECT app_id, count(*)::int AS left FROM documents WHERE user_id = 'usr_much' GROUP BY 1 ORDER BY 1",
      );
    const first = await purging(of, later());
    expect([first.answer, first.asked.length]).toEqual([{ deleted: 1_000, hasMore: true }, 1]);
    expect(await left()).toEqual([
      { app_id: 'second', left: 200 },
      { app_id: 'third', left: 600 },
    ]);
    const second = await purging(of, later());
    expect([second.answer, second.asked.length]).toEqual([{ deleted: 800, hasMore: false }, 1]);
    expect(await left()).toEqual([]);
  });

  it('and counted app by app in one order, so that two statements do not wait for each other', async () => {
    const apps = Array.from({ length: 50 }, (_, n) => `ordered-${String((n * 37) % 50).padStart(2, '0')}`);
    const write = 'INSERT INTO documents (tenant_id, app_id, collection, user_id, id, data, bytes, etag)';
    // Records each counted row in order.
    await database.dataSource.query(`
      CREATE TABLE counted_rows (at bigserial PRIMARY KEY, app_id text NOT NULL);
      CREATE FUNCTION note_counted() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO counted_rows (app_id) VALUES (NEW.app_id);
          RETURN NULL;
        END $$;
      CREATE TRIGGER note_counted AFTER INSERT OR UPDATE ON document_usage
        FOR EACH ROW WHEN (NEW.tenant_id = 'ordered') EXECUTE FUNCTION note_counted();
    `);
    const counted = async (statement: string, values: unknown[] = []) => {
      await database.dataSource.query('TRUNCATE counted_rows');
      await database.dataSource.query(statement, values);
      const rows = await database.dataSource.query<{ app_id: string }[]>('SELECT app_id FROM counted_rows ORDER BY at');
      return rows.map(({ app_id }) => app_id);
    };
    const inOrder = [...apps].sort();
    expect(
      await counted(`${write} SELECT 'ordered', app, 'c', 'u', 'id', '{}', 2, 'e' FROM unnest($1::text[]) app`, [apps]),
    ).toEqual(inOrder);
    expect(await counted(`UPDATE documents SET data = '{"a":1}', bytes = 8 WHERE tenant_id = 'ordered'`)).toEqual(
      inOrder,
    );
    expect(await counted("DELETE FROM documents WHERE tenant_id = 'ordered'")).toEqual(inOrder);
  });
});
