import { LedgerService, WalletsRepository } from '@platform/billing';
import type { CallResponse, KeyResponse, NotificationsResponse, RuleAction, RuleResponse } from '@platform/contracts';
import { AppError, newUuid } from '@platform/platform';
import { JobsService, Postponed } from '@platform/messaging';
import { Outbox } from '@platform/persistence';
import { HeldLock, until, type TestClient, type TestService } from '@platform/testing';
import { asNewEvent } from '../../testing/events.js';
import { PlatformEventsService, type PlatformEvent } from '../../extensions/events/platform-events.service.js';
import { CallQuotasService } from '../../extensions/calls/call-quotas.service.js';
import { SystemExtensionsRegistry } from '../../extensions/calls/system-extensions.registry.js';
import { createApp, setPrices, tool, type TestApp } from '../../testing/apps.js';
import type { TestUser } from '../../testing/gateway-test.js';
import { createRunGrant } from '../../testing/run-grants.js';
import { createRegisteredApp } from '../../testing/registered-apps.js';
import { RegistryTest } from '../../testing/registry-test.js';
import { FakeRunHost, SUCCESS } from '../../testing/fake-run-host.js';
import { createTenant } from '../../testing/tenants.js';
import { AutomationsService } from '../automations.service.js';
import { RuleActionsWorker } from './rule-actions.worker.js';
import { fireQueue, LIMITED_RETRY } from './firing.jobs.js';
import { MAX_PENDING, RuleFiringService, MAX_RULES_PER_JOB } from './rule-firing.service.js';

let host: FakeRunHost;
let platform: RegistryTest;
let beside: TestService;
let user: TestUser;
let client: TestClient;
/**
 * Events that a listener in the first process received. Events of `beside`, which has no other
 * listener, arrive only if a rule waits for them.
 */
const published: PlatformEvent[] = [];
beforeAll(async () => {
  jest.spyOn(fireQueue, 'backoff').mockReturnValue(1);
  host = await FakeRunHost.start();
  platform = await RegistryTest.start({ WORKERS: 'inline', EXT_WEBHOOK_HOST_URL: host.url });
  beside = await platform.gateway.startSecondProcess({ WORKERS: 'off' });
  platform.gateway.service.app.get(PlatformEventsService).onEvent('spec', (event) => {
    published.push(event);
    return Promise.resolve();
  });
});
beforeEach(async () => {
  host.reset();
  user = await platform.gateway.user();
  client = await platform.gateway.signIn(user);
});
afterAll(async () => {
  await beside.stop();
  await query('DELETE FROM platform_events'); // invented events do not match the catalogue
  await platform.stop();
  await host.stop();
});

const query = <Row>(sql: string, values: unknown[] = []) => platform.gateway.service.query<Row>(sql, values);
/** Alternates between two processes. */
const firing = (at = 0): RuleFiringService => (at % 2 ? beside : platform.gateway.service).app.get(RuleFiringService);
const hello: RuleAction[] = [{ message: 'Hello {{ event.data.name }}' }];

const anEvent = (changes: Partial<PlatformEvent> = {}): PlatformEvent => ({
  id: newUuid(),
  type: 'notes.created',
  tenantId: 'default',
  userId: user.id,
  source: 'notes',
  data: { name: 'Ada' },
  hop: 0,
  scopes: null,
  key: null,
  apps: null,
  at: new Date(),
  ...changes,
});
/**
 * Waits until no rule is due: the worker looks every 5 s and may already fire rules that `tick`
 * skipped.
 */
const firesAreThere = () =>
  until(
    async () =>
      !(await query('SELECT FROM automation_rules WHERE status = $1 AND next_at <= now() LIMIT 1', ['active'])).length,
  );
const tell = async (events: PlatformEvent[]): Promise<void> => {
  await Promise.all(events.map((event, at) => firing(at).onEvent(event)));
  await idle();
};
/** Waits until all jobs have ended. */
const idle = () =>
  until(async () => !(await query("SELECT FROM outbox WHERE queue IN ('automation-fires', 'platform-events')")).length);

interface Definition {
  event_type?: string;
  schedule?: string;
  actions?: RuleAction[];
  [more: string]: unknown;
}
async function rule(
  { event_type = 'notes.created', schedule, actions = hello, ...more }: Definition = {},
  as = client,
  owner = user,
): Promise<RuleResponse> {
  const params = {
    trigger_filter: { event_type, schedule },
    actions,
    cooldown_seconds: 0,
    max_per_hour: 1_000,
    ...more,
  };
  const { body } = await as.post<{ data: RuleResponse; error: string | null }>('/v1/extensions/automations/call', {
    user_id: owner.id,
    function: 'create_automation',
    params,
  });
  expect(body.error).toBeNull();
  return body.data;
}
/** Far in the future, so that it never fires during a test. */
const LEAP_DAY = '0 0 29 2 *';
const scheduled = (definition: Definition = {}, as = client) =>
  rule({ event_type: 'system.scheduled', schedule: LEAP_DAY, ...definition }, as);
const read = async ({ id }: { id: number }, as = client) =>
  (await as.get<RuleResponse[]>('/v1/automations')).body.find((one) => one.id === id) as RuleResponse;
const notes = async (as = client) => (await as.get<NotificationsResponse>('/v1/me/notifications')).body.items;
const told = async (as = client) => (await notes(as)).map(({ message }) => message);
const causes = async ({ id }: { id: number }) =>
  (
    await query<{ cause: string }>('SELECT cause FROM automation_fires WHERE rule_id = $1 ORDER BY fired_at, id', [id])
  ).map(({ cause }) => cause);

/** An app with one function, installed by the user. */
async function installed(changes: Parameters<typeof tool>[1] = { action_type: 'write' }): Promise<string> {
  const { app_id } = await createRegisteredApp(platform, { tools: [tool('act', changes)], document: {} });
  await install(app_id);
  return app_id;
}

/** Installs the app and agrees to the price that was shown; also for a second install. */
async function install(appId: string, shown: { price_version?: number | null } = {}): Promise<void> {
  expect((await client.post(`/v1/marketplace/apps/${appId}/install`, shown)).status).toBe(200);
}

