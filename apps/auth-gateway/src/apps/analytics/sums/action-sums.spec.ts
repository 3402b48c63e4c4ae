import type { ActionStatsResponse, AppAnalyticsResponse, ExtensionActionStats } from '@platform/contracts';
import { RetentionService } from '@platform/persistence';
import { newId } from '@platform/platform';
import { HeldLock, until, type TestClient } from '@platform/testing';
import { DataSource } from 'typeorm';
import { createApp, createDeveloper, tool, type TestApp } from '../../../testing/apps.js';
import { GatewayTest, type TestUser } from '../../../testing/gateway-test.js';
import { waitIfMidnightIsNear } from '../../../testing/midnight.js';
import { createTenant } from '../../../testing/tenants.js';
import { ActionSumsRepository } from './action-sums.repository.js';

const QUEUE = 'action-sums';
/** Older than the newest actions, which the job leaves for a later run. */
const AGE = '2 minutes';
const AGE_MS = 120_000;
const DAY_MS = 86_400_000;

let gateway: GatewayTest;
let user: TestUser;
let client: TestClient;
let app: TestApp;
let developer: TestClient;
beforeAll(async () => (gateway = await GatewayTest.start()));
beforeEach(async () => {
  await waitIfMidnightIsNear();
  await monthIsNotNew();
  await query('TRUNCATE actions, user_action_sums, app_action_sums, app_action_users');
  await query("UPDATE action_sums_mark SET summed_until = now() - interval '1 hour'");
  user = await gateway.user();
  client = await gateway.signIn(user);
  const developer_id = await createDeveloper(gateway);
  app = await createApp(gateway, { developer_id, tools: [tool('make'), tool('look')] });
  const [account] = await query<TestUser>('SELECT id, email FROM users WHERE id = $1', [developer_id]);
  developer = await gateway.signIn(account as TestUser);
}, 4 * AGE_MS);
afterAll(() => gateway.stop());

/**
 * Waits during the first minutes of a month: the sums are by month, and aged actions would fall
 * into the previous month.
 */
async function monthIsNotNew(): Promise<void> {
  if (new Date().getUTCDate() === 1) await until(() => Date.now() % DAY_MS > AGE_MS, 2 * AGE_MS);
}

const query = <Row>(sql: string, values: unknown[] = []) => gateway.service.query<Row>(sql, values);
const post = async (changes: object = {}) => {
  const action = {
    trace_id: newId('trace'),
    user_id: user.id,
    app_id: app.app_id,
    tool_name: 'make',
    action_type: 'read',
    status: 'success',
  };
  const { status } = await gateway.backend().post('/v1/actions', { ...action, ...changes });
  expect(status).toBe(200);
};
/** Makes all actions that are not summed yet old enough for the job. */
const age = async () => {
  await query('DELETE FROM actions WHERE created_at < (SELECT summed_until FROM action_sums_mark)');
  await query("UPDATE action_sums_mark SET summed_until = least(summed_until, now() - interval '3 minutes')");
  await query(`UPDATE actions SET created_at = created_at - interval '${AGE}'`);
};
const sumUp = () => gateway.runScheduledJob('sum-up', QUEUE);
const isSummedUp = async () => expect(await query('DELETE FROM actions RETURNING id')).not.toEqual([]);

const ofUser = async (as = client) => (await as.get<ActionStatsResponse>('/v1/actions/stats')).body;
const ofExtension = async () =>
  (await developer.get<ExtensionActionStats>(`/v1/actions/stats/extension/${app.app_id}`)).body;
const analytics = async () =>
  (await developer.get<AppAnalyticsResponse>(`/v1/developer/apps/${app.app_id}/analytics`)).body;
const answers = async () => ({
  ofUser: await ofUser(),
  ofExtension: await ofExtension(),
  analytics: await analytics(),
});

