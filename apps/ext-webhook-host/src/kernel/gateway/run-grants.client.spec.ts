import type { JsonObject } from '@platform/app-document';
import type { AppSchedulesResponse, CallResponse, EventDeliveriesResponse, ScheduleRun } from '@platform/contracts';
import { newUuid } from '@platform/platform';
import { until } from '@platform/testing';
import type { DeployedApp } from '../deployed/deployed-apps.service.js';
import { EventBusService } from '../event-bus/event-bus.service.js';
import { eventDeliveryQueue } from '../../events/event-deliveries.jobs.js';
import { EventSubscriptionsService } from '../../events/event-subscriptions.service.js';
import { eventQueue, eventsToGatewayQueue } from '../event-bus/events.jobs.js';
import { scheduleQueue } from '../../schedules/schedules.jobs.js';
import { DocumentStore } from '../store/document-store.js';
import { functionOf, HostTest, step, userNamed } from '../../testing/host.js';
import { retryAtOnce } from '../../testing/quick-retries.js';
import { RunGrantsClient } from './run-grants.client.js';
import { GATEWAY_RETRY } from './gateway-retry.js';

let host: HostTest;
let retryLater: () => void;
const whileAway = { ...GATEWAY_RETRY };
beforeAll(async () => {
  retryLater = retryAtOnce(eventQueue, eventsToGatewayQueue, eventDeliveryQueue, scheduleQueue);
  GATEWAY_RETRY.waitMs = 200;
  host = await HostTest.start();
});
beforeEach(() => {
  host.gateway.hasApp = () => true;
  host.gateway.tenantOf = () => null;
  host.gateway.acceptsGrant = () => true;
  host.gateway.answerCall = () => DONE;
  host.gateway.answerEvent = () => null;
  host.gateway.grantsLastMs = 300_000;
});
afterAll(async () => {
  await host.stop();
  retryLater();
  Object.assign(GATEWAY_RETRY, whileAway);
});

const DONE = {
  status: 'success',
  data: {},
  summary: null,
  error: null,
  ui: null,
  error_code: null,
  retryable: false,
} satisfies CallResponse;

let apps = 0;
const newId = () => `granted-${++apps}`;
async function deploy(parts: JsonObject, changes: Partial<DeployedApp> = {}): Promise<DeployedApp> {
  const app = host.deploy(parts, { app_id: newId(), ...changes });
  await host.announce(app.app_id, app);
  return app;
}
const code = (name: string, operation: string, more: JsonObject = {}) =>
  step(name, operation, { code: { module: 'main', entry: name }, ...more });
const kept = (appId: string) =>
  host.service.query<{ user_id: string; data: JsonObject }>(
    "SELECT user_id, data FROM documents WHERE app_id = $1 AND collection = 'kept' ORDER BY user_id, created_at",
    [appId],
  );
const begunOf = (appId: string) => host.gateway.begun.filter(({ app_id }) => app_id === appId);
const receive = (appId: string, path = 'in') =>
  host.service.client().post<JsonObject>(`/v1/ext/${appId}/webhook/${path}`, {});
/** Last run of the app's only schedule, when it has ended. */
async function scheduled(appId: string, name: string): Promise<ScheduleRun> {
  const path = `/v1/internal/apps/${appId}/schedules`;
  expect((await host.backend().post(`${path}/${name}/run`)).status).toBe(202);
  return until(async () => {
    const { items } = (await host.backend().get<AppSchedulesResponse>(path)).body;
    const run = items[0]?.recent_runs[0];
    return run?.finished_at ? run : null;
  });
}
const deliveries = async (appId: string) =>
  (await host.backend().get<EventDeliveriesResponse>(`/v1/internal/apps/${appId}/event-deliveries`)).body.items;
const delivered = (appId: string, count = 1) =>
  until(async () => {
    const items = await deliveries(appId);
    return items.length >= count && items.every(({ finished_at }) => finished_at) ? items : null;
  });
async function happens(
  type: string,
  user_id: string | null = 'usr_1',
  tenant_id = 'acme',
  source = 'platform',
): Promise<string> {
  const event = {
    event_id: newUuid(),
    type,
    tenant_id,
    user_id,
    source,
    data: {},
    hop: 0,
    timestamp: new Date(),
  };
  host.gateway.addEvent(event);
  expect((await host.backend().post('/v1/internal/events', event)).status).toBe(204);
  return event.event_id;
}