describe('an event', () => {
  it('has a job only where an active rule waits for it, of its user and type, or of the developer of its app where it is nobody’s', async () => {
    const [other, paused] = [await platform.gateway.user(), await rule({ event_type: 'email.received' })];
    await client.post(`/v1/automations/${paused.id}/pause`);
    await rule();
    const { app } = beside; // only rules listen in this process
    const jobsOf = async (changes: Partial<PlatformEvent>): Promise<number> => {
      const event = anEvent(changes);
      const id = await app
        .get(Outbox)
        .transaction((em) => app.get(PlatformEventsService).publish(em, asNewEvent(event)));
      expect(id).toBe(event.id); // it was published; otherwise "no job" would prove nothing
      return enqueued(event.id).length;
    };
    /** Number of jobs for an event of an app without a user. */
    const jobsOfApp = async ({ app_id }: TestApp): Promise<number> => {
      const event = { event_id: newUuid(), type: `${app_id}.made`, data: {}, timestamp: new Date() };
      await app
        .get(PlatformEventsService)
        .acceptEvent({ ...event, grant: await createRunGrant(platform.gateway.service, app_id) });
      expect(await query('SELECT FROM platform_events WHERE id = $1', [event.event_id])).toHaveLength(1);
      return enqueued(event.event_id).length;
    };
    await query("INSERT INTO developers (user_id, display_name) VALUES ($1, 'Ada')", [user.id]);
    const own = await createApp(platform.gateway, { developer_id: user.id, document: {} });
    const foreign = await createApp(platform.gateway, { document: {} });
    const { id: ofApp } = await rule();
    const listenTo = (type: string) =>
      query('UPDATE automation_rules SET event_type = $2 WHERE id = $1', [ofApp, type]);
    const enqueue = jest.spyOn(app.get(JobsService), 'enqueue');
    const enqueued = (id: string) =>
      enqueue.mock.calls.filter(
        ([, { name }, , job]) => name === 'platform-events' && (job as { event_id: string }).event_id === id,
      );
    try {
      await listenTo(`${own.app_id}.made`);
      expect(await jobsOf({})).toBe(1);
      expect(await jobsOf({ type: 'notes.removed' })).toBe(0);
      expect(await jobsOf({ type: 'email.received' })).toBe(0);
      expect(await jobsOf({ userId: other.id })).toBe(0);
      expect(await jobsOfApp(own)).toBe(1);
      await until(async () => (await told()).length === 2);
      await listenTo(`${foreign.app_id}.made`);
      expect(await jobsOfApp(own)).toBe(0);
      expect(await jobsOfApp(foreign)).toBe(0);
    } finally {
      enqueue.mockRestore();
    }
    await idle();
  });

  it('fires the rules of its user that wait for it, once, and tells that they fired', async () => {
    const { id: tenant_id } = await createTenant(platform.gateway.backend());
    const others = [await platform.gateway.user(), await platform.gateway.user({ tenant_id })];
    const clients = await Promise.all(others.map((other) => platform.gateway.signIn(other)));
    const theirs = await Promise.all(others.map((other, at) => rule({}, clients[at], other)));
    const waiting = [await rule(), await rule()];
    const unmoved = [await rule({ event_type: 'email.received' }), await rule()];
    await client.post(`/v1/automations/${unmoved[1]?.id}/pause`);
    const event = anEvent({ hop: 2 });
    await tell([event, event, event, event]);

    expect(await told()).toEqual(['Hello Ada', 'Hello Ada']);
    for (const one of waiting) {
      expect(await read(one)).toMatchObject({
        trigger_count: 1,
        success_count: 1,
        fail_count: 0,
        last_error: null,
        last_triggered: expect.any(String),
      });
      expect(await causes(one)).toEqual([event.id]);
    }
    for (const one of unmoved) expect(await causes(one)).toEqual([]);
    for (const one of theirs) expect(await causes(one)).toEqual([]);
    const triggered = await query<{ hop: number; payload: Record<string, unknown> }>(
      "SELECT hop, payload FROM platform_events WHERE type = 'automation.triggered' AND user_id = $1",
      [user.id],
    );
    expect(triggered.map(({ payload }) => payload['rule_id']).sort()).toEqual(waiting.map(({ id }) => id).sort());
    expect(triggered).toMatchObject([{ hop: 3, payload: { event_id: event.id, event_type: 'notes.created' } }, {}]);
  });

  it('that the platform itself publishes fires rules too', async () => {
    const welcome = await rule({
      event_type: 'marketplace.app_installed',
      actions: [{ message: 'You have {{ event.data.app_id }}' }],
    });
    const appId = await installed();
    await until(async () => (await read(welcome)).success_count === 1);
    expect(await told()).toEqual([`You have ${appId}`]);
  });

  it('fires as many rules of its user as there are, a few by each job', async () => {
    const admin = await platform.gateway.user({ role: 'admin' });
    const rows = await query<{ id: number }>(
      `INSERT INTO automation_rules (user_id, tenant_id, prompt, interpretation, event_type, actions, scopes, cooldown_seconds, max_per_hour,
         max_iterations, notify_mode)
       SELECT $1, 'default', '', '', 'notes.created', '[{"message":"x"}]', '{}', 0, 10, 0, 'off' FROM generate_series(1, $2::int) RETURNING id`,
      [admin.id, 2 * MAX_RULES_PER_JOB + 5],
    );
    const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
    const onEvent = jest.spyOn(firing(), 'onEvent');
    const { app } = platform.gateway.service;
    const event = await app.get(Outbox).transaction((em) => {
      const { type, tenantId, data } = anEvent();
      return app.get(PlatformEventsService).publish(em, asNewEvent({ type, tenantId, data, userId: admin.id }));
    });
    await idle();
    const jobs = onEvent.mock.calls.filter(([{ id }]) => id === event).map(([, after]) => after);
    onEvent.mockRestore();
    expect(jobs).toEqual([undefined, String(ids[MAX_RULES_PER_JOB - 1]), String(ids[2 * MAX_RULES_PER_JOB - 1])]);
    expect(published.filter(({ id }) => id === event)).toHaveLength(1);
    for (const id of ids) expect(await causes({ id })).toEqual([event]);
  });

  it('that is about an app has no other app hear that a rule fired by it, nor that a rule fired by that', async () => {
    const other = await installed();
    await until(
      async () => (await query('SELECT FROM platform_events WHERE payload = $1', [{ app_id: other }])).length,
    );
    await idle();
    const rules = [
      await rule({ event_type: 'marketplace.app_installed' }),
      await rule({ event_type: 'automation.triggered' }),
    ];
    const appId = await installed();
    const firedBy = (one?: { id: number }) =>
      published.find(({ type, data }) => type === 'automation.triggered' && data['rule_id'] === one?.id);
    await until(() => Promise.resolve(rules.every((one) => firedBy(one))));
    for (const event of rules.map(firedBy)) {
      expect(event?.data).toMatchObject({ about_app: appId });
      const body = { event_id: event?.id, app_ids: [other, appId] };
      expect((await platform.gateway.backend().post('/v1/internal/events/subscribers', body)).body).toEqual({
        app_ids: [appId],
      });
    }
    const plain = await rule();
    await tell([anEvent()]);
    const { id, data } = firedBy(plain) as PlatformEvent;
    expect(data).toMatchObject({ about_app: null });
    const asked = await platform.gateway
      .backend()
      .post('/v1/internal/events/subscribers', { event_id: id, app_ids: [other, appId] });
    expect(asked.body).toEqual({ app_ids: [other, appId] });
  });

  it('of nobody fires rules of the developer of its app', async () => {
    const { app_id, developer_id } = await createRegisteredApp(platform, {});
    const asDeveloper = await platform.gateway.signIn(
      (await query<TestUser>('SELECT id, email FROM users WHERE id = $1', [developer_id]))[0] as TestUser,
    );
    const [ofDeveloper, ofUser] = [await rule({}, asDeveloper, { id: String(developer_id), email: '' }), await rule()];
    await tell([anEvent({ userId: null, source: app_id }), anEvent({ userId: null, source: 'platform' })]);
    expect(await told(asDeveloper)).toEqual(['Hello Ada']);
    expect(await read(ofDeveloper, asDeveloper)).toMatchObject({ success_count: 1 });
    expect(await causes(ofUser)).toEqual([]);
  });

  it('of a rule that fired fires others and not itself, until too many led to it', async () => {
    const [ping, pong] = [
      await rule({ event_type: 'automation.triggered', actions: hello }),
      await rule({ event_type: 'automation.triggered', actions: hello }),
    ];
    await tell([anEvent({ type: 'automation.triggered', source: 'platform', data: { rule_id: ping.id } })]);
    // The rules fire each other, with nine events: hops 0 to 8.
    expect([(await causes(ping)).length, (await causes(pong)).length]).toEqual([4, 5]);
  });
});

