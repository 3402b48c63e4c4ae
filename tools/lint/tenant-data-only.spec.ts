import { lintSamples } from './lint-samples.js';

const SAMPLE = `
import { columns, queryPrepared, TenantData } from '@platform/persistence'; // refused
import { Client } from 'pg'; // refused
import type { DataSource, EntityManager, QueryRunner, Repository } from 'typeorm';
import { User } from '../../identity/accounts/user.entity.js';

const COLUMNS = columns(User, ['id']);

export async function all(db: DataSource, em: EntityManager, runner: QueryRunner, rows: Repository<object>, name: string) {
  await em.query(\`SELECT \${COLUMNS} FROM users\`); // refused
  await em.query(\`SELECT \${COLUMNS}\`); // refused
  await em.query(COLUMNS); // refused
  await db.query('SELECT * FROM users'); // refused
  await db.manager.query('SELECT * FROM users'); // refused
  await em.query(\`SELECT * FROM \${name}\`); // refused
  await em['query']('SELECT * FROM users'); // refused
  await em.find(name); // refused
  await em.createQueryBuilder().getMany(); // refused
  await db.getRepository(name).find(); // refused
  await rows.find(); // refused
  await runner.query('SELECT * FROM users'); // refused
  const { query } = em; // refused
  await query.call(em, 'SELECT * FROM users');
  const run = em.query.bind(em); // refused
  await run('SELECT * FROM users');
  await (name ? db : em).query('SELECT * FROM users'); // refused
  await em.query('SELECT pg_advisory_xact_lock(1)');
  await em.query("SELECT 1 WHERE 'a' IN (SELECT name FROM users)"); // refused
  await db.transaction((inner) => inner.query('SELECT * FROM users')); // refused
  await new TenantData(db.manager, name).query('SELECT * FROM users WHERE tenant_id = $tenant');
  await new TenantData(db.manager, name).query(\`SELECT \${COLUMNS} FROM users WHERE tenant_id = $tenant\`);
  const { manager } = db;
  await db.transaction((inner) => new TenantData(inner, name).query('SELECT * FROM users WHERE tenant_id = $tenant'));
  return [queryPrepared, Client, manager];
}
`;

const RULE = 'platform/tenant-data-only';
const CHECKED = 'apps/auth-gateway/src/organisation/tenants/tenants.service.ts';
const IS_ON_FOR = {
  [CHECKED]: true,
  'apps/auth-gateway/src/a-feature/still-to-come/things.service.ts': true,
  'apps/auth-gateway/src/identity/sessions/signed-in-users.ts': false,
  'apps/auth-gateway/src/organisation/tenants/tenants.spec.ts': false,
};

it('refuses every way around TenantData and nothing else, in new features too', async () => {
  const outcome = await lintSamples({ [CHECKED]: SAMPLE }, { rule: RULE, typed: true }, Object.keys(IS_ON_FOR));
  const messages = outcome.messages[CHECKED] ?? [];
  expect(messages.filter(({ fatal }) => fatal)).toEqual([]);
  const refused = new Set(messages.filter(({ ruleId }) => ruleId === RULE).map(({ line }) => line));
  const expected = SAMPLE.split('\n').flatMap((line, at) => (line.endsWith('// refused') ? [at + 1] : []));
  expect([...refused].sort((one, other) => one - other)).toEqual(expected);
  expect(outcome.isOnFor).toEqual(IS_ON_FOR);
}, 60_000);