describe('users of other tenants than the developer’s', () => {
  const main = `
    const codeOf = (work) => Promise.resolve().then(work).then((value) => value ?? null, ({ code }) => code);
    const ids = ['usr_near', 'usr_far', 'usr_has_not'];
    const keep = (ctx, from) => Promise.all(ids.map((id) => codeOf(async () => (await ctx.store.forUser(id).set('kept/' + from, { from, of: id })).tenant_id)));
    export const hook = async (event, ctx) => ({ body: { kept: await keep(ctx, 'webhook') } });
    export const twice = async (event, ctx) => ({ body: [await keep(ctx, 'one'), await keep(ctx, 'two')] });
    export async function nightly(event, ctx) {
      const kept = await keep(ctx, 'schedule');
      const seen = await Promise.all(ids.map((id) => codeOf(async () => {
        const user = await ctx.asUser(id);
        await ctx.notify.forUser(id).send({ message: 'Hi' });
        const { data } = await user.store.query('kept', { order_by: 'id' });
        return [user.user.tenant_id, data.map(({ data }) => data.from)];
      })));
      await ctx.store.set('outcome/last', { kept, seen });
    }
    export const mine = async (params, ctx) => (await ctx.store.query('kept')).data.map(({ data }) => data);`;
  const steps = [
    code('hook', 'webhook.in'),
    code('twice', 'webhook.twice'),
    code('nightly', 'schedule.nightly', { cron: '0 3 * * *' }),
    step('mine', 'function.mine', { description: 'Reads what is kept.', code: { module: 'main', entry: 'mine' } }),
  ];
  const deployed = () => deploy({ modules: { main }, steps });
  beforeEach(() => {
    host.gateway.hasApp = (userId) => userId !== 'usr_has_not';
    host.gateway.tenantOf = (userId) => (userId === 'usr_far' ? 'acme' : null);
  });

  it('have what a webhook stores for them where their functions read it', async () => {
    const app = await deployed();
    const { body } = await receive(app.app_id);
    expect(body).toEqual({ kept: ['makers', 'acme', 'USER_NOT_AVAILABLE'] });
    for (const [user_id, tenant_id] of [
      ['usr_far', 'acme'],
      ['usr_near', 'makers'],
    ] as const) {
      const { data } = (await host.runFunction(app, { function: 'mine', user: userNamed(user_id, { tenant_id }) }))
        .body;
      expect(data).toEqual([{ from: 'webhook', of: user_id }]);
    }
    expect(
      (await host.runFunction(app, { function: 'mine', user: userNamed('usr_far', { tenant_id: 'makers' }) })).body
        .data,
    ).toEqual([]);
  });

  it('are asked for once in a run', async () => {
    const { app_id } = await deployed();
    const asked = () => host.gateway.requests.filter(({ line }) => line === 'POST /v1/internal/run-grants/users');
    const before = asked().length;
    await receive(app_id, 'twice');
    const ids = asked()
      .slice(before)
      .flatMap(({ text }) => (JSON.parse(text) as { user_ids: string[] }).user_ids);
    expect(ids.sort()).toEqual(['usr_far', 'usr_has_not', 'usr_near']);
  });

  it('are acted for, told and kept for by a schedule in their own tenant', async () => {
    const { app_id } = await deployed();
    expect(await scheduled(app_id, 'nightly')).toMatchObject({ status: 'succeeded', error: null });
    const documents = await host.service.query<{ tenant_id: string; user_id: string; data: JsonObject }>(
      'SELECT tenant_id, user_id, data FROM documents WHERE app_id = $1 ORDER BY user_id',
      [app_id],
    );
    const kept = ['makers', 'acme', 'USER_NOT_AVAILABLE'];
    const seen = [['makers', ['schedule']], ['acme', ['schedule']], 'USER_NOT_AVAILABLE'];
    expect(documents).toEqual([
      { tenant_id: 'makers', user_id: '__system__', data: { kept, seen } },
      { tenant_id: 'acme', user_id: 'usr_far', data: { from: 'schedule', of: 'usr_far' } },
      { tenant_id: 'makers', user_id: 'usr_near', data: { from: 'schedule', of: 'usr_near' } },
    ]);
    const told = host.gateway.notifications
      .filter((sent) => sent.app_id === app_id)
      .map(({ user_id, tenant_id }) => [user_id, tenant_id]);
    expect(told.sort()).toEqual([
      ['usr_far', 'acme'],
      ['usr_near', 'makers'],
    ]);
  });

  it.each([['usr_near'], [null]])(
    'are out of reach of an event of %s, which reaches those of its tenant who have the app',
    async (userId) => {
      const source = `
      const keep = (ctx, of) => ctx.store.forUser(of).set('kept/event', { of }).then(({ tenant_id }) => tenant_id, ({ code }) => code);
      export async function made(event, ctx) {
        const kept = [];
        for (const id of ['usr_near', 'usr_beside', 'usr_far', 'usr_has_not']) kept.push(await keep(ctx, id));
        await ctx.store.set('outcome/last', { kept });
      }`;
      const { app_id } = await deploy({ modules: { main: source }, steps: [code('made', 'event.things.made')] });
      host.gateway.hasApp = (id) => id !== 'usr_has_not';
      await happens('things.made', userId, 'makers', app_id);
      await delivered(app_id);
      const documents = await host.service.query<{ tenant_id: string; user_id: string; data: JsonObject }>(
        'SELECT tenant_id, user_id, data FROM documents WHERE app_id = $1 ORDER BY collection DESC, user_id',
        [app_id],
      );
      expect(documents).toEqual([
        {
          tenant_id: 'makers',
          user_id: userId ?? '__system__',
          data: { kept: ['makers', 'makers', 'USER_NOT_AVAILABLE', 'USER_NOT_AVAILABLE'] },
        },
        { tenant_id: 'makers', user_id: 'usr_beside', data: { of: 'usr_beside' } },
        { tenant_id: 'makers', user_id: 'usr_near', data: { of: 'usr_near' } },
      ]);
    },
  );
});