describe('how often a rule fires', () => {
  const many = () => Array.from({ length: 12 }, () => anEvent());

  it('has a cooldown, whatever happens at once', async () => {
    const one = await rule({ cooldown_seconds: 600 });
    await tell(many());
    expect(await causes(one)).toHaveLength(1);
    await query("UPDATE automation_rules SET last_triggered = now() - interval '601 seconds' WHERE id = $1", [one.id]);
    await tell(many());
    expect(await causes(one)).toHaveLength(2);
    expect(await read(one)).toMatchObject({ trigger_count: 2, success_count: 2 });
  });

  it('is capped within any hour, whatever happens at once', async () => {
    const one = await rule({ max_per_hour: 3 });
    await tell(many());
    expect(await causes(one)).toHaveLength(3);
    // The oldest firing is an hour ago, so one more is allowed.
    await query("UPDATE automation_rules SET recent_triggers[3] = now() - interval '1 hour' WHERE id = $1", [one.id]);
    await tell(many());
    expect(await causes(one)).toHaveLength(4);
    const [{ kept }] = (await query('SELECT cardinality(recent_triggers) AS kept FROM automation_rules WHERE id = $1', [
      one.id,
    ])) as [{ kept: number }];
    expect(kept).toBe(3);
  });

  it('may have an end, whatever happens at once: then the rule is paused until it is resumed', async () => {
    const one = await rule({ max_iterations: 2 });
    await tell(many());
    expect(await read(one)).toMatchObject({ status: 'paused', trigger_count: 2, success_count: 2 });
    await client.post(`/v1/automations/${one.id}/resume`);
    await tell(many());
    expect(await read(one)).toMatchObject({ status: 'paused', trigger_count: 2, success_count: 4 });
  });

  it('is without any of these as often as it happens', async () => {
    const one = await rule();
    await tell(many());
    expect(await read(one)).toMatchObject({ trigger_count: 12, success_count: 12 });
  });

  it('fires nothing while too much of its user has not ended, whatever happens at once, and says so', async () => {
    const processes = [firing(0), firing(1)];
    for (const process of processes) process.maxPending = 3;
    const runs = platform.gateway.service.app.get(RuleActionsWorker);
    const gate = jest.spyOn(runs as unknown as { find: () => Promise<null> }, 'find');
    gate.mockRejectedValue(new Postponed('Not now.', 50));
    try {
      const rules = [await rule(), await rule()];
      const other = await platform.gateway.user();
      const asOther = await platform.gateway.signIn(other);
      const theirs = await rule({}, asOther, other);
      await Promise.all(Array.from({ length: 12 }, (_one, at) => firing(at).onEvent(anEvent())));
      await firing().onEvent(anEvent({ userId: other.id }));
      expect((await Promise.all(rules.map(causes))).flat()).toHaveLength(3);
      expect(await causes(theirs)).toHaveLength(1);
      const full = 'Not fired, because 3 firings of your automations are still running.';
      expect((await Promise.all(rules.map((one) => read(one)))).map(({ last_error }) => last_error)).toContain(full);
      gate.mockRestore();
      await idle();
      await tell([anEvent()]);
      await tell([anEvent()]);
      for (const one of rules)
        expect(await read(one)).toMatchObject({ status: 'active', fail_count: 0, last_error: null });
      expect((await Promise.all(rules.map(causes))).flat()).toHaveLength(7);
    } finally {
      gate.mockRestore();
      for (const process of processes) process.maxPending = MAX_PENDING;
    }
  });

  it('does not fire any more when it was paused or deleted before its turn came', async () => {
    const [paused, deleted] = [await rule(), await rule()];
    const lock = await HeldLock.acquire(
      platform.gateway.service,
      'SELECT 1 FROM automation_rules WHERE id = ANY ($1) FOR UPDATE',
      [[paused.id, deleted.id]],
    );
    const [first, second] = [firing().onEvent(anEvent()), firing(1).onEvent(anEvent())];
    await lock.waitForBlocked(2);
    await lock.runStatement("UPDATE automation_rules SET status = 'paused' WHERE id = $1", [paused.id]);
    await lock.runStatement('DELETE FROM automation_rules WHERE id = $1', [deleted.id]);
    await lock.release();
    await Promise.all([first, second]);
    expect(await query('SELECT FROM automation_fires WHERE rule_id = ANY ($1)', [[paused.id, deleted.id]])).toEqual([]);
  });
});

