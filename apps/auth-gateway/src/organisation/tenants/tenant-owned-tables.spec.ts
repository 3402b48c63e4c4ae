import { createTestDatabase, type TestDatabase } from '@platform/testing';
import { Client } from 'pg';

/**
 * Tables without a mandatory `tenant_id` with a foreign key to `tenants`. These rows belong to a
 * user; the test checks that `user_id` is mandatory and has a foreign key to `users`, which
 * determines the tenant.
 */
const OF_A_USER = [
  'api_keys',
  'automation_rules',
  'cli_codes',
  'confirmations',
  'developers',
  'disabled_extensions',
  'mail_tokens',
  'notifications',
  'payment_declines',
  'review_votes',
  'reviews',
  'sessions',
  'spending_limits',
  'tasks',
];
const OF_NO_TENANT: Record<string, string> = {
  tenants: 'they are the tenants',
  scopes: 'a row without tenant is for every tenant; the others name theirs, by foreign key',
  device_codes: 'nobody is known until a user decides; from then on it is theirs, by foreign key',
  automation_fires: 'of a rule, by foreign key, which is of a user',
  device_polls: 'when a device that nobody is signed in on asked last',
  login_throttles: 'counts wrong passwords under a MAC of tenant and address, also of accounts that do not exist',
  rate_limits: 'counts requests of strangers',
  signing_keys: 'the platform signs for every tenant with the same keys',
  apps: 'users of every tenant may install them; their developer is a user, by foreign key',
  app_versions: 'as apps',
  deploys: 'as apps',
  retired_app_ids: 'as apps',
  app_prices: 'as apps',
  app_mismatches: 'as apps',
  app_health_states: 'as apps',
  app_listings: 'as apps; counts the installs and reviews of every tenant',
  app_search: 'as apps',
  app_runtime_changes: 'as apps',
  app_words: 'words of apps',
  counted_uses: 'random keys of what was counted of an app, which go after two days',
  event_usage:
    'counts bytes of the developer of apps, which are of every tenant, and of each user of theirs; days that are over go',
  document_purges:
    'names the tenant, by foreign key, in every row but of an app that was deleted, of which all goes in every tenant',
  usage_counters:
    'names a user in every row, of one tenant; without a foreign key, since nobody who calls may wait for the row of another user',
  plans: 'users of every tenant have the same ones',
  install_feed: 'how far the changes of the Registry are known',
  outbox: 'work that is under way, by ids',
  webhook_endpoint_cursors: 'how far the events of every tenant have been given to endpoints',
  event_stream_processes: 'how many clients follow events at each process',
  seen_workers: 'when processes of the platform were last at work',
  mail_outages: 'since when no mail gets to the mail server, which all share',
  ledger_entries: 'of a wallet, by foreign key, which is of a tenant',
  ledger_debts: 'as ledger_entries',
  wallet_holds: 'as ledger_entries',
  spending: 'as ledger_entries',
  wallet_crossings: 'as ledger_entries',
  commission_due: 'of an entry, by foreign key, which is of a wallet',
  forgotten_shares: 'as commission_due',
  earnings_by_day: 'sums up entries for their developer, whose users are of every tenant',
  app_earnings: 'as earnings_by_day',
  wallet_seals: 'as commission_due',
  ledger_roots: 'seal the entries of every tenant',
  ledger_checks: 'what the last check of the whole ledger found',
  invoice_counters: 'how many invoices of the seller there are in a year',
  payment_mails: 'of a payment, by foreign key, which is of a tenant',
  inbound_events: 'of the payment provider, by its ids; the payment that one is about is of a user',
  payment_balance_checks: 'what the last comparison of all payments with the provider found',
  billing_clock: 'the time is the same for every tenant',
  migrations: 'what was done to the schema',
  audit_entries: 'names the tenant in every row; without a foreign key, since a log outlives what it tells of',
  actions: 'as audit_entries',
  user_action_sums: 'as actions, which they sum up',
  app_action_sums: 'sum up actions with apps, which are of every tenant',
  app_action_users:
    'who uses apps, which are of every tenant; without a foreign key, since summing up waits for no user',
  action_sums_mark: 'how far the actions of every tenant are summed up',
  audit_chain: 'as audit_entries',
  audit_heads: 'as audit_entries',
  audit_seals: 'as audit_entries',
};

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url, options: '-c search_path=gateway' });
  await client.connect();
});
afterEach(() => client.query('ROLLBACK'));
afterAll(async () => {
  await client.end();
  await database.drop();
});

interface Table {
  name: string;
  owner: 'tenant' | 'user' | null;
}

/** Every table of the schema, with the owner that its mandatory foreign key names. */
async function tables(): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    SELECT c.relname AS name, (
      SELECT CASE a.attname WHEN 'tenant_id' THEN 'tenant' ELSE 'user' END
      FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND k.conkey = ARRAY[a.attnum]
      WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.convalidated AND a.attnotnull
        AND (a.attname, k.confrelid) IN (('tenant_id', 'tenants'::regclass), ('user_id', 'users'::regclass))
      ORDER BY a.attname LIMIT 1
    ) AS owner
    FROM pg_class c
    WHERE c.relnamespace IN ('gateway'::regnamespace, 'gateway_audit'::regnamespace) AND c.relkind IN ('r', 'p', 'f') AND NOT c.relispartition
    ORDER BY c.relname`);
  return rows;
}

const isForgotten = ({ name, owner }: Table): boolean =>
  owner !== 'tenant' && !(owner === 'user' && OF_A_USER.includes(name)) && !(name in OF_NO_TENANT);

describe('a table of the gateway', () => {
  it('is owned by tenants, or is known to be something else', async () => {
    expect((await tables()).filter(isForgotten)).toEqual([]);
  });

  it('is not taken for something else that it no longer is', async () => {
    const owners = new Map((await tables()).map(({ name, owner }) => [name, owner]));
    expect(OF_A_USER.map((name) => [name, owners.get(name)])).toEqual(OF_A_USER.map((name) => [name, 'user']));
    const reasons = Object.keys(OF_NO_TENANT);
    expect(reasons.map((name) => [name, owners.get(name)])).toEqual(reasons.map((name) => [name, null]));
  });

  it.each([
    ['says nothing', ''],
    ['has a tenant without a foreign key', ', tenant_id text NOT NULL'],
    ['may have no tenant', ', tenant_id text REFERENCES tenants'],
    ['names the tenant otherwise', ', owner text NOT NULL REFERENCES tenants'],
    ['belongs to users, which nobody has said', ', user_id text NOT NULL REFERENCES users'],
  ])('is noticed when it %s', async (_what, columns) => {
    await client.query('BEGIN');
    await client.query(`CREATE TABLE new_feature (id text PRIMARY KEY${columns})`);
    expect((await tables()).filter(isForgotten).map(({ name }) => name)).toEqual(['new_feature']);
  });

  it('is not noticed when it is owned by tenants', async () => {
    await client.query('BEGIN');
    await client.query('CREATE TABLE new_feature (id text PRIMARY KEY, tenant_id text NOT NULL REFERENCES tenants)');
    expect((await tables()).filter(isForgotten)).toEqual([]);
  });
});