describe('a schedule', () => {
  it('acts for, and notifies, only those for whom the gateway lets it, whatever ids it names', async () => {
    const main = `
      const codeOf = (work) => Promise.resolve().then(work).then(() => 'done', ({ code }) => code);
      export async function nightly(event, ctx) {
        const as = (id) => codeOf(async () => (await ctx.asUser(id)).store.create('kept', {}));
        const tell = (id) => codeOf(() => ctx.notify.forUser(id).send({ message: 'Hi' }));
        const ids = ['usr_has', 'usr_has_not', 'usr_admin'];
        const acted = await Promise.all(ids.map(as));
        const told = await Promise.all(ids.map(tell));
        const nested = await codeOf(async () => (await (await ctx.asUser('usr_has')).asUser('usr_admin')).store.create('kept', {}));
        await ctx.store.create('kept', { acted, told, nested });
      }`;
    const { app_id } = await deploy({
      modules: { main },
      steps: [code('nightly', 'schedule.nightly', { cron: '0 3 * * *' })],
    });
    host.gateway.hasApp = (userId) => userId === 'usr_has';
    const before = host.gateway.exchanged.length;
    expect(await scheduled(app_id, 'nightly')).toMatchObject({ status: 'succeeded', error: null });
    const outcome = ['done', 'USER_NOT_AVAILABLE', 'USER_NOT_AVAILABLE'];
    expect(await kept(app_id)).toEqual([
      { user_id: '__system__', data: { acted: outcome, told: outcome, nested: 'USER_NOT_AVAILABLE' } },
      { user_id: 'usr_has', data: {} },
    ]);
    expect(host.gateway.notifications.filter((sent) => sent.app_id === app_id).map(({ user_id }) => user_id)).toEqual([
      'usr_has',
    ]);
    // Expects one grant for the run, and one exchange for each user.
    expect(begunOf(app_id)).toHaveLength(1);
    expect(host.gateway.exchanged.slice(before).flat()).toEqual(['usr_has', 'usr_has_not', 'usr_admin']);
  });

  it('calls other apps as the user whom it acts for, with what the gateway lets it do for them', async () => {
    const main = `export async function nightly(event, ctx) {
      const user = await ctx.asUser('usr_7');
      await user.extensions.call('other', 'f');
      await ctx.extensions.call('other', 'f');
      const { email, role, platform_id, scopes } = user.user;
      await ctx.store.create('kept', { email, role, platform_id, scopes, has: [await user.user.hasScope('notes:read'), await user.user.hasScope('users:write')] });
    }`;
    const { app_id } = await deploy({
      modules: { main },
      steps: [code('nightly', 'schedule.nightly', { cron: '0 3 * * *' })],
    });
    expect(await scheduled(app_id, 'nightly')).toMatchObject({ status: 'succeeded', error: null });
    expect(
      host.gateway.calls.slice(-2).map(({ user_id, tenant_id, scopes }) => ({ user_id, tenant_id, scopes })),
    ).toEqual([
      { user_id: 'usr_7', tenant_id: 'makers', scopes: ['notes:*'] },
      { user_id: null, tenant_id: 'makers', scopes: [] },
    ]);
    const data = { email: null, role: null, platform_id: 'usr_7', scopes: ['notes:*'], has: [true, false] };
    expect(await kept(app_id)).toEqual([{ user_id: '__system__', data }]);
  });

  it('for each user leaves out for whom the gateway does not let it, at once, and counts them', async () => {
    const steps = [step('keep', 'store.create', { kind: 'kept', data: {} })];
    const { app_id } = await deploy({
      steps: [step('digest', 'schedule.digest', { cron: '0 3 * * *', for_each_user: 'people', steps })],
    });
    const store = host.service.app.get(DocumentStore);
    for (const userId of ['usr_a', 'usr_b', 'usr_c'])
      await store.createDocument({ tenantId: 'makers', appId: app_id, userId }, 'people', {});
    host.gateway.hasApp = (userId) => userId !== 'usr_b';
    const { status, error, users } = await scheduled(app_id, 'digest');
    expect({ status, error, users }).toEqual({
      status: 'succeeded',
      error: null,
      users: { total: 3, succeeded: 2, failed: 0, skipped: 1 },
    });
    expect((await kept(app_id)).map(({ user_id }) => user_id)).toEqual(['usr_a', 'usr_c']);
    expect(host.gateway.exchanged.flat().filter((id) => id === 'usr_b')).toHaveLength(1);
    expect(await host.service.query('SELECT FROM schedule_user_runs')).toEqual([]);
  });

  it('for each user waits while the gateway is away, which is no attempt', async () => {
    const steps = [step('keep', 'store.create', { kind: 'kept', data: {} })];
    const { app_id } = await deploy({
      steps: [step('digest', 'schedule.digest', { cron: '0 3 * * *', for_each_user: 'people', steps })],
    });
    await host.service.app
      .get(DocumentStore)
      .createDocument({ tenantId: 'makers', appId: app_id, userId: 'usr_a' }, 'people', {});
    host.gateway.isAway = true;
    const over = scheduled(app_id, 'digest');
    await until(
      async () =>
        (await host.service.query("SELECT FROM schedule_user_runs WHERE status = 'pending' AND attempts = 0")).length,
    );
    host.gateway.isAway = false;
    expect(await over).toMatchObject({ status: 'succeeded', users: { total: 1, succeeded: 1, failed: 0, skipped: 0 } });
  });
});