describe('a schedule', () => {
  /** Makes the rule due some time ago. Returns that time. */
  const due = async ({ id }: { id: number }, ago = '1 second'): Promise<string> => {
    // A single statement, because the worker looks every 5 s and may fire the rule right after it.
    const [[row]] = (await query<unknown>(
      "UPDATE automation_rules SET next_at = date_trunc('minute', now() - $2::interval) WHERE id = $1 RETURNING next_at",
      [id, ago],
    )) as [[{ next_at: Date }]];
    return row.next_at.toISOString();
  };
  const tick = async (times = 8) => {
    await Promise.all(Array.from({ length: times }, (_none, at) => firing(at).fireDueSchedules()));
    await firesAreThere();
    await idle();
  };

  it('fires once for a time that is due, however many processes look', async () => {
    const rules = [];
    for (let made = 0; made < 5; made++)
      rules.push(await scheduled({ actions: [{ message: '{{ event.data.scheduled_for }} {{ event.type }}' }] }));
    const at = await Promise.all(rules.map((one) => due(one)));
    await tick();
    for (const [index, one] of rules.entries()) {
      expect(await causes(one)).toEqual([at[index]]);
      const { next_at, last_triggered } = await read(one);
      expect(last_triggered).toBe(at[index]);
      expect(next_at).toMatch(/-02-29T00:00:00\.000Z$/);
    }
    expect((await told()).sort()).toEqual(at.map((time) => `${time} system.scheduled`).sort());
    await tick();
    for (const one of rules) expect(await causes(one)).toHaveLength(1);
  });

  it('fires in the order of its time more than a page at once', async () => {
    const [admin] = [await platform.gateway.user({ role: 'admin' })];
    await query(
      `INSERT INTO automation_rules (user_id, tenant_id, prompt, interpretation, event_type, schedule, next_at, actions, scopes, cooldown_seconds,
         max_per_hour, max_iterations, notify_mode)
       SELECT $1, 'default', '', '', 'system.scheduled', '${LEAP_DAY}', date_trunc('minute', now() - interval '1 hour'), '[{"message":"x"}]', '{}', 0, 10, 0, 'off'
       FROM generate_series(1, 120)`,
      [admin.id],
    );
    await tick(2);
    const [counts] = await query(
      'SELECT count(*)::int AS rules, sum(trigger_count)::int AS fired FROM automation_rules WHERE user_id = $1',
      [admin.id],
    );
    expect(counts).toEqual({ rules: 120, fired: 120 });
  });

  it('fires once for all the times that were missed', async () => {
    const one = await scheduled();
    await due(one, '5 hours');
    await tick();
    expect(await causes(one)).toHaveLength(1);
  });

  it('fires each minute with a cooldown of a minute, however late the ones before were', async () => {
    const one = await scheduled({ cooldown_seconds: 60 });
    await query(
      "UPDATE automation_rules SET last_triggered = date_trunc('minute', now()) - interval '1 minute', next_at = date_trunc('minute', now()) WHERE id = $1",
      [one.id],
    );
    await tick();
    expect(await causes(one)).toHaveLength(1);
  });

  it('is capped, goes on after that, and ends when it has fired as often as it may', async () => {
    const [capped, last] = [await scheduled({ max_per_hour: 1 }), await scheduled({ max_iterations: 1 })];
    for (let times = 0; times < 2; times++) {
      await due(capped, `${10 - times} minutes`);
      if (times === 0) await due(last);
      await tick();
    }
    expect(await read(capped)).toMatchObject({ status: 'active', trigger_count: 1, next_at: expect.any(String) });
    expect(await read(last)).toMatchObject({ status: 'paused', trigger_count: 1, next_at: null });
  });

  it('does not fire while the rule is paused, nor for that time later', async () => {
    const one = await scheduled();
    await client.post(`/v1/automations/${one.id}/pause`);
    await tick();
    await client.post(`/v1/automations/${one.id}/resume`);
    await tick();
    expect(await causes(one)).toEqual([]);
    await expect(query("UPDATE automation_rules SET status = 'paused' WHERE id = $1", [one.id])).rejects.toThrow(
      'automation_rules_due_check',
    );
  });

  it('fires by itself', async () => {
    const one = await scheduled();
    await due(one);
    await until(async () => (await read(one)).success_count === 1);
  });
});

