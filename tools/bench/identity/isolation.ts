import { SIGNED_IN_USER } from '../../../apps/auth-gateway/src/identity/sessions/signed-in-users.service.js';
import { BareProcess } from '../bare/process.js';
import { isolateTables, LARGE_TENANT, SEARCHED_TEXT, type IsolatedTables } from './isolated-tables.js';
import type { Comparison } from '../comparing/comparison.js';
import { POOL_SIZE } from '../platform/bench-platform.js';

const CONCURRENCY = 16;

interface Statement {
  name: string;
  text: string;
  values: (tables: IsolatedTables) => string[][];
}

/** Statement of `GET /v1/auth/me` for a session that is not cached. */
const signedIn: Statement = {
  name: 'Signed-in user',
  text: SIGNED_IN_USER,
  values: ({ sessionIds }) => sessionIds.map((id) => [id]),
};

const search: Statement = {
  name: 'Search for users',
  text: `SELECT id, email, first_name, last_name, role FROM users
    WHERE tenant_id = $1 AND ${SEARCHED_TEXT} LIKE '%' || $2 || '%' ORDER BY created_at DESC, id LIMIT 50`,
  values: ({ parts }) => parts.map((part) => [LARGE_TENANT, part]),
};

let isolated: Promise<IsolatedTables> | undefined;

/**
 * Compares a statement under row-level security with the bare one.
 * @param how `transaction`: a transaction around the statement gives the tenant to the policies,
 * the only way that is safe with pooled connections. `policies`: each connection serves one tenant
 * forever, so that only the policies cost time.
 */
const measure = ({ name, text, values }: Statement, how: 'transaction' | 'policies'): Comparison => ({
  subject: `${name}: row-level security, ${how === 'transaction' ? 'in a transaction' : 'policies alone'}`,
  baseline: 'bare prepared statement',
  bar: null,
  async prepare(platform) {
    const tables = await (isolated ??= isolateTables(platform));
    const start = (databaseUrl: string, env: NodeJS.ProcessEnv = {}) =>
      BareProcess.start('statement', {
        DATABASE_URL: databaseUrl,
        DATABASE_POOL_SIZE: String(POOL_SIZE),
        STATEMENT: text,
        VALUES: JSON.stringify(values(tables)),
        ...env,
      });
    const bare = start(tables.exemptUrl);
    const secured = start(tables.restrictedUrl, {
      [how === 'transaction' ? 'TENANT_OF_TRANSACTION' : 'TENANT_OF_CONNECTION']: LARGE_TENANT,
    });
    return {
      baseline: (milliseconds) => bare.run({ concurrency: CONCURRENCY, milliseconds }),
      subject: (milliseconds) => secured.run({ concurrency: CONCURRENCY, milliseconds }),
      stop: () => [bare, secured].forEach((process) => process.stop()),
    };
  },
});

/**
 * Cost of row-level security compared with a statement that names the tenant:
 * docs/decisions/0009-tenant-isolation.md.
 */
export const isolation: Comparison[] = [signedIn, search].flatMap((statement) => [
  measure(statement, 'transaction'),
  measure(statement, 'policies'),
]);