it('what is asked for in one turn is asked for at once, and one that the gateway does not understand spoils nothing for the others', async () => {
  const app = await deploy({ steps: [step('a', 'schedule.a', { cron: '0 3 * * *', steps: [] })] });
  const { app_id, version, sha256 } = app;
  const grants = host.service.app.get(RunGrantsClient);
  const run = { app_id, version, sha256, handler: 'a' };
  const before = host.gateway.countRequests('POST /v1/internal/run-grants');
  const ofNobody = grants.forSchedule(run);
  const users = ['usr_1', 'usr_2', 'usr_3', 'usr_1'];
  expect((await Promise.all(users.map((id) => ofNobody.getUserGrant(id)))).map(({ scopes }) => scopes)).toEqual(
    users.map(() => ['notes:*']),
  );
  expect(host.gateway.exchanged.at(-1)).toEqual(['usr_1', 'usr_2', 'usr_3']);
  expect(
    (await Promise.all(users.map((id) => grants.authorizeScheduleForUser(id, run)))).map((begun) => begun?.userId),
  ).toEqual(users);
  expect(host.gateway.exchanged.at(-1)).toEqual(['usr_1', 'usr_2', 'usr_3']);
  // Two grants and two exchanges.
  expect(host.gateway.countRequests('POST /v1/internal/run-grants') - before).toBe(4);
  const asked = await Promise.allSettled(
    ['no-uuid', newUuid()].map((event_id) => grants.authorizeEvent({ ...run, event_id })),
  );
  expect(asked).toEqual([
    { status: 'rejected', reason: expect.objectContaining({ status: 422 }) as unknown },
    { status: 'fulfilled', value: null },
  ]);
});

