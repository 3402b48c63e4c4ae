import { JobsService } from '@platform/messaging';
import { SWEEP_BATCH } from '@platform/persistence';
import { until } from '@platform/testing';
import { GatewayTest, type TestUser } from '../testing/gateway-test.js';
import { Statements } from '../testing/statements.js';

let gateway: GatewayTest;
let user: TestUser;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  user = await gateway.user();
});
afterAll(() => gateway.stop());

/**
 * Tables with a retention. `insert` makes a row (`$1`: number, `$2`: time, `$3`: user); at an age
 * of `live` days it stays, at `expired` days it is deleted.
 */
const KEPT: readonly { table: string; id: string; insert: string; live: number; expired: number }[] = [
  {
    table: 'mail_tokens',
    id: 'id',
    insert: "(id, purpose, hash, expires_at, user_id) VALUES ($1, $1, convert_to($1, 'UTF8'), $2, $3)",
    live: 0.9,
    expired: 1.1,
  },
  {
    table: 'device_codes',
    id: "convert_from(device_hash, 'UTF8')",
    insert:
      "(device_hash, user_code_hash, code_challenge, ip_bucket, expires_at, status, user_id) VALUES (convert_to($1, 'UTF8'), convert_to($1, 'UTF8'), '', '', $2, 'denied', $3)",
    live: 0.04,
    expired: 0.05,
  },
  {
    table: 'cli_codes',
    id: "convert_from(code_hash, 'UTF8')",
    insert:
      "(code_hash, credentials_epoch, code_challenge, expires_at, user_id) VALUES (convert_to($1, 'UTF8'), 0, '', $2, $3)",
    live: 29,
    expired: 31,
  },
  {
    table: 'actions',
    id: 'id',
    insert:
      "(id, trace_id, tenant_id, app_id, function, status, created_at, user_id) VALUES ($1, $1, 'default', 'app', 'f', 'success', $2, $3)",
    live: 399,
    expired: 401,
  },
  {
    table: 'notifications',
    id: 'id',
    insert:
      "(id, tenant_id, app_id, channel, priority, message, created_at, user_id) VALUES ($1, 'default', 'app', 'in_app', 'low', '', $2, $3)",
    live: 89,
    expired: 91,
  },
  {
    table: 'sessions',
    id: 'id',
    insert: "(id, surface, idle_expires_at, absolute_expires_at, user_id) VALUES ($1, 'web', $2, now(), $3)",
    live: 89,
    expired: 91,
  },
  {
    table: 'sessions',
    id: 'id',
    insert:
      "(id, surface, registered, idle_expires_at, absolute_expires_at, user_id) VALUES ($1, 'web', true, $2, now(), $3)",
    live: 0.9,
    expired: 1.1,
  },
];

const add = (insert: string, table: string, id: string, daysAgo: number) =>
  gateway.service.query(`INSERT INTO ${table} ${insert}`, [id, new Date(Date.now() - daysAgo * 86_400_000), user.id]);

/** Runs the sweep. Returns the id of the job. */
async function sweep(): Promise<string> {
  const [job] = await gateway.service.query<{ id: string }>(
    "INSERT INTO outbox (id, queue, name, payload) VALUES ('job_' || gen_random_uuid(), 'maintenance', 'sweep', '{}') RETURNING id",
  );
  await gateway.service.app.get(JobsService).requeueLostJobs();
  await until(async () => !(await gateway.service.query('SELECT FROM outbox WHERE id = $1', [job?.id])).length);
  return job?.id as string;
}

/** Tables with rows that expire. Each feature registers its own; none can be missing. */
const SWEPT = [
  'actions',
  'automation_fires',
  'cli_codes',
  'confirmations',
  'device_codes',
  'device_polls',
  'event_usage',
  'install_narrowings',
  'login_throttles',
  'mail_tokens',
  'notifications',
  'pending_credentials',
  'platform_events',
  'rate_limits',
  'sessions',
];

it('sweeps every table whose rows expire, each once, and makes partitions of the audit log first', async () => {
  const statements = new Statements();
  const sent = statements.ofRequest(await sweep());
  statements.stop();
  expect(sent[0]).toBe('SELECT gateway_audit.audit_create_partitions(3)');
  const deleted = sent.flatMap((text) => /^DELETE FROM (\w+) WHERE .* FOR UPDATE SKIP LOCKED\)$/.exec(text)?.[1] ?? []);
  expect(new Set(deleted).size).toBe(deleted.length);
  expect(SWEPT.filter((table) => !deleted.includes(table))).toEqual([]);
});

it.each(KEPT)('forgets $table when they serve nothing any more', async ({ table, id, insert, live, expired }) => {
  await add(insert, table, 'live', live);
  await add(insert, table, 'expired', expired);
  await sweep();
  expect(await gateway.service.query(`SELECT ${id} AS id FROM ${table} WHERE user_id = $1`, [user.id])).toEqual([
    { id: 'live' },
  ]);
  await gateway.service.query(`DELETE FROM ${table} WHERE user_id = $1`, [user.id]);
});

it('forgets signups that can be confirmed no more', async () => {
  await gateway.service.query(
    `INSERT INTO pending_credentials (id, tenant_id, email, password_hash, created_at)
     SELECT 'usr_' || days, 'default', 'a@example.com', 'x', now() - make_interval(days => days) FROM unnest('{7,9}'::int[]) days`,
  );
  await sweep();
  expect(await gateway.service.query('SELECT id FROM pending_credentials')).toEqual([{ id: 'usr_7' }]);
});

it('forgets more than one batch at a time', async () => {
  await gateway.service.query(
    `INSERT INTO notifications (id, user_id, tenant_id, app_id, channel, priority, message, created_at)
     SELECT 'old' || n, $1, 'default', 'app', 'in_app', 'low', '', now() - interval '91 days' FROM generate_series(1, $2::int) n`,
    [user.id, 2 * SWEEP_BATCH + 1],
  );
  await sweep();
  expect(await gateway.service.query("SELECT id FROM notifications WHERE id LIKE 'old%'")).toEqual([]);
});