/** An app with calls by two users of different tenants, also of functions that it does not have. */
async function used(): Promise<TestUser> {
  const { id: tenant_id } = await createTenant(gateway.backend());
  const other = await gateway.user({ tenant_id });
  await post({ duration_ms: 100, tokens_used: 10, action_price: 3, extension_price: 3 });
  await post({ duration_ms: 300, tokens_used: 5, status: 'error' });
  await post({ user_id: other.id, tool_name: 'look', status: 'completed' });
  await query(
    `INSERT INTO actions (id, trace_id, user_id, tenant_id, app_id, function, status)
     SELECT 'act_' || $1 || n, 'act_' || $1 || n, $1, 'default', $2, 'invented-' || n, 'error' FROM generate_series(1, 3) AS n`,
    [user.id, app.app_id],
  );
  return other;
}
const USED = {
  ofUser: { actions: 5, tokens_used: 15, credits: 3, by_app: [{ actions: 5, tokens_used: 15, credits: 3 }] },
  ofExtension: {
    total_actions: 6,
    active_users: 2,
    success_rate: 2 / 6,
    avg_duration_ms: 200,
    by_function: [
      { function: 'make', total_actions: 2, errors: 1, avg_duration_ms: 200 },
      { function: 'look', total_actions: 1, errors: 0, avg_duration_ms: null },
    ],
  },
  analytics: {
    total_calls: 6,
    unique_users: 2,
    top_functions: [
      { function: 'make', calls: 2 },
      { function: 'look', calls: 1 },
    ],
  },
};

describe('sums of actions', () => {
  it('say the same before and after actions are summed up, and need no actions then', async () => {
    await used();
    expect(await answers()).toMatchObject(USED);
    await age();
    await sumUp();
    expect(await answers()).toMatchObject(USED);
    await isSummedUp();
    expect(await answers()).toMatchObject(USED);
  });

  it('are of one user of one tenant, and of one app', async () => {
    const other = await used();
    await age();
    await sumUp();
    const none = { actions: 0, by_app: [] };
    expect(await ofUser(await gateway.signIn(other))).toMatchObject({
      actions: 1,
      by_app: [{ app_id: app.app_id, actions: 1 }],
    });
    expect(await ofUser(await gateway.signIn(await gateway.user()))).toMatchObject(none);
    expect(await ofUser(developer)).toMatchObject(none);
    app = await createApp(gateway, { developer_id: app.developer_id });
    expect(await ofExtension()).toMatchObject({ total_actions: 0, active_users: 0, by_function: [] });
  });

  it('count what comes later, once, however often and at once the job runs', async () => {
    await post();
    await age();
    await sumUp();
    await post({ tool_name: 'look' });
    expect(await ofExtension()).toMatchObject({ total_actions: 2, active_users: 1 });
    for (let at = 0; at < 2; at++) await post({ tool_name: 'look' });
    await age();
    const beside = await gateway.startSecondProcess();
    try {
      const services = [gateway.service, beside].map(({ app: each }) =>
        each.get(ActionSumsRepository, { strict: false }),
      );
      await Promise.all([...services, ...services].map((each) => each.addNextActions()));
    } finally {
      await beside.stop();
    }
    await isSummedUp();
    expect(await ofExtension()).toMatchObject({
      total_actions: 4,
      by_function: [{ function: 'look', total_actions: 3 }, { function: 'make' }],
    });
  });

  it('count an action whose transaction was open while the job ran', async () => {
    const sums = gateway.service.app.get(ActionSumsRepository, { strict: false });
    const runner = gateway.service.app.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query(
        `INSERT INTO actions (id, trace_id, user_id, tenant_id, app_id, function, action_type, status)
         VALUES ('act_open', 'act_open', $1, 'default', $2, 'make', 'read', 'success')`,
        [user.id, app.app_id],
      );
      await query("UPDATE action_sums_mark SET summed_until = now() - interval '1 minute'");
      await sums.addNextActions('0 seconds');
      await runner.commitTransaction();
    } finally {
      await runner.release();
    }
    expect(await ofExtension()).toMatchObject({ total_actions: 1, active_users: 1 });
    await sums.addNextActions('0 seconds');
    await isSummedUp();
    expect(await ofExtension()).toMatchObject({ total_actions: 1, active_users: 1 });
  });

  it('are as before where the job fails midway, and right after its next run', async () => {
    await used();
    await age();
    gateway.expectFailures(QUEUE);
    await query('ALTER TABLE app_action_users RENAME TO away');
    await sumUp().catch(() => undefined);
    await query('ALTER TABLE away RENAME TO app_action_users');
    expect(await query('SELECT FROM user_action_sums')).toEqual([]);
    expect(await answers()).toMatchObject(USED);
    await sumUp();
    await isSummedUp();
    expect(await answers()).toMatchObject(USED);
  });

  it('name an erased user no more, and count for the app', async () => {
    const { id: tenant_id } = await createTenant(gateway.backend());
    const gone = await gateway.user({ tenant_id });
    await used();
    await post({ user_id: gone.id });
    await age();
    await sumUp();
    expect(await ofExtension()).toMatchObject({ total_actions: 7, active_users: 3 });
    await post({ user_id: gone.id });
    expect((await gateway.backend().delete(`/v1/users/${gone.id}?permanent=true&tenant_id=${tenant_id}`)).status).toBe(
      200,
    );
    await gateway.runJobs();
    await age();
    await sumUp();
    for (const table of ['user_action_sums', 'app_action_users'])
      expect(await query(`SELECT FROM ${table} WHERE user_id = $1`, [gone.id])).toEqual([]);
    expect(await ofExtension()).toMatchObject({ total_actions: 8, active_users: 2 });
    expect(await ofUser()).toMatchObject(USED.ofUser);
  });

  it('go when nobody may read them any more', async () => {
    const rows = 'generate_series(0, 500, 100) AS days';
    const day = 'current_date - days';
    await query(`INSERT INTO app_action_sums SELECT $1, ${day}, 'make', 1, 0, 0, 0 FROM ${rows}`, [app.app_id]);
    await query(`INSERT INTO user_action_sums SELECT 'default', $1, ${day}, $2, 1, 0, 0 FROM ${rows}`, [
      user.id,
      app.app_id,
    ]);
    await query(`INSERT INTO app_action_users SELECT $1, $2 || days, ${day} FROM ${rows}`, [app.app_id, user.id]);
    await gateway.service.app.get(RetentionService).deleteExpiredRows();
    const left = await Promise.all(
      ['app_action_sums', 'user_action_sums', 'app_action_users'].map(
        async (table) => (await query(`SELECT FROM ${table}`)).length,
      ),
    );
    expect(left).toEqual([5, 1, 5]);
  });
});