describe('a webhook', () => {
  it('that needs nothing of the gateway asks it for nothing', async () => {
    const { app_id } = await deploy({
      steps: [step('in', 'webhook.in', { steps: [step('keep', 'store.create', { kind: 'kept', data: {} })] })],
    });
    for (let time = 0; time < 3; time++) expect((await receive(app_id)).status).toBe(200);
    expect(await kept(app_id)).toHaveLength(3);
    expect(begunOf(app_id)).toEqual([]);
  });

  it('shares its grant with what comes by the same one, as long as it counts; and asks anew when the gateway no longer takes it', async () => {
    const call = (name: string) => step(name, `webhook.${name}`, { steps: [step('call', 'call.other.f')] });
    const { app_id } = await deploy({ steps: [call('in'), call('other')] });
    await Promise.all(Array.from({ length: 5 }, () => receive(app_id)));
    expect((await receive(app_id)).status).toBe(200);
    expect(begunOf(app_id).map(({ handler }) => handler)).toEqual(['in']);
    await receive(app_id, 'other');
    expect(begunOf(app_id).map(({ handler }) => handler)).toEqual(['in', 'other']);
    host.gateway.grants.changeKey();
    expect((await receive(app_id)).status).toBe(200);
    expect(begunOf(app_id)).toHaveLength(3);
    expect(host.gateway.refused.at(-1)).toMatchObject({ code: 'run_grant.invalid' });
    // Grants that expire before a run can end are not cached.
    host.gateway.grants.changeKey();
    host.gateway.grantsLastMs = 20_000;
    for (let time = 0; time < 2; time++) expect((await receive(app_id)).status).toBe(200);
    expect(begunOf(app_id)).toHaveLength(5);
  });

  it('of a version that does not run any more is given none, and may not go on', async () => {
    const main = `export const hook = (event, ctx) => ctx.extensions.call('other', 'f').then(() => ({ body: 'done' }), ({ code }) => ({ body: code }));`;
    const app = await deploy({ modules: { main }, steps: [code('hook', 'webhook.in')] });
    expect((await receive(app.app_id)).body).toBe('done');
    const newer = host.deploy({ modules: { main: `${main} // 2` }, steps: [code('hook', 'webhook.in')] });
    host.gateway.grants.changeKey();
    // The host learns of the new version only after some seconds.
    host.gateway.apps.set(app.app_id, { ...newer, app_id: app.app_id });
    expect((await receive(app.app_id)).body).toBe('RUN_REFUSED');
  });
});