describe('what a rule does', () => {
  it('calls functions as its owner, with what the event says', async () => {
    const appId = await installed();
    const args = { name: '{{ event.data.name }}', all: '{{ event.data }}', fixed: 1 };
    const one = await rule({ actions: [{ app_id: appId, tool: 'act', args }] });
    await tell([anEvent({ hop: 3 })]);
    expect(host.lastRun).toMatchObject({
      app_id: appId,
      function: 'act',
      params: { name: 'Ada', all: { name: 'Ada' }, fixed: 1 },
      user: { user_id: user.id, tenant_id: 'default', role: 'user' },
      hop: 4,
    });
    expect(await read(one)).toMatchObject({ success_count: 1 });
    expect(await told()).toEqual([]);
    expect(
      await query("SELECT function, status, details ->> 'via' AS via FROM actions WHERE user_id = $1 AND app_id = $2", [
        user.id,
        appId,
      ]),
    ).toEqual([{ function: 'act', status: 'success', via: 'automation' }]);
  });

  it('spends nothing for an app or an API key that led to it, beyond what may be spent in absence', async () => {
    const { app } = platform.gateway.service;
    const [appId, other] = [await installed(), await installed()];
    await install(appId, { price_version: await setPrices(platform.gateway, appId, { perCall: { act: 5 } }) });
    const walletId = await app.get(WalletsRepository).ensureWallet(user.id);
    await app
      .get(LedgerService)
      .credit(walletId, { amount: 100, earns: true, key: newUuid(), kind: 'admin_adjustment', source: 'adjustment' });
    const scopes = ['*'];
    const { body: key } = await client.post<KeyResponse>('/v1/keys', {
      name: 'program',
      scopes: 'automations:*,extensions:*',
    });
    const actions = [{ app_id: appId, tool: 'act', args: {} }];
    const spent = async () =>
      (
        await query<{ n: number }>('SELECT coalesce(sum(action_price), 0)::int AS n FROM actions WHERE user_id = $1', [
          user.id,
        ])
      )[0]?.n;

    const own = await rule({ actions });
    const ofPlatform = { source: 'platform' };
    const unasked: Partial<PlatformEvent>[] = [
      {},
      { ...ofPlatform, scopes, apps: [other] },
      { ...ofPlatform, scopes, key: { id: key.id, scopes: ['automations:*', 'extensions:*'] } },
    ];
    for (const [at, event] of unasked.entries()) {
      await tell([anEvent(event)]);
      expect(await read(own)).toMatchObject({
        fail_count: at + 1,
        last_error: expect.stringContaining('but your spending limit leaves only'),
      });
    }
    const ofKey = await rule(
      { event_type: 'email.received', actions },
      platform.gateway.client().withHeaders({ 'X-API-Key': key.key }),
    );
    await tell([anEvent({ ...ofPlatform, type: 'email.received' })]);
    expect(await read(ofKey)).toMatchObject({
      last_error: expect.stringContaining('but your spending limit leaves only'),
    });
    expect(await spent()).toBe(0);

    await tell([anEvent(ofPlatform)]);
    expect([await spent(), await read(own)]).toMatchObject([5, { success_count: 1 }]);
    const { status } = await client.put('/v1/me/spending', { unattended_limit: 20 });
    expect(status).toBe(200);
    for (const event of unasked) await tell([anEvent(event)]);
    await tell([anEvent({ ...ofPlatform, type: 'email.received' })]);
    expect(await spent()).toBe(25);
    await tell([anEvent()]);
    expect(await spent()).toBe(25);
  });

  it('has what follows from its firing spend and do no more, where an app or an API key wrote it, or an app’s event fired it', async () => {
    const scopes = ['automations:read', 'automations:write'];
    user = await platform.gateway.user({ scopes: ['audit:read', ...scopes] });
    client = await platform.gateway.signIn(user);
    const [program, appId] = [await installed({ action_type: 'write', required_scopes: scopes }), await installed()];
    await install(appId, { price_version: await setPrices(platform.gateway, appId, { perCall: { act: 5 } }) });
    const { app } = platform.gateway.service;
    const walletId = await app.get(WalletsRepository).ensureWallet(user.id);
    await app
      .get(LedgerService)
      .credit(walletId, { amount: 100, earns: true, key: newUuid(), kind: 'admin_adjustment', source: 'adjustment' });
    const { body: key } = await client.post<KeyResponse>('/v1/keys', {
      name: 'program',
      scopes: 'automations:*,extensions:*',
    });
    const daily = {
      trigger_filter: { event_type: 'system.scheduled', schedule: LEAP_DAY },
      actions: hello,
      cooldown_seconds: 0,
    };
    const grant = await createRunGrant(platform.gateway.service, program, { userId: user.id, scopes });
    const { body: made } = await platform.gateway
      .backend()
      .post<CallResponse>('/v1/internal/extensions/automations/call', {
        grant,
        function: 'create_automation',
        params: daily,
      });
    expect(made.error).toBeNull();
    const ofApp = made.data as RuleResponse;
    const ofKey = await scheduled({}, platform.gateway.client().withHeaders({ 'X-API-Key': key.key }));
    const [own, fired] = [await scheduled(), await rule()];
    // Each rule belongs to the user and waits only for the rule before it.
    const actions = [{ app_id: appId, tool: 'act', args: {} }];
    const then = await rule({ event_type: 'automation.triggered', actions });
    const due = async ({ id }: { id: number }) => {
      await query("UPDATE automation_rules SET next_at = now() - interval '1 minute' WHERE id = $1", [id]);
      await firing().fireDueSchedules();
      await firesAreThere();
      await idle();
    };
    const causesOfThen = [() => due(ofApp), () => due(ofKey), () => tell([anEvent({ source: program })])];

    for (const [at, happens] of causesOfThen.entries()) {
      await happens();
      expect(await read(then)).toMatchObject({
        trigger_count: at + 1,
        success_count: 0,
        last_error: expect.stringContaining('but your spending limit leaves only'),
      });
    }
    expect(await read(fired)).toMatchObject({ success_count: 1 });
    await due(own);
    expect(await read(then)).toMatchObject({ trigger_count: 4, success_count: 1, last_error: null });

    expect((await client.put('/v1/me/spending', { unattended_limit: 20 })).status).toBe(200);
    await due(ofApp);
    await due(ofKey);
    expect(await read(then)).toMatchObject({ trigger_count: 6, success_count: 3 });
    expect((await client.delete(`/v1/keys/${key.id}`)).status).toBeLessThan(300);
    await due(ofKey);
    expect(await read(then)).toMatchObject({
      trigger_count: 7,
      success_count: 3,
      last_error: expect.stringContaining('API key'),
    });

    await client.post(`/v1/automations/${then.id}/pause`);
    const audits = await installed({ required_scopes: ['audit:read'] });
    const wider = await rule({
      event_type: 'automation.triggered',
      actions: [{ app_id: audits, tool: 'act', args: {} }],
    });
    await due(own);
    expect(await read(wider)).toMatchObject({ trigger_count: 1, success_count: 1 });
    expect(host.lastRun?.user?.scopes).toContain('audit:read');
    await due(ofApp);
    expect(await read(wider)).toMatchObject({
      trigger_count: 2,
      success_count: 1,
      last_error: expect.stringContaining('audit:read'),
    });
  });

  it('does no more than whoever wrote it could, nor than its owner may now', async () => {
    const grant = (scopes: string[]) => query('UPDATE users SET scopes = $2 WHERE id = $1', [user.id, scopes]);
    await grant(['audit:read']);
    client = await platform.gateway.signIn(user);
    const appId = await installed({ required_scopes: ['audit:read'] });
    const one = await rule({ actions: [{ app_id: appId, tool: 'act', args: {} }] });
    await grant(['audit:read', 'users:write']);
    await tell([anEvent()]);
    expect(await read(one)).toMatchObject({ success_count: 1 });
    expect(host.lastRun?.user?.scopes).toContain('audit:read');
    expect(host.lastRun?.user?.scopes).not.toContain('users:write');
    await grant([]);
    await tell([anEvent()]);
    expect(await read(one)).toMatchObject({ fail_count: 1, last_error: expect.stringContaining('audit:read') });
  });

  it('says whatever an event has in it, and nothing for what it has not', async () => {
    const texts = ['{{ event.data.n }}', '{{ event.data.list }}', 'a {{ event.data.none }}', '{{ event.data.none }}'];
    const one = await rule({ actions: texts.map((message) => ({ message })) });
    await tell([anEvent({ data: { n: 3, list: ['x'] } })]);
    expect(await told()).toEqual(['', 'a ', '["x"]', '3']);
    const big = await rule({ event_type: 'email.received', actions: [{ message: '{{ event.data.big }}'.repeat(8) }] });
    await tell([anEvent({ type: 'email.received', data: { big: 'x'.repeat(40_000) } })]);
    expect(await read(big)).toMatchObject({
      last_error: expect.stringContaining('Action 1, the message: The filled-in values'),
    });
    expect(await read(one)).toMatchObject({ success_count: 1 });
  });

  it('stops at the first action that fails, which its owner is told', async () => {
    const appId = await installed();
    host.answer = () => ({ ...SUCCESS, status: 'error', error: 'The box\0 is full.', error_code: 'FULL' });
    const one = await rule({
      actions: [{ message: 'one' }, { app_id: appId, tool: 'act', args: {} }, { message: 'three' }],
    });
    await tell([anEvent()]);
    const error = `Action 2, ${appId}.act: The box is full.`;
    expect(await read(one)).toMatchObject({ status: 'active', success_count: 0, fail_count: 1, last_error: error });
    expect(await told()).toEqual([`Failed: ${error} (${one.interpretation})`, 'one']);
    expect((await notes())[0]).toMatchObject({
      app_id: 'automations',
      subject: `Automation ${one.id}`,
      channel: 'in_app',
    });
    host.reset();
    await tell([anEvent()]);
    expect(await read(one)).toMatchObject({ success_count: 1, fail_count: 1, last_error: null });
    expect((await told()).slice(0, 2)).toEqual(['three', 'one']);
  });

  it('pays no price that its owner has not agreed to', async () => {
    const appId = await installed();
    const made = await rule({ actions: [{ app_id: appId, tool: 'act', args: {} }] });
    await setPrices(platform.gateway, appId, { perCall: { act: 10_000_000 } });
    await tell([anEvent()]);
    expect(host.runs.filter((run) => run.app_id === appId)).toEqual([]);
    expect(await query('SELECT error_code FROM actions WHERE app_id = $1', [appId])).toEqual([
      { error_code: 'PRICE_NOT_AGREED' },
    ]);
    expect((await read(made)).last_error).toContain('install the app again');
  });

  it('tries again what may succeed later, from the action that failed on', async () => {
    const appId = await installed();
    let calls = 0;
    host.answer = () =>
      ++calls < 3 ? { ...SUCCESS, status: 'error', error: 'busy', error_code: 'BUSY', retryable: true } : SUCCESS;
    const one = await rule({
      actions: [{ message: 'one' }, { app_id: appId, tool: 'act', args: {} }, { message: 'three' }],
    });
    await tell([anEvent()]);
    expect(calls).toBe(3);
    expect(await told()).toEqual(['three', 'one']);
    expect(await read(one)).toMatchObject({ success_count: 1, fail_count: 0 });
  });

  it('gives up what never succeeds', async () => {
    const appId = await installed();
    host.answer = () => 500;
    const one = await rule({ actions: [{ app_id: appId, tool: 'act', args: {} }] });
    await tell([anEvent()]);
    expect(host.runs.filter(({ app_id }) => app_id === appId)).toHaveLength(4);
    expect(await read(one)).toMatchObject({
      fail_count: 1,
      last_error: expect.stringContaining('cannot be run at the moment'),
    });
  });

  it('gives up for good after five failures in a row, until it is resumed', async () => {
    const appId = await installed();
    host.answer = () => ({ ...SUCCESS, status: 'error', error: 'No.', error_code: 'NO' });
    const one = await rule({ actions: [{ app_id: appId, tool: 'act', args: {} }] });
    for (let failures = 1; failures <= 5; failures++) {
      expect(await read(one)).toMatchObject({ status: 'active', fail_count: failures - 1 });
      await tell([anEvent()]);
    }
    expect(await read(one)).toMatchObject({ status: 'error', fail_count: 5 });
    expect((await told())[0]).toContain('does not fire until you resume it');
    await tell([anEvent()]);
    expect(await causes(one)).toHaveLength(5);
    await client.post(`/v1/automations/${one.id}/resume`);
    await tell([anEvent()]);
    expect(await read(one)).toMatchObject({ status: 'active', fail_count: 6 });
  });

  describe('that is called more often than its developer’s tier lets a user', () => {
    const { waitMs, forMs } = LIMITED_RETRY;
    afterEach(() => Object.assign(LIMITED_RETRY, { waitMs, forMs }));

    const fires = async ({ id }: { id: number }) =>
      query<{ status: string; error: string | null }>(
        'SELECT status, error FROM automation_fires WHERE rule_id = $1 ORDER BY fired_at, id',
        [id],
      );

    it('waits and goes on, from the action that was limited on', async () => {
      Object.assign(LIMITED_RETRY, { waitMs: 50 });
      const appId = await installed();
      const one = await rule({
        actions: [{ message: 'one' }, { app_id: appId, tool: 'act', args: {} }, { message: 'three' }],
      });
      const quotas = platform.gateway.service.app.get(CallQuotasService);
      const limited = jest.spyOn(quotas, 'consumeOfApp').mockRejectedValue(new AppError(429, 'rate_limited', 'Later.'));
      const before = host.runs.length;
      try {
        await firing().onEvent(anEvent());
        await until(() => limited.mock.calls.length >= 2);
        expect(await told()).toEqual(['one']);
        expect([await fires(one), await read(one)]).toMatchObject([
          [{ status: 'pending' }],
          { status: 'active', fail_count: 0 },
        ]);
      } finally {
        limited.mockRestore();
      }
      await idle();
      expect(await told()).toEqual(['three', 'one']);
      expect(host.runs.length).toBe(before + 1);
      expect([await fires(one), await read(one)]).toMatchObject([
        [{ status: 'success' }],
        { success_count: 1, fail_count: 0 },
      ]);
    });

    it('is given up as limited after a while, which is no failure, however often', async () => {
      Object.assign(LIMITED_RETRY, { waitMs: 1, forMs: 0 });
      const appId = await installed();
      const one = await rule({ actions: [{ app_id: appId, tool: 'act', args: {} }] });
      const limited = jest
        .spyOn(platform.gateway.service.app.get(CallQuotasService), 'consumeOfApp')
        .mockRejectedValue(new AppError(429, 'rate_limited', 'Later.'));
      try {
        for (let time = 0; time < 6; time++) await tell([anEvent()]);
      } finally {
        limited.mockRestore();
      }
      expect(await read(one)).toMatchObject({ status: 'active', trigger_count: 6, success_count: 0, fail_count: 0 });
      expect(await fires(one)).toEqual(
        Array.from({ length: 6 }, () => ({ status: 'limited', error: `Action 1, ${appId}.act: Later.` })),
      );
      expect((await told())[0]).toContain('Not done, because a limit was reached');
      await tell([anEvent()]);
      expect(await read(one)).toMatchObject({ success_count: 1, last_error: null });
    });

    it('is given up as limited when a function of the platform itself says so', async () => {
      Object.assign(LIMITED_RETRY, { waitMs: 1, forMs: 0 });
      const { app_id } = await createApp(platform.gateway, { system: true });
      platform.gateway.service.app.get(SystemExtensionsRegistry).registerExtension({
        appId: app_id,
        functions: [
          {
            name: 'check',
            description: 'Has no room.',
            action_type: 'read',
            key_scope: `${app_id}:read`,
            params_schema: { type: 'object' },
            handler: () => Promise.reject(new AppError(429, 'too_much_waiting', 'Too much waits.')),
          },
        ],
      });
      const one = await rule({ actions: [{ app_id, tool: 'check', args: {} }] });
      await tell([anEvent()]);
      expect(await fires(one)).toEqual([{ status: 'limited', error: `Action 1, ${app_id}.check: Too much waits.` }]);
      expect(await read(one)).toMatchObject({ status: 'active', fail_count: 0 });
    });

    it.each(['RATE_LIMITED', 'TOO_MUCH_WAITING'])('has failed when it is the app that says %s', async (error_code) => {
      const appId = await installed();
      host.answer = () => ({ ...SUCCESS, status: 'error', error: 'Later.', error_code, retryable: true });
      const one = await rule({ actions: [{ app_id: appId, tool: 'act', args: {} }] });
      for (let time = 0; time < 6; time++) await tell([anEvent()]);
      expect(await read(one)).toMatchObject({ status: 'error', trigger_count: 5, fail_count: 5 });
      expect(host.runs.filter(({ app_id }) => app_id === appId)).toHaveLength(5 * fireQueue.attempts);
    });
  });

  it.each([
    ['all', ['Failed', 'Done.']],
    ['failures', ['Failed']],
    ['off', []],
  ])('tells its owner of what they asked for: %s', async (notify_mode, expected) => {
    const appId = await installed();
    await rule({ notify_mode, actions: [{ app_id: appId, tool: 'act', args: {} }] });
    await tell([anEvent()]);
    host.answer = () => ({ ...SUCCESS, status: 'error', error: 'No.', error_code: 'NO' });
    await tell([anEvent()]);
    expect((await told()).map((message) => message.split(/[ :]/)[0])).toEqual(expected);
  });

  it('leaves room for what others fire, however many of one user’s functions take their time', async () => {
    const appId = await installed();
    let release = (): void => undefined;
    const released = new Promise<CallResponse>((resolve) => (release = () => resolve(SUCCESS)));
    host.answer = () => released;
    const calls: RuleAction[] = [1, 2].map(() => ({ app_id: appId, tool: 'act', args: {} }));
    const slow: RuleResponse[] = [];
    for (let count = 0; count < 10; count++) slow.push(await rule({ actions: calls }));
    const other = await platform.gateway.user();
    const asOther = await platform.gateway.signIn(other);
    await rule({}, asOther, other);
    const runs = () => host.runs.filter(({ app_id }) => app_id === appId).length;

    await firing().onEvent(anEvent());
    await until(() => runs() >= fireQueue.concurrency / 2);
    await firing().onEvent(anEvent({ userId: other.id }));
    await until(async () => (await told(asOther)).length);
    expect(runs()).toBe(fireQueue.concurrency / 2);
    expect(
      await query("SELECT 1 FROM automation_fires WHERE rule_id = ANY ($1) AND status <> 'pending'", [
        slow.map(({ id }) => id),
      ]),
    ).toEqual([]);
    release();
    await idle();
    expect(runs()).toBe(20);
    for (const one of slow) expect(await read(one)).toMatchObject({ success_count: 1, fail_count: 0 });
  });

  it('begins at once beside more users than there are slots who each hold one with a function that does not end', async () => {
    const appId = await installed();
    let release = (): void => undefined;
    const released = new Promise<CallResponse>((resolve) => (release = () => resolve(SUCCESS)));
    host.answer = () => released;
    const runs = () => host.runs.filter(({ app_id }) => app_id === appId).length;
    const owners: TestUser[] = [];
    while (owners.length < 20) {
      const owner = await platform.gateway.user();
      const as = await platform.gateway.signIn(owner);
      expect((await as.post(`/v1/marketplace/apps/${appId}/install`, {})).status).toBe(200);
      await rule({ actions: [{ app_id: appId, tool: 'act', args: {} }] }, as, owner);
      owners.push(owner);
    }
    const quiet = await platform.gateway.user();
    const asQuiet = await platform.gateway.signIn(quiet);
    await rule({}, asQuiet, quiet);
    // Started only now, because the time limit of the first call runs from here.
    for (const { id } of owners)
      for (let events = 0; events < 3; events++) await firing(events).onEvent(anEvent({ userId: id }));
    await until(() => runs() >= 20);

    await firing().onEvent(anEvent({ userId: quiet.id }));
    await until(async () => (await told(asQuiet)).length);
    // No call of the others has ended, by an answer or a timeout, so no slot became free.
    expect(await query('SELECT 1 FROM actions WHERE app_id = $1', [appId])).toEqual([]);
    release();
    await idle();
    expect(runs()).toBe(60);
  });

  it('holds its place for one function, and then has to wait for its turn', async () => {
    const appId = await installed();
    const actions: RuleAction[] = [1, 2, 3].map((n) => ({ app_id: appId, tool: 'act', args: { n } }));
    const one = await rule({ actions: [{ message: 'one' }, ...actions, { message: 'five' }] });
    const runs = platform.gateway.service.app.get(RuleActionsWorker);
    const run = jest.spyOn(runs as unknown as { run: () => Promise<void> }, 'run');
    await tell([anEvent()]);
    expect(run).toHaveBeenCalledTimes(4);
    run.mockRestore();
    expect(host.runs.filter(({ app_id }) => app_id === appId).map(({ params }) => params)).toEqual([
      { n: 1 },
      { n: 2 },
      { n: 3 },
    ]);
    expect(await told()).toEqual(['five', 'one']);
    expect(await read(one)).toMatchObject({ success_count: 1, fail_count: 0 });
  });

  it('is not what has come to destroy, nor of an app that is gone', async () => {
    const appId = await installed();
    const one = await rule({ actions: [{ app_id: appId, tool: 'act', args: {} }] });
    const manifest = { version: '2.0.0', tools: [tool('act', { action_type: 'destructive' })], skeleton_sections: [] };
    await query(
      `INSERT INTO app_versions (app_id, version, sha256, document, manifest, hosts, capabilities, registry_held_at)
       VALUES ($1, '2.0.0', sha256('2'), '{}', $2, '{}', '{}', now())`,
      [appId, manifest],
    );
    await query("UPDATE apps SET served_version = '2.0.0' WHERE app_id = $1", [appId]);
    await tell([anEvent()]);
    expect(await read(one)).toMatchObject({ last_error: expect.stringContaining('destructive') });
    await query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [appId]);
    await tell([anEvent()]);
    expect(await read(one)).toMatchObject({
      fail_count: 2,
      last_error: expect.stringContaining('Its developer suspended this extension'),
    });
    expect(host.runs.filter(({ app_id }) => app_id === appId)).toEqual([]);
  });

  it('is nothing for an owner who is no longer active', async () => {
    const appId = await installed();
    const one = await rule({ actions: [{ app_id: appId, tool: 'act', args: {} }] });
    const daily = await scheduled();
    await query('UPDATE users SET is_active = false WHERE id = $1', [user.id]);
    await query("UPDATE automation_rules SET next_at = now() - interval '1 hour' WHERE id = $1", [daily.id]);
    for (let time = 0; time < 6; time++) await tell([anEvent()]);
    await firing().fireDueSchedules();
    await firesAreThere();
    await idle();
    const counts = 'SELECT status, trigger_count, fail_count FROM automation_rules WHERE user_id = $1 ORDER BY id';
    const nothing = { status: 'active', trigger_count: 0, fail_count: 0 };
    expect(await query(counts, [user.id])).toEqual([nothing, nothing]);
    expect(host.runs.filter(({ app_id }) => app_id === appId)).toEqual([]);
    await query('UPDATE users SET is_active = true WHERE id = $1', [user.id]);
    await firing().fireDueSchedules(); // firings that were missed are not made up for
    await tell([anEvent()]);
    expect(await query(counts, [user.id])).toEqual([{ ...nothing, trigger_count: 1 }, nothing]);
    expect(await causes(one)).toHaveLength(1);
  });

  it('is shown with how each firing went, and nothing of the event is kept', async () => {
    const one = await rule();
    await tell([anEvent()]);
    const { fires } = await platform.gateway.service.app
      .get(AutomationsService)
      .getRule({ kind: 'user', userId: user.id, tenantId: 'default', role: 'user', scopes: [] }, one.id);
    expect(fires).toEqual([
      {
        id: expect.stringMatching(/^fir_/),
        status: 'success',
        error: null,
        fired_at: expect.any(Date),
        finished_at: expect.any(Date),
      },
    ]);
    expect(await query('SELECT event FROM automation_fires WHERE rule_id = $1', [one.id])).toEqual([{ event: null }]);
  });

  it('is over when the rule is deleted meanwhile', async () => {
    const { app_id } = await createApp(platform.gateway, { system: true });
    let finish = (): void => undefined;
    let calls = 0;
    const handler = () => {
      calls++;
      return new Promise<object>((resolve) => (finish = () => resolve({})));
    };
    platform.gateway.service.app.get(SystemExtensionsRegistry).registerExtension({
      appId: app_id,
      functions: [
        {
          name: 'wait',
          description: 'Waits.',
          action_type: 'read',
          key_scope: `${app_id}:read`,
          params_schema: { type: 'object' },
          handler,
        },
      ],
    });
    const one = await rule({ actions: [{ app_id, tool: 'wait', args: {} }, { message: 'after' }] });
    await firing().onEvent(anEvent());
    await until(() => calls === 1);
    expect((await client.delete(`/v1/automations/${one.id}`)).status).toBe(200);
    finish();
    await idle();
    expect(await told()).toEqual([]);
  });
});