describe('a read of many rows', () => {
  const busy = { status: 429, body: { code: 'rate_limited' } };

  it.each<[string, string, () => [TestClient, string]]>([
    ['statistics of a user', 'action_sums_mark', () => [client, '/v1/actions/stats']],
    ['statistics of an app', 'action_sums_mark', () => [developer, `/v1/actions/stats/extension/${app.app_id}`]],
    ['analytics of an app', 'action_sums_mark', () => [developer, `/v1/developer/apps/${app.app_id}/analytics`]],
    ['a search', 'actions', () => [client, '/v1/actions?search=make']],
  ])('runs one at a time for a user, who is told when to ask again: %s', async (_what, table, request) => {
    const [as, path] = request();
    const lock = await HeldLock.acquire(gateway.service, `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const first = as.get(path);
    try {
      await lock.waitForBlocked(1);
      const second = await as.get(path);
      expect(second).toMatchObject(busy);
      expect(second.headers.get('retry-after')).toBe('1');
    } finally {
      await lock.release();
    }
    expect((await first).status).toBe(200);
    expect((await as.get(path)).status).toBe(200);
  });

  it('of one user keeps no other user waiting', async () => {
    const other = await gateway.signIn(await gateway.user());
    const lock = await HeldLock.acquire(gateway.service, 'LOCK TABLE action_sums_mark IN ACCESS EXCLUSIVE MODE');
    const both = [client, other].map((as) => as.get('/v1/actions/stats'));
    await lock.waitForBlocked(2).finally(() => lock.release());
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
  });
});