describe('an event', () => {
  const heard = (type: string, steps: JsonObject[]) => step('on', `event.${type}`, { steps });
  const keep = step('keep', 'store.create', {
    kind: 'kept',
    data: { of: '{{event.user_id}}', in: '{{event.tenant_id}}' },
  });

  it('is published as that of the user for whom the run was, whatever the host says of it', async () => {
    const [from, to] = [newId(), newId()];
    const publisher = await deploy(
      { steps: [functionOf('main', [step('emit', `emit.${from}.made`)])] },
      { app_id: from },
    );
    await deploy({ steps: [heard(`${from}.made`, [keep])] }, { app_id: to });
    host.gateway.isAway = true;
    await host.runFunction(publisher, { user: userNamed('usr_a') });
    await host.runFunction(publisher, { user: userNamed('usr_c', { tenant_id: 'beta' }) });
    const rows = await host.service.query<{ id: string; sealed_grant: string }>(
      'SELECT id, sealed_grant FROM events WHERE source = $1 ORDER BY id',
      [from],
    );
    expect(rows).toHaveLength(2);
    for (const { sealed_grant } of rows) expect(host.gateway.grants.openGrant(sealed_grant)).toBe('run_grant.invalid');
    await host.service.query("UPDATE events SET user_id = 'usr_b', tenant_id = 'other' WHERE source = $1", [from]);
    host.gateway.isAway = false;
    await delivered(to, 2);
    const told = host.gateway.events
      .filter(({ source }) => source === from)
      .map(({ user_id, tenant_id }) => `${user_id} of ${tenant_id}`);
    expect(told.sort()).toEqual(['usr_a of acme', 'usr_c of beta']); // runs in parallel, in any order
    expect(await kept(to)).toEqual([
      { user_id: 'usr_a', data: { of: 'usr_a', in: 'acme' } },
      { user_id: 'usr_c', data: { of: 'usr_c', in: 'beta' } },
    ]);
    expect(await host.service.query('SELECT FROM events WHERE sealed_grant IS NOT NULL')).toEqual([]);
  });

  it('is not published with the grant of another one, nor given to anybody when the gateway refuses it', async () => {
    const [from, to] = [newId(), newId()];
    const publisher = await deploy(
      { steps: [functionOf('main', [step('emit', `emit.${from}.made`)])] },
      { app_id: from },
    );
    await deploy({ steps: [heard(`${from}.made`, [keep])] }, { app_id: to });
    host.gateway.acceptsGrant = ({ app_id }) => app_id !== from;
    await host.runFunction(publisher);
    await until(
      async () =>
        (await host.service.query('SELECT FROM events WHERE source = $1 AND given_at IS NOT NULL', [from])).length,
    );
    expect(await host.service.query('SELECT sealed_grant, dropped FROM events WHERE source = $1', [from])).toEqual([
      { sealed_grant: null, dropped: expect.any(String) as string },
    ]);
    host.gateway.acceptsGrant = () => true;
    host.gateway.isAway = true;
    for (const user of ['usr_a', 'usr_b']) await host.runFunction(publisher, { user: userNamed(user) });
    const [one, two] = await host.service.query<{ id: string; sealed_grant: string }>(
      'SELECT id, sealed_grant FROM events WHERE source = $1 AND sealed_grant IS NOT NULL',
      [from],
    );
    const swapped = { id: one?.id ?? '', sealedGrant: two?.sealed_grant ?? '' };
    expect(() => host.service.app.get(EventBusService).grantOf(swapped)).toThrow();
    host.gateway.isAway = false;
    await delivered(to, 2);
    expect((await kept(to)).map(({ user_id }) => user_id)).toEqual(['usr_a', 'usr_b']);
  });

  it.each([
    [400, 'event.too_many_hops'],
    [409, 'event.exists'],
    [413, 'payload_too_large'],
    [422, 'validation_failed'],
  ])('that the gateway refuses for what it is (%s %s) is dropped at once, with the reason', async (status, code) => {
    const from = newId();
    const publisher = await deploy(
      { steps: [functionOf('main', [step('emit', `emit.${from}.made`)])] },
      { app_id: from },
    );
    host.gateway.answerEvent = () => [status, { detail: `It says ${code}.`, code }];
    await host.runFunction(publisher);
    const [dropped] = await until(async () => {
      const found = await host.service.query(
        'SELECT dropped, sealed_grant FROM events WHERE source = $1 AND dropped IS NOT NULL',
        [from],
      );
      return found.length ? found : null;
    });
    expect(dropped).toEqual({ dropped: expect.stringContaining(code) as string, sealed_grant: null });
    expect(host.gateway.events.filter(({ source }) => source === from)).toEqual([]);
  });

  it.each([401, 403, 404, 408, 429])('that the gateway does not take for now (%s) is told again', async (status) => {
    const from = newId();
    const publisher = await deploy(
      { steps: [functionOf('main', [step('emit', `emit.${from}.made`)])] },
      { app_id: from },
    );
    let refusals = 2;
    host.gateway.answerEvent = () => (refusals-- > 0 ? [status, { detail: 'Not now.', code: 'not_now' }] : null);
    await host.runFunction(publisher);
    await until(() => host.gateway.events.some(({ source }) => source === from));
  });

  it('is told once where its subscribers are not found at first, also when the grant has ended meanwhile', async () => {
    const [from, to] = [newId(), newId()];
    const publisher = await deploy(
      { steps: [functionOf('main', [step('emit', `emit.${from}.made`)])] },
      { app_id: from },
    );
    await deploy({ steps: [heard(`${from}.made`, [keep])] }, { app_id: to });
    const subscribers = host.service.app.get(EventSubscriptionsService);
    const of = subscribers.findSubscribers.bind(subscribers);
    let looks = 0;
    const find = jest.spyOn(subscribers, 'findSubscribers').mockImplementation((event) => {
      if (event.source !== from || ++looks > 1) return of(event);
      host.gateway.acceptsGrant = () => false;
      return Promise.reject(new Error('The gateway is away.'));
    });
    await host.runFunction(publisher);
    expect(await delivered(to, 1)).toMatchObject([{ status: 'succeeded' }]);
    expect(looks).toBe(2);
    expect(host.gateway.events.filter(({ source }) => source === from)).toHaveLength(1);
    expect(await host.service.query('SELECT sealed_grant, dropped FROM events WHERE source = $1', [from])).toEqual([
      { sealed_grant: null, dropped: null },
    ]);
    find.mockRestore();
  });

  it('is not handled any more by an app that its user has removed, between attempts either', async () => {
    const { app_id } = await deploy({ steps: [heard('system.left', [keep, step('call', 'call.other.f')])] });
    host.gateway.answerCall = ({ user_id }) => {
      host.gateway.hasApp = (id) => id !== user_id;
      return { ...DONE, status: 'error' as const, error: 'Not now.', error_code: 'NOT_NOW' };
    };
    const id = await happens('system.left');
    expect(await delivered(app_id)).toMatchObject([
      { status: 'dead', attempts: 2, error: expect.stringContaining('no longer has the app') as string },
    ]);
    expect(await kept(app_id)).toHaveLength(1);
    const replay = () => host.backend().post(`/v1/internal/apps/${app_id}/event-deliveries/${id}/replay`);
    expect((await replay()).status).toBe(202);
    expect(await delivered(app_id)).toMatchObject([{ status: 'dead', attempts: 1 }]);
    host.gateway.hasApp = () => true;
    host.gateway.answerCall = () => DONE;
    expect((await replay()).status).toBe(202);
    expect(await delivered(app_id)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    host.gateway.removeEvent(id);
    expect((await replay()).status).toBe(202);
    expect(await delivered(app_id)).toMatchObject([
      { status: 'dead', error: expect.stringContaining('too old') as string },
    ]);
  });

  it('waits for its handler while the gateway is away, which is no attempt', async () => {
    const { app_id } = await deploy({ steps: [heard('system.waits', [keep])] });
    const id = await happens('system.waits');
    await delivered(app_id);
    host.gateway.isAway = true;
    expect((await host.backend().post(`/v1/internal/apps/${app_id}/event-deliveries/${id}/replay`)).status).toBe(202);
    await until(async () =>
      (await deliveries(app_id)).some(({ next_attempt_at, attempts }) => next_attempt_at !== null && attempts === 0),
    );
    host.gateway.isAway = false;
    expect(await delivered(app_id)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    expect(await kept(app_id)).toHaveLength(2);
  });

  it('tells its handler what it may do for the user, and no more of them', async () => {
    const main = `export const on = async (event, ctx) => {
      const { email, role, platform_id, tenant_id, scopes } = ctx.user;
      await ctx.store.create('kept', { email, role, platform_id, tenant_id, scopes, has: await ctx.user.hasScope('notes:read') });
    };`;
    const { app_id } = await deploy({ modules: { main }, steps: [code('on', 'event.system.told')] });
    await happens('system.told', 'usr_1', 'beta');
    await delivered(app_id);
    const data = { email: null, role: null, platform_id: 'usr_1', tenant_id: 'beta', scopes: ['notes:*'], has: true };
    expect(await kept(app_id)).toEqual([{ user_id: 'usr_1', data }]);
  });
});

describe('a grant', () => {
  it('that the gateway no longer takes ends what the run may ask, and the handler is told', async () => {
    const main = `
      const codeOf = (work) => Promise.resolve().then(work).then(() => 'done', ({ code }) => code);
      export const main = async (event, ctx) => ({
        call: await codeOf(() => ctx.extensions.call('other', 'f')),
        config: await codeOf(() => ctx.config.get('a')),
        notify: await codeOf(() => ctx.notify.send({ message: 'Hi' })),
      });`;
    const app = host.deploy({ modules: { main }, steps: [code('main', 'function.main', { description: 'Asks.' })] });
    expect((await host.runFunction(app)).body.data).toEqual({ call: 'done', config: 'done', notify: 'done' });
    const { app_id, version, sha256 } = app;
    const facts = { app_id, version, sha256, kind: 'function' as const, tenant_id: 'acme', user_id: 'usr_9' };
    const late = host.gateway.grants.createGrant({ ...facts, expires: Date.now() - 1 });
    const over = host.gateway.grants.createGrant(facts);
    host.gateway.grants.ended.add(over.run_id);
    const altered = `${over.grant.slice(0, -4)}AAAA`;
    const refused = { call: 'RUN_REFUSED', config: 'RUN_REFUSED', notify: 'RUN_REFUSED' };
    for (const grant of [late.grant, over.grant, altered, 'guessed']) {
      const before = host.gateway.refused.length;
      expect((await host.runFunction(app, { grant, user: userNamed('usr_9') })).body.data).toEqual(refused);
      expect(host.gateway.refused.length - before).toBe(3);
    }
    host.gateway.acceptsGrant = () => false;
    expect((await host.runFunction(app, { user: userNamed('usr_9') })).body.data).toEqual(refused);
  });

  it('is in nothing that a handler sees, nor in an answer, a log or an error', async () => {
    const main = `
      const seen = (value, depth = 0) => {
        if (depth > 4 || value === null || (typeof value !== 'object' && typeof value !== 'function')) return typeof value === 'string' ? value : '';
        const parts = [];
        for (const key of Reflect.ownKeys(value)) {
          try { parts.push(String(key), seen(value[key], depth + 1)); } catch (error) { parts.push(error.message, String(error.stack)); }
        }
        return parts.join(' ');
      };
      export const main = async (event, ctx) => {
        const errors = [];
        for (const work of [() => ctx.extensions.call('other', 'f'), () => ctx.notify.send({ message: 'Hi' }), () => ctx.asUser('usr_2'), () => ctx.config.all()]) {
          try { await work(); } catch (error) { errors.push(seen(error), JSON.stringify(error), String(error.stack), JSON.stringify(error.details ?? null)); }
        }
        const text = [seen(ctx), seen(globalThis), seen(event), errors.join(' '), JSON.stringify(ctx.grant ?? ctx.run ?? ctx.state ?? null)].join(' ');
        ctx.log(text.slice(0, 3000));
        return { text };
      };`;
    const app = host.deploy({
      modules: { main },
      steps: [
        code('main', 'function.main', { description: 'Looks around.' }),
        functionOf('steps', [
          step('out', 'control.return', {
            data: ['{{app}}', '{{user}}', '{{event}}', '{{steps}}', '{{prev}}', '{{app.grant}}', '{{user.grant}}'],
          }),
        ]),
      ],
    });
    const { app_id, version, sha256 } = app;
    const { grant } = host.gateway.grants.createGrant({
      app_id,
      version,
      sha256,
      kind: 'function',
      tenant_id: 'acme',
      user_id: 'usr_8',
    });
    const user = userNamed('usr_8');
    const answers: unknown[] = [];
    const ways: (() => void)[] = [
      () => undefined,
      () => (host.gateway.acceptsGrant = () => false),
      () => (host.gateway.isAway = true),
    ];
    for (const change of ways) {
      change();
      for (const name of ['main', 'steps'])
        answers.push((await host.runFunction(app, { function: name, grant, user })).body);
    }
    host.gateway.isAway = false;
    expect(answers).toMatchObject([{ status: 'success' }, { status: 'success' }, {}, {}, {}, {}]);
    // Includes requests that the host refuses itself.
    answers.push((await host.runFunction(app, { grant: `${grant}\0`, user, chain: 'x' as unknown as string[] })).body);
    const lines = await until(async () => {
      const found = await host.service.query<{ message: string }>('SELECT message FROM app_logs WHERE app_id = $1', [
        app_id,
      ]);
      return found.length >= 3 && found;
    });
    const secret = grant.slice(10, 60);
    expect(host.gateway.requests.some(({ text }) => text.includes(secret))).toBe(true);
    for (const text of [JSON.stringify(answers), JSON.stringify(lines), host.service.logLines.join('')])
      expect(text).not.toContain(secret);
  });
});

it('a user, a tenant, scopes or a chain are named by the host nowhere', () => {
  const bodies = host.gateway.requests
    .filter(({ text }) => text)
    .map(({ line, text }) => ({ line, body: JSON.parse(text) as JsonObject }));
  const routes = new Set(bodies.map(({ line }) => line.replace(/extensions\/[^/]+/, 'extensions/*')));
  for (const route of [
    'run-grants',
    'run-grants/exchange',
    'run-grants/users',
    'config',
    'extensions/*/call',
    'events',
    'events/subscribers',
    'notifications',
  ]) {
    expect(routes).toContain(`POST /v1/internal/${route}`);
  }
  const naming = [
    'user_id',
    'tenant_id',
    'user',
    'tenant',
    'scopes',
    'chain',
    'hop',
    'from_app',
    'app_id',
    'version',
    'source',
    'kind',
  ];
  for (const { line, body } of bodies)
    expect([line, Object.keys(body).filter((key) => naming.includes(key))]).toEqual([line, []]);
  // Keys in addition to the grant are allowed only for exchanging users and for beginning runs.
  for (const { line, body } of bodies)
    if ('user_ids' in body) expect(line).toMatch(/^POST \/v1\/internal\/run-grants\/(?:exchange|users)$/);
});
