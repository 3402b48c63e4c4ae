import { Client } from 'pg';
import { GatewayTest } from '../../testing/gateway-test.js';
import { Statements } from '../../testing/statements.js';
import { TenantContent } from '../../testing/tenant-content.js';

/** Tables with rows of users that no step of an account deletion deletes, with the reason. */
const KEPT: Record<string, string> = {
  app_action_users: 'the job that forgets actions deletes them, a part at a time',
  user_action_sums: 'the job that forgets actions deletes them, a part at a time',
  billing_customers: 'a job deletes them at the payment provider, and here then',
  former_billing_customers: 'a job deletes them with the current one',
  document_purges:
    'the erasure adds to it: by it, the documents that apps keep of the user are deleted at the extension host',
  install_narrowings: 'ids and scopes of changes that are under way, which go after a day',
  installs: 'a job removes them at the Registry, and says so here; then they are an id and a time',
  wallets: 'are closed, and what is left goes to the platform; their entries are kept, without anything personal',
  invoices: 'are the books of the seller, and say to whom they were made out',
  sign_in_records: 'on their way into the audit log, within moments',
};

let gateway: GatewayTest;
let content: TenantContent;
let client: Client;
/** SQL statements of the account deletion. */
let statements: string[];
/** Number of the user's rows by table, before and after. */
let before: Record<string, number>;
let after: Record<string, number>;

beforeAll(async () => {
  gateway = await GatewayTest.start();
  content = await TenantContent.create(gateway);
  client = new Client({ connectionString: gateway.service.env['DATABASE_URL'], options: '-c search_path=gateway' });
  await client.connect();
  before = await rowsOfUser();
  const noted = new Statements();
  const requestId = 'erasure-of-a-user';
  const { status } = await content.adminClient
    .withHeaders({ 'X-Request-Id': requestId })
    .delete(`/v1/users/${content.ordinary.id}?permanent=true`);
  expect(status).toBe(200);
  statements = noted.ofRequest(requestId);
  noted.stop();
  after = await rowsOfUser();
}, 90_000);
afterEach(() => client.query('ROLLBACK'));
afterAll(async () => {
  await client.end();
  await gateway.stop();
});

/** Tables with a column that names a user, found by its name or by a foreign key. */
async function tablesOfUsers(): Promise<{ name: string; column: string }[]> {
  const { rows } = await client.query<{ name: string; column: string }>(`
    SELECT c.relname AS name, a.attname AS column
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace IN ('gateway'::regnamespace, 'gateway_audit'::regnamespace) AND c.relkind IN ('r', 'p', 'f') AND NOT c.relispartition
      AND (a.attname = 'user_id' OR EXISTS (
        SELECT FROM pg_constraint k
        WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid = 'users'::regclass AND k.conkey = ARRAY[a.attnum]))
    ORDER BY 1, 2`);
  return rows;
}

async function rowsOfUser(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name, column } of await tablesOfUsers()) {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${name} WHERE ${column} = $1`,
      [content.ordinary.id],
    );
    counts[name] = rows[0]?.count ?? 0;
  }
  return counts;
}

const isErased = (table: string): boolean =>
  statements.some((text) => new RegExp(`^\\s*(DELETE FROM|UPDATE) ${table}\\b`).test(text));
const isForgotten = ({ name }: { name: string }): boolean => !isErased(name) && !(name in KEPT);

describe('the erasure of a user', () => {
  it('goes over every table with rows of users, or it is known why not', async () => {
    const tables = await tablesOfUsers();
    expect(tables.filter(isForgotten)).toEqual([]);
    const names = tables.map(({ name }) => name);
    expect(Object.keys(KEPT).filter((name) => !names.includes(name) || isErased(name))).toEqual([]);
  });

  it.each([
    ['names users by a foreign key', 'owner_id text REFERENCES users'],
    ['names users without one', 'user_id text'],
  ])('would be noticed to forget a table that %s', async (_how, column) => {
    await client.query('BEGIN');
    await client.query(`CREATE TABLE new_feature (id text PRIMARY KEY, ${column})`);
    expect((await tablesOfUsers()).filter(isForgotten).map(({ name }) => name)).toEqual(['new_feature']);
  });

  it('leaves no row of theirs, but that they were a developer, had a plan, paid and were paid', () => {
    const left = Object.keys(after).filter((name) => after[name] && !(name in KEPT));
    expect(left).toEqual([
      'auto_topup_consents',
      'developers',
      'payments',
      'payout_destinations',
      'payouts',
      'subscriptions',
    ]);
    expect(Object.keys(before).filter((name) => before[name]).length).toBeGreaterThan(12); // most tables had rows
  });

  it('ends what acts for the user before it deletes what that may have caused', () => {
    const at = (table: string) => statements.findIndex((text) => text.startsWith(`DELETE FROM ${table} `));
    const acts = ['mail_tokens', 'cli_codes', 'device_codes', 'api_keys', 'sessions', 'automation_rules'].map(at);
    const kept = [
      'scope_denials',
      'disabled_extensions',
      'review_votes',
      'reviews',
      'confirmations',
      'notifications',
      'platform_events',
    ];
    expect(Math.min(...acts)).toBeGreaterThan(0);
    expect(Math.max(...acts)).toBeLessThan(Math.min(...kept.map(at)));
    expect(statements.findIndex((text) => text.includes('UPDATE users SET email'))).toBeGreaterThan(
      Math.max(...kept.map(at)),
    );
  });
});
