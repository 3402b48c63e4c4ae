import { runInSpan, useTracer, type Span, type Tracer } from '@platform/platform';
import { traceQueries } from './traced-queries.js';

const children: { name: string; failed: boolean | undefined }[] = [];
const span: Span = {
  traceId: '1',
  traceparent: '1',
  takesChildren: true,
  child: (name) => ({ ...span, end: ({ failed } = {}) => children.push({ name, failed }) }),
  end: () => undefined,
};
const tracer: Tracer = { root: () => span, close: () => Promise.resolve() };

beforeEach(() => {
  children.length = 0;
  useTracer(tracer);
});
afterEach(() => useTracer(null));

const names = () => children.map(({ name }) => name);

it.each([
  ['SELECT id FROM users WHERE id = $1', 'SELECT users'],
  ['SELECT id FROM gateway.users u', 'SELECT users'],
  ['SELECT q FROM unnest($1::text[]) AS q JOIN users u ON u.id = q', 'SELECT'],
  ['SELECT l.user_id IS NOT DISTINCT FROM l.owner_id FROM listings l', 'SELECT listings'],
  ['SELECT extract(epoch FROM blocked_until - now()) FROM "login_throttles"', 'SELECT login_throttles'],
  ['insert INTO rate_limits (id) VALUES ($1)', 'INSERT rate_limits'],
  ['UPDATE gateway.apps SET name = $1', 'UPDATE apps'],
  ['WITH due AS (SELECT id FROM outbox) DELETE FROM outbox WHERE id IN (SELECT id FROM due)', 'WITH outbox'],
  ['COMMIT', 'COMMIT'],
])('%s is called %s', async (statement, name) => {
  const query = traceQueries(() => Promise.resolve({ rows: [] }));
  await runInSpan(span, () => query(statement, ['a secret']));
  expect(children).toEqual([{ name, failed: undefined }]);
});

it('ends with the callback, and says that a statement failed', () => {
  const calledBack: unknown[] = [];
  const query = traceQueries((...statement) =>
    (statement.at(-1) as (error: unknown) => void)(new Error('No such table.')),
  );
  runInSpan(span, () => query({ text: 'SELECT 1 FROM nothing' }, (error: unknown) => calledBack.push(error)));
  expect([calledBack, children]).toEqual([[new Error('No such table.')], [{ name: 'SELECT nothing', failed: true }]]);
});

it('says that one failed whose promise is rejected, and rejects as it does', async () => {
  const query = traceQueries(() => Promise.reject(new Error('No such table.')));
  await expect(runInSpan(span, () => query('SELECT 1 FROM nothing'))).rejects.toThrow('No such table.');
  expect(children).toEqual([{ name: 'SELECT nothing', failed: true }]);
});

it('makes no span for what brings its own way to be run, nor outside of a span', async () => {
  const query = traceQueries(() => Promise.resolve());
  await query('SELECT 1');
  await runInSpan(span, () => query({ submit: () => undefined }));
  expect(names()).toEqual([]);
});
