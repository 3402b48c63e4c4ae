import type { JsonObject } from '@platform/app-document';
import type {
  BusEvent,
  CallResponse,
  EventDeliveriesResponse,
  EventDelivery,
  EventSubscribersRequest,
} from '@platform/contracts';
import { JobsService } from '@platform/messaging';
import { newUuid } from '@platform/platform';
import { until, type TestService } from '@platform/testing';
import type { DeployedApp } from '../kernel/deployed/deployed-apps.service.js';
import { RunEventsService } from '../context/run-events.service.js';
import { RunsService } from '../runs/runs.service.js';
import { functionOf, HostTest, step, userNamed } from '../testing/host.js';
import { retryAtOnce } from '../testing/quick-retries.js';
import { EventBusService, MAX_BACKLOG } from '../kernel/event-bus/event-bus.service.js';
import { EventDeliveriesService, MAX_WAITING_DELIVERIES } from './event-deliveries.service.js';
import { EventSubscriptionsService, matchingSubscriptionTypes } from './event-subscriptions.service.js';
import { eventQueue, eventsToGatewayQueue } from '../kernel/event-bus/events.jobs.js';
import { eventDeliveryQueue } from './event-deliveries.jobs.js';

let host: HostTest;
let second: TestService;
let retryLater: () => void;
beforeAll(async () => {
  retryLater = retryAtOnce(eventQueue, eventsToGatewayQueue, eventDeliveryQueue);
  host = await HostTest.start();
  second = await host.startSecondProcess();
});
afterEach(() => {
  jest.restoreAllMocks();
  host.gateway.hasApp = () => true;
  for (const { app } of [host.service, second]) {
    app.get(EventBusService).maxBacklog = MAX_BACKLOG;
    app.get(EventDeliveriesService).maxBehind = MAX_WAITING_DELIVERIES;
  }
});
afterAll(async () => {
  await second.stop();
  await host.stop();
  retryLater();
});

let apps = 0;
/** Returns an app id, which is also a prefix of event types. */
const newId = () => `app-${++apps}`;
const handler = (type: string, steps: JsonObject[]) =>
  step(`on-${type.replace(/\W/g, '-')}`, `event.${type}`, { steps });
const note = (data: JsonObject = { event: '{{event}}' }) => step('note', 'store.create', { kind: 'heard', data });
const emit = (type: string, data: JsonObject = {}) => step('emit', `emit.${type}`, { data });

async function deploy(
  appId: string,
  steps: JsonObject[],
  changes: Partial<DeployedApp> & { events?: JsonObject; modules?: JsonObject } = {},
): Promise<DeployedApp> {
  const { events, modules, ...info } = changes;
  const app = host.deploy(
    { steps, ...(events && { events }), ...(modules && { modules }) },
    { app_id: appId, ...info },
  );
  await host.announce(appId, app);
  return app;
}

const heard = (appId: string) =>
  host.service.query<{ user_id: string; tenant_id: string; data: { event: JsonObject } }>(
    "SELECT user_id, tenant_id, data FROM documents WHERE app_id = $1 AND collection = 'heard' ORDER BY created_at, id",
    [appId],
  );
const path = (appId: string) => `/v1/internal/apps/${appId}/event-deliveries`;
const deliveries = async (appId: string, query = '') =>
  (await host.backend().get<EventDeliveriesResponse>(path(appId) + query)).body;
const replay = (appId: string, id: string) =>
  host.backend().post<EventDelivery & { code?: string }>(`${path(appId)}/${id}/replay`);
/** Deliveries of an app, once there are `count` and all have ended. */
const finished = (appId: string, count = 1): Promise<EventDelivery[]> =>
  until(async () => {
    const { items } = await deliveries(appId);
    return items.length >= count && items.every(({ finished_at }) => finished_at !== null) ? items : null;
  });
/** Waits until all event jobs have ended. */
const idle = () =>
  until(
    async () =>
      !(await host.service.query("SELECT FROM outbox WHERE queue LIKE 'event%' AND failed_at IS NULL")).length,
  );
const eventsOf = (appId: string) =>
  host.service.query<{ id: string; type: string; hop: number; user_id: string | null; data: JsonObject }>(
    'SELECT id, type, hop, user_id, data FROM events WHERE source = $1 ORDER BY id',
    [appId],
  );
const platformEvent = (changes: Partial<BusEvent> = {}): Pick<BusEvent, keyof BusEvent> => ({
  event_id: newUuid(),
  type: 'marketplace.app_installed',
  tenant_id: 'acme',
  user_id: 'usr_1',
  source: 'platform',
  data: { app_id: 'other' },
  hop: 0,
  timestamp: new Date('2026-11-22T01:00:00.000Z'),
  ...changes,
});
/** Publishes an event as the gateway. */
const post = (event: Pick<BusEvent, keyof BusEvent>) => {
  host.gateway.addEvent(event);
  return host.backend().post('/v1/internal/events', event);
};

describe('an event that an app publishes', () => {
  it('is handled by the apps that its user has, as that user, and told to the gateway', async () => {
    const [from, to, closed] = [newId(), newId(), newId()];
    const publisher = await deploy(from, [functionOf('main', [emit(`${from}.made`, { text: '{{args.text}}' })])]);
    for (const id of [to, closed])
      await deploy(id, [handler(`${from}.made`, [note()])], { developer_id: 'dev_2', tenant_id: 'others' });
    host.gateway.hasApp = (_user, id) => id !== closed;
    expect((await host.runFunction(publisher, { params: { text: 'Hi' } })).body.status).toBe('success');
    const [delivery] = await finished(to);
    const [event] = await eventsOf(from);
    const envelope = {
      event_id: event?.id,
      event_type: `${from}.made`,
      type: `${from}.made`,
      user_id: 'usr_1',
      tenant_id: 'acme',
      data: { text: 'Hi' },
      source: from,
      schema_version: 1,
      hop: 0,
      timestamp: delivery?.timestamp,
    };
    expect(await heard(to)).toEqual([{ user_id: 'usr_1', tenant_id: 'acme', data: { event: envelope } }]);
    expect(event?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(delivery).toEqual({
      event_id: event?.id,
      app_id: to,
      type: `${from}.made`,
      source: from,
      user_id: 'usr_1',
      status: 'succeeded',
      attempts: 1,
      error: null,
      timestamp: expect.any(String) as string,
      next_attempt_at: null,
      finished_at: expect.any(String) as string,
    });
    await idle();
    const asked = host.gateway.requests.filter(
      ({ line, text }) => line.endsWith('/events/subscribers') && text.includes(`"${to}"`),
    );
    expect(asked.map(({ text }) => JSON.parse(text) as object)).toEqual([
      { event_id: event?.id, app_ids: [to, closed].sort() },
    ]);
    expect((await deliveries(closed)).items).toEqual([]);
    expect(host.gateway.events.filter(({ source }) => source === from)).toEqual([
      {
        event_id: event?.id,
        type: `${from}.made`,
        tenant_id: 'acme',
        user_id: 'usr_1',
        source: from,
        data: { text: 'Hi' },
        hop: 0,
        timestamp: delivery?.timestamp,
      },
    ]);
  });

  it('of nobody reaches the apps of the same developer alone', async () => {
    const [from, own, foreign] = [newId(), newId(), newId()];
    const hook = step('in', 'webhook.in', { steps: [emit(`${from}.made`)] });
    await deploy(from, [hook]);
    await deploy(own, [handler(`${from}.made`, [note()])]);
    await deploy(foreign, [handler(`${from}.made`, [note()])], { developer_id: 'dev_2' });
    await host.service.client().post(`/v1/ext/${from}/webhook/in`, {});
    await finished(own);
    await idle();
    expect(await heard(own)).toMatchObject([
      { user_id: '__system__', tenant_id: 'makers', data: { event: { user_id: null } } },
    ]);
    expect((await deliveries(foreign)).items).toEqual([]);
  });

  it('has to be the own, declared, of the declared form and of its size', async () => {
    const id = newId();
    const app = await deploy(id, [functionOf('main', [emit(`${id}.made`)])], {
      events: {
        emits: [
          {
            type: `${id}.typed`,
            payload_schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
          },
        ],
      },
    });
    const { app: service } = host.service;
    const compiled = await service.get(RunsService)['documents'].loadCompiledApp(app);
    const grant = host.createGrant(app, 'function', { tenant_id: 'acme', user_id: 'usr_1' });
    const publisher = { app, compiled, capabilities: ['emit'], tenantId: 'acme', userId: 'usr_1', hop: 0, grant };
    const codeOf = async (type: string, data: unknown, hop = 0): Promise<unknown> => {
      try {
        await service.get(RunEventsService).publishEvent({ ...publisher, hop }, type, data as JsonObject);
        return 'published';
      } catch (error) {
        return (error as { code?: unknown }).code;
      }
    };
    expect(await codeOf(`${id}.made`, {})).toBe('published');
    expect(await codeOf(`${id}.typed`, { n: 1 })).toBe('published');
    expect(await codeOf(`${id}.made`, {}, 8)).toBe('published');
    const refused: [string, unknown, string][] = [
      ['other.made', {}, 'EVENT_TYPE_FOREIGN'],
      [`${id}x.made`, {}, 'EVENT_TYPE_FOREIGN'],
      [id, {}, 'EVENT_TYPE_FOREIGN'],
      ['marketplace.app_installed', {}, 'EVENT_TYPE_FOREIGN'],
      [`${id}.unknown`, {}, 'EVENT_NOT_DECLARED'],
      [`${id}.typed`, { n: 'one' }, 'EVENT_INVALID'],
      [`${id}.typed`, {}, 'EVENT_INVALID'],
      [`${id}.made`, [], 'JSON_INVALID'],
      [`${id}.made`, { text: '\0' }, 'JSON_INVALID'],
      [`${id}.made`, { text: 'x'.repeat(64 * 1024) }, 'EVENT_TOO_LARGE'],
    ];
    for (const [type, data, code] of refused) expect([type, await codeOf(type, data)]).toEqual([type, code]);
    expect(await codeOf(`${id}.made`, {}, 9)).toBe('EVENT_TOO_MANY_HOPS');
    expect(await eventsOf(id)).toHaveLength(3);
  });

  it('is part of a function that says so, after each success and never after a failure', async () => {
    const [from, to] = [newId(), newId()];
    const failing = [
      step('which', 'control.if', {
        if: { field: '{{args.fail}}', exists: true },
        then: [step('stop', 'control.fail', { error: 'No' })],
        else: 'end',
      }),
    ];
    const app = await deploy(from, [
      functionOf('main', [...failing, step('end', 'control.return', { data: { id: 7 } })], { event: 'done' }),
      functionOf('twice', [step('one', 'call.main'), step('two', 'call.main')]),
      functionOf('list', [step('end', 'control.return', { data: [1, 2] })], { event: 'listed' }),
    ]);
    await deploy(to, [handler(`${from}.*`, [note()])]);
    await host.runFunction(app, { params: { fail: true } });
    await host.runFunction(app);
    await host.runFunction(app, { function: 'twice' });
    await host.runFunction(app, { function: 'list' });
    expect((await eventsOf(from)).map(({ type, data, user_id }) => ({ type, data, user_id }))).toEqual([
      ...Array.from({ length: 3 }, () => ({ type: `${from}.done`, data: { id: 7 }, user_id: 'usr_1' })),
      { type: `${from}.listed`, data: { value: [1, 2] }, user_id: 'usr_1' },
    ]);
    await finished(to, 4);
    expect(await heard(to)).toHaveLength(4);
  });

  it('that the declared form refuses leaves its function successful, and says so in the log', async () => {
    const id = newId();
    const app = await deploy(
      id,
      [functionOf('main', [step('end', 'control.return', { data: {} })], { event: 'done' })],
      {
        events: { emits: [{ type: `${id}.done`, payload_schema: { type: 'object', required: ['n'] } }] },
      },
    );
    expect((await host.runFunction(app)).body.status).toBe('success');
    const logs = await until(async () => {
      const { items } = (await host.backend().get<{ items: { message: string }[] }>(`/v1/internal/apps/${id}/logs`))
        .body;
      return items.length && items;
    });
    expect(logs).toMatchObject([{ level: 'error', message: expect.stringContaining(`${id}.done`) as string }]);
    expect(await eventsOf(id)).toEqual([]);
  });

  it('and what handles it may be written in JavaScript', async () => {
    const [from, to] = [newId(), newId()];
    const modules = {
      main: `
        export async function made(params, ctx) {
          const refused = await ctx.extensions.emit('other.made', {}).catch(({ code }) => code);
          await ctx.extensions.emit('${from}.made', { refused });
        }
        export async function heard(event, ctx) {
          const notify = await Promise.resolve().then(() => ctx.notify.send({ message: 'Hi' })).catch(({ code }) => code);
          await ctx.store.create('heard', { event, notify, as: ctx.user.platform_id, first: await ctx.once(event.event_id) });
        }`,
    };
    const code = (entry: string) => ({ code: { module: 'main', entry } });
    const declared = { emits: [`${from}.made`] };
    const made = step('main', 'function.main', { description: 'Makes something.', ...code('made') });
    const publisher = await deploy(from, [made], { events: declared, modules });
    await deploy(to, [step('on', `event.${from}.made`, code('heard'))], { modules });
    expect((await host.runFunction(publisher)).body).toMatchObject({ status: 'success' });
    expect(await finished(to)).toMatchObject([{ status: 'succeeded', error: null }]);
    expect(await heard(to)).toMatchObject([
      {
        user_id: 'usr_1',
        data: {
          event: { data: { refused: 'EVENT_TYPE_FOREIGN' } },
          notify: 'CAPABILITY_UNAVAILABLE',
          as: 'usr_1',
          first: true,
        },
      },
    ]);
  });

  it('has effects once when its handler uses `once`, in however many attempts', async () => {
    const [from, to] = [newId(), newId()];
    const modules = {
      main: `
        export const made = (params, ctx) => ctx.extensions.emit('${from}.made', {});
        export async function heard(event, ctx) {
          if (!(await ctx.once(event.event_id))) return;
          const { data } = await ctx.store.query('heard');
          for (const n of [1, 2]) await ctx.store.create('heard', { n });
          await ctx.extensions.emit('${to}.heard', {});
          if (!data.length) throw new Error('the first time');
        }`,
    };
    const code = (entry: string) => ({ code: { module: 'main', entry } });
    const made = step('main', 'function.main', { description: 'Makes something.', ...code('made') });
    const publisher = await deploy(from, [made], { events: { emits: [`${from}.made`] }, modules });
    await deploy(to, [step('on', `event.${from}.made`, code('heard'))], {
      events: { emits: [`${to}.heard`] },
      modules,
    });
    for (const count of [1, 2]) {
      await host.runFunction(publisher);
      await finished(to, count);
    }
    expect((await finished(to)).map(({ attempts, status }) => [attempts, status])).toEqual([
      [1, 'succeeded'],
      [2, 'succeeded'],
    ]);
    expect(await heard(to)).toMatchObject([1, 2, 1, 2].map((n) => ({ data: { n } })));
    expect(await eventsOf(to)).toHaveLength(2);
  });

  it('is refused while as much of the app as may be is not handled, however many publish at once, and nothing of it stays', async () => {
    const [from, to, other] = [newId(), newId(), newId()];
    const publisher = await deploy(from, [functionOf('main', [emit(`${from}.made`)])]);
    const neighbour = await deploy(other, [functionOf('main', [emit(`${other}.made`)])]);
    await deploy(to, [handler(`${from}.made`, [note()])]);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    for (const { app } of [host.service, second]) {
      app.get(EventBusService).maxBacklog = 20;
      const subscribers = app.get(EventSubscriptionsService);
      const find = subscribers.findSubscribers.bind(subscribers);
      // No event is delivered until `released`.
      jest.spyOn(subscribers, 'findSubscribers').mockImplementation((event) => released.then(() => find(event)));
    }
    const publishOn = (service: TestService) => host.runFunction(publisher, { service });
    const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => publishOn(at % 2 ? second : host.service)));
    const refused = answers.filter(({ body }) => body.status === 'error');
    expect(refused).toHaveLength(40);
    for (const { body } of refused) expect(body).toMatchObject({ error_code: 'EVENT_BACKLOG_FULL', retryable: true });
    expect(await eventsOf(from)).toHaveLength(20);
    expect((await host.runFunction(neighbour)).body.status).toBe('success');
    release();
    await finished(to, 20);
    await idle();
    expect((await host.runFunction(publisher)).body.status).toBe('success');
    // Pending deliveries count, too.
    await finished(to, 21);
    await host.service.query("UPDATE event_deliveries SET status = 'pending', finished_at = NULL WHERE app_id = $1", [
      to,
    ]);
    expect((await host.runFunction(publisher)).body).toMatchObject({ error_code: 'EVENT_BACKLOG_FULL' });
    await host.service.query(
      "UPDATE event_deliveries SET status = 'succeeded', finished_at = now() WHERE app_id = $1",
      [to],
    );
    expect((await host.runFunction(publisher)).body.status).toBe('success');
  });

  it('is refused when its developer’s apps have published too much in a day, whatever happens at once', async () => {
    const data = { text: 'x'.repeat(1_000) };
    const size = Buffer.byteLength(JSON.stringify(data)) + 512;
    const maker = (id: string, developer_id: string) =>
      deploy(id, [functionOf('main', [emit(`${id}.made`, data)])], { developer_id });
    const [first, second_, foreign] = [newId(), newId(), newId()];
    const [one, two, neighbour] = [
      await maker(first, 'dev_q'),
      await maker(second_, 'dev_q'),
      await maker(foreign, 'dev_r'),
    ];
    const buses = [host.service, second].map(({ app }) => app.get(EventBusService));
    for (const bus of buses) jest.replaceProperty(bus, 'quotaBytes', 5 * size);
    const publish = (at: number) => {
      const service = at % 2 ? second : host.service;
      return host.runFunction(at % 3 ? one : two, { service, user: userNamed(`usr_${at}`) });
    };
    const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => publish(at)));
    const refused = answers.filter(({ body }) => body.status === 'error');
    for (const { body } of refused)
      expect(body).toMatchObject({ error_code: 'EVENT_QUOTA_EXCEEDED', retryable: false });
    expect(refused).toHaveLength(25);
    expect([...(await eventsOf(first)), ...(await eventsOf(second_))]).toHaveLength(5);
    expect(await host.service.query("SELECT bytes FROM event_usage WHERE owner = 'dev_q'")).toEqual([
      { bytes: String(5 * size) },
    ]);
    expect((await host.runFunction(neighbour)).body.status).toBe('success');
    await host.service.query("UPDATE event_usage SET day = day - 2 WHERE owner LIKE 'dev_q%'");
    expect((await host.runFunction(one)).body.status).toBe('success');
    expect(await host.service.app.get(EventDeliveriesService).deletePastUsage()).toBe(1 + 5);
  });

  it('is refused for one user beyond a quarter of that, and for nobody beyond half, whatever happens at once', async () => {
    const data = { text: 'x'.repeat(1_000) };
    const size = Buffer.byteLength(JSON.stringify(data)) + 512;
    const maker = (id: string) =>
      deploy(id, [functionOf('main', [emit(`${id}.made`, data)])], { developer_id: 'dev_share' });
    const [one, two] = [await maker(newId()), await maker(newId())];
    const buses = [host.service, second].map(({ app }) => app.get(EventBusService));
    for (const bus of buses) jest.replaceProperty(bus, 'quotaBytes', 40 * size);
    const publish = (times: number, user: string | null) =>
      Promise.all(
        Array.from({ length: times }, (_, at) =>
          host.runFunction(at % 3 ? one : two, {
            service: at % 2 ? second : host.service,
            user: user === null ? null : userNamed(user),
          }),
        ),
      );
    const [ofGreedy, ofNobody, ofAda] = await Promise.all([
      publish(20, 'usr_greedy'),
      publish(30, null),
      publish(5, 'usr_ada'),
    ]);
    const refused = (answers: typeof ofAda) =>
      answers.filter(({ body }) => body.status === 'error').map(({ body }) => body);
    expect(refused(ofGreedy)).toHaveLength(10);
    expect(refused(ofNobody)).toHaveLength(10);
    expect(refused(ofAda)).toEqual([]);
    const errors = [...refused(ofGreedy), ...refused(ofNobody)];
    for (const body of errors) expect(body).toMatchObject({ error_code: 'EVENT_QUOTA_EXCEEDED', retryable: false });
    const said = (mib: number, whose: string) =>
      `The apps of one developer can publish at most ${mib} MiB of events${whose} in a day (UTC).`;
    for (const { error } of refused(ofGreedy)) expect(error).toContain(said(0.01, ' for one user'));
    for (const { error } of refused(ofNobody))
      expect(error).toContain(said(0.03, ' without a user, such as from webhooks and schedules,'));
    const usage = await host.service.query<{ owner: string; bytes: string }>(
      "SELECT owner, bytes FROM event_usage WHERE owner LIKE 'dev_share%' ORDER BY bytes",
    );
    expect(usage).toEqual([
      { owner: 'dev_share usr_ada', bytes: String(5 * size) },
      { owner: 'dev_share usr_greedy', bytes: String(10 * size) },
      { owner: 'dev_share nobody', bytes: String(20 * size) },
      { owner: 'dev_share', bytes: String(35 * size) },
    ]);
  });

  it('is not held up by an app of somebody else that is behind: what is too much for that is dead, and can be replayed', async () => {
    const [from, slow] = [newId(), newId()];
    const publisher = await deploy(from, [functionOf('main', [emit(`${from}.made`)])]);
    await deploy(slow, [handler(`${from}.made`, [note()])], { developer_id: 'dev_2' });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    for (const { app } of [host.service, second]) {
      app.get(EventBusService).maxBacklog = 5;
      app.get(EventDeliveriesService).maxBehind = 3;
      const runs = app.get(RunsService);
      const run = runs.runEventHandler.bind(runs);
      jest.spyOn(runs, 'runEventHandler').mockImplementation((...given) => released.then(() => run(...given)));
    }
    for (let published = 1; published <= 8; published++) {
      expect((await host.runFunction(publisher)).body.status).toBe('success');
      await until(async () => (await deliveries(slow)).items.length === published);
    }
    const dead = (await deliveries(slow, '?status=dead')).items;
    expect(dead).toHaveLength(5);
    for (const delivery of dead)
      expect(delivery).toMatchObject({ attempts: 0, error: '3 events were already waiting for the app.' });
    release();
    await finished(slow, 8);
    expect((await replay(slow, dead[0]?.event_id as string)).status).toBe(202);
    await finished(slow, 8);
    await idle();
    expect((await deliveries(slow)).items.map(({ status }) => status).sort()).toEqual([
      ...Array(4).fill('dead'),
      ...Array(4).fill('succeeded'),
    ]);
    expect(await heard(slow)).toHaveLength(4);
  });

  it('ends when handlers call each other by events for too long', async () => {
    const [one, other] = [newId(), newId()];
    const app = await deploy(one, [
      functionOf('main', [emit(`${one}.ping`)]),
      handler(`${other}.pong`, [emit(`${one}.ping`)]),
    ]);
    await deploy(other, [handler(`${one}.ping`, [emit(`${other}.pong`)])]);
    await host.runFunction(app);
    await until(async () => (await deliveries(other, '?status=dead')).items.length);
    await idle();
    const [dead] = (await deliveries(other, '?status=dead')).items;
    expect(dead?.error).toContain('EVENT_TOO_MANY_HOPS');
    expect((await eventsOf(one)).map(({ hop }) => hop)).toEqual([0, 2, 4, 6, 8]);
    expect((await eventsOf(other)).map(({ hop }) => hop)).toEqual([1, 3, 5, 7]);
  });

  it('carries its hop through calls of other apps, and back', async () => {
    const [from, to] = [newId(), newId()];
    await deploy(from, [handler('marketplace.app_installed', [step('call', `call.${to}.f`)])]);
    host.gateway.answerCall = (): CallResponse => ({
      status: 'success',
      data: {},
      summary: null,
      error: null,
      ui: null,
      error_code: null,
      retryable: false,
    });
    await post(platformEvent({ hop: 3 }));
    await finished(from);
    expect(host.gateway.calls.at(-1)).toMatchObject({
      app_id: to,
      function: 'f',
      user_id: 'usr_1',
      hop: 4,
      chain: [`${from}.__event__marketplace.app_installed`],
    });
    // The gateway has delegated scopes of the user to the handler.
    expect(host.gateway.calls.at(-1)).toMatchObject({ kind: 'event', scopes: ['notes:*'] });
    const app = await deploy(to, [functionOf('main', [emit(`${to}.made`)])]);
    await host.runFunction(app, { hop: 5, user: userNamed('usr_1') });
    expect(await eventsOf(to)).toMatchObject([{ hop: 5 }]);
    expect((await host.runFunction(app, { hop: 9 })).body).toMatchObject({
      status: 'error',
      error_code: 'EVENT_TOO_MANY_HOPS',
    });
  });
});

it('is handled soon beside the apps of another developer that have many under way', async () => {
  const [slow, quick] = [[newId(), newId(), newId()], newId()];
  for (const id of slow) await deploy(id, [handler('system.slow', [note()])], { developer_id: 'dev_slow' });
  await deploy(quick, [handler('system.quick', [note()])], { developer_id: 'dev_quick' });
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let waiting = 0;
  for (const { app } of [host.service, second]) {
    const runs = app.get(RunsService);
    const run = runs.runEventHandler.bind(runs);
    jest.spyOn(runs, 'runEventHandler').mockImplementation(async (...given) => {
      if (slow.includes(given[0].app_id)) {
        waiting++;
        await released;
      }
      return run(...given);
    });
  }
  await Promise.all(Array.from({ length: 20 }, () => post(platformEvent({ type: 'system.slow' }))));
  await until(() => waiting === 16);
  await post(platformEvent({ type: 'system.quick' }));
  expect(await finished(quick)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
  expect(waiting).toBe(16);
  release();
  await idle();
  for (const id of slow) {
    const { items } = await deliveries(id, '?limit=100');
    expect(items.map(({ status, attempts }) => [status, attempts])).toEqual(Array(20).fill(['succeeded', 1]));
  }
});

it('is shared among developers on its way, and the platform’s own among users', async () => {
  const enqueue = jest.spyOn(JobsService.prototype, 'enqueue'); // in both processes
  const from = newId();
  const publisher = await deploy(from, [functionOf('main', [emit(`${from}.made`)])], { developer_id: 'dev_9' });
  await host.runFunction(publisher);
  await post(platformEvent({ user_id: 'usr_9' }));
  await idle();
  const owners = enqueue.mock.calls
    .filter(([, { name }]) => [eventQueue.name, eventsToGatewayQueue.name].includes(name))
    .map(([, { name }, , payload]) => [name, eventQueue.owner?.(payload as never)]);
  expect(owners.sort()).toEqual([
    [eventQueue.name, 'usr_9'],
    [eventsToGatewayQueue.name, 'dev_9'],
  ]);
});

describe('an event of the platform', () => {
  it('is taken once, and by the narrowest handler of each app', async () => {
    const [exact, wide, both] = [newId(), newId(), newId()];
    await deploy(exact, [handler('marketplace.app_installed', [note()])]);
    await deploy(wide, [handler('marketplace.*', [note()])]);
    await deploy(both, [
      handler('marketplace.*', [note({ by: 'wide' })]),
      handler('marketplace.app_installed', [note({ by: 'exact' })]),
    ]);
    const event = platformEvent();
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(event)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(204));
    await idle();
    for (const id of [exact, wide])
      expect(await heard(id)).toMatchObject([
        { user_id: 'usr_1', data: { event: { event_id: event.event_id, source: 'platform' } } },
      ]);
    expect(await heard(both)).toMatchObject([{ data: { by: 'exact' } }]);
    expect(host.gateway.events.filter(({ event_id }) => event_id === event.event_id)).toEqual([]);
    const other = platformEvent({ type: 'marketplace.app_uninstalled' });
    await post(other);
    await idle();
    expect(await heard(exact)).toHaveLength(1);
    expect(await heard(wide)).toHaveLength(2);
    expect(await heard(both)).toMatchObject([{ data: { by: 'exact' } }, { data: { by: 'wide' } }]);
  });

  it('is asked about for those alone whom it could reach where very many subscribe, such as drafts of one developer', async () => {
    const [few, mine, also, foreign] = [newId(), newId(), newId(), newId()];
    const type = `busy.${few}`;
    for (const id of [mine, also, foreign]) await deploy(id, [handler(type, [note()]), handler('busy.*', [note()])]);
    host.gateway.hasApp = (_user, id) => id === mine || id === also;
    const askedAbout = (eventId: string) =>
      host.gateway.requests
        .filter(({ line, text }) => line.endsWith('/events/subscribers') && text.includes(eventId))
        .map(({ text }) => (JSON.parse(text) as EventSubscribersRequest).app_ids);
    const first = platformEvent({ type });
    await post(first);
    await finished(mine);
    expect(askedAbout(first.event_id)).toEqual([[mine, also, foreign].sort()]);
    await host.service.query(
      `INSERT INTO event_subscriptions (app_id, type, version, sha256, developer_id)
       SELECT $1 || n, $2, '1.0.0', '', 'dev_drafts' FROM generate_series(1, 1500) n`,
      [`${few}-draft-`, type],
    );
    const second = platformEvent({ type });
    host.gateway.audiencePage = 1;
    try {
      await post(second);
      await finished(mine, 2);
    } finally {
      host.gateway.audiencePage = 1_000;
    }
    await idle();
    expect(askedAbout(second.event_id)).toEqual([[mine, also].sort()]);
    expect(await heard(mine)).toHaveLength(2);
    expect(await heard(foreign)).toEqual([]);
  });

  it('is for services alone, and judged', async () => {
    expect((await host.service.client().post('/v1/internal/events', platformEvent())).status).toBe(401);
    for (const wrong of [{ event_id: '1' }, { type: 'x' }, { hop: -1 }, { data: [] }]) {
      expect((await host.backend().post('/v1/internal/events', { ...platformEvent(), ...wrong })).status).toBe(422);
    }
  });

  it('waits for the gateway when that is away, and is given once', async () => {
    const id = newId();
    await deploy(id, [handler('system.tested', [note()])]);
    host.gateway.isAway = true;
    await post(platformEvent({ type: 'system.tested' }));
    await until(
      async () =>
        (await host.service.query("SELECT FROM outbox WHERE queue = 'events' AND dispatched_at IS NOT NULL")).length,
    );
    expect((await deliveries(id)).items).toEqual([]);
    host.gateway.isAway = false;
    await finished(id);
    await idle();
    expect(await heard(id)).toHaveLength(1);
  });
});

describe('a delivery', () => {
  const failing = [step('stop', 'control.fail', { error: 'Broken', code: 'BROKEN' })];

  it('is tried five times, then dead, and replayed by the version that runs by then', async () => {
    const id = newId();
    await deploy(id, [handler('system.failed', failing)]);
    const event = platformEvent({ type: 'system.failed' });
    await post(event);
    const [dead] = await finished(id);
    expect(dead).toMatchObject({ status: 'dead', attempts: 5, error: expect.stringContaining('BROKEN') as string });
    await deploy(id, [handler('system.failed', [note()])]);
    const both = await Promise.all([replay(id, event.event_id), replay(id, event.event_id)]);
    expect(both.map(({ status }) => status)).toContain(202);
    await finished(id);
    await idle();
    expect(await deliveries(id)).toMatchObject({ items: [{ status: 'succeeded', attempts: 1, error: null }] });
    expect(await heard(id)).toHaveLength(both.filter(({ status }) => status === 202).length);
    expect(await replay(id, newUuid())).toMatchObject({ status: 404, body: { code: 'event_delivery.not_found' } });
    expect((await replay('another', event.event_id)).status).toBe(404);
    expect((await replay(id, 'no-uuid')).status).toBe(422);
    expect((await host.service.client().get(path(id))).status).toBe(401);
  });

  it('is replayed by nobody while it is under way', async () => {
    const id = newId();
    await deploy(id, [handler('system.held', [note()])]);
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    for (const { app } of [host.service, second]) {
      const original = app.get(RunsService).runEventHandler.bind(app.get(RunsService));
      jest.spyOn(app.get(RunsService), 'runEventHandler').mockImplementation(async (...parameters) => {
        await held;
        return original(...parameters);
      });
    }
    const event = platformEvent({ type: 'system.held' });
    await post(event);
    await until(async () => (await deliveries(id)).items[0]?.status === 'running');
    expect(await replay(id, event.event_id)).toMatchObject({
      status: 409,
      body: { code: 'event_delivery.not_finished' },
    });
    letGo();
    await finished(id);
  });

  it('is done again when the process at it dies, and once when its job comes twice', async () => {
    const id = newId();
    await deploy(id, [handler('system.left', [note()])]);
    const event = platformEvent({ type: 'system.left' });
    await post(event);
    await finished(id);
    const drive = (jobId: string) =>
      host.service.query(
        `INSERT INTO outbox (id, queue, name, payload) VALUES ($1, 'event-deliveries', 'deliver', jsonb_build_object('event_id', $2::text, 'app_id', $3::text))`,
        [jobId, event.event_id, id],
      );
    await drive('job_twice');
    await idle();
    expect(await heard(id)).toHaveLength(1);
    const leave = (attempts: number, jobId: string) =>
      host.service.query(
        "UPDATE event_deliveries SET status = 'running', finished_at = NULL, attempts = $3, job_id = $4 WHERE event_id = $1 AND app_id = $2",
        [event.event_id, id, attempts, jobId],
      );
    await leave(1, 'job_left');
    await drive('job_left');
    await idle();
    expect(await deliveries(id)).toMatchObject({ items: [{ status: 'succeeded', attempts: 2 }] });
    expect(await heard(id)).toHaveLength(2);
    await leave(5, 'job_again');
    await drive('job_again');
    await idle();
    expect(await deliveries(id)).toMatchObject({
      items: [{ status: 'dead', error: expect.stringContaining('died') as string }],
    });
    expect(await heard(id)).toHaveLength(2);
  });

  it('is dead at once for an app that is suspended meanwhile', async () => {
    const id = newId();
    const app = await deploy(id, [handler('system.suspended', failing)]);
    await post(platformEvent({ type: 'system.suspended' }));
    await finished(id);
    await host.announce(id, app, { is_suspended: true });
    await replay(id, (await deliveries(id)).items[0]?.event_id as string);
    expect(await finished(id)).toMatchObject([
      { status: 'dead', attempts: 1, error: expect.stringContaining('suspended') as string },
    ]);
    await post(platformEvent({ type: 'system.suspended' }));
    await idle();
    expect((await deliveries(id)).items).toHaveLength(1);
  });

  it('is listed, the newest first, a page at a time, by status', async () => {
    const id = newId();
    await deploy(id, [
      handler('system.listed', [step('if', 'control.if', { if: { field: '{{event.data.n}}', eq: 1 }, then: failing })]),
    ]);
    const events = [0, 1, 2].map((n) => platformEvent({ type: 'system.listed', data: { n } }));
    for (const event of events) await post(event);
    await finished(id, 3);
    const ids = events.map(({ event_id }) => event_id).reverse();
    const first = await deliveries(id, '?limit=2');
    const rest = await deliveries(id, `?limit=2&cursor=${first.cursor}`);
    expect([...first.items, ...rest.items].map(({ event_id }) => event_id)).toEqual(ids);
    expect(rest.cursor).toBeNull();
    expect((await deliveries(id, '?status=dead')).items).toMatchObject([{ event_id: events[1]?.event_id }]);
    for (const query of ['limit=0', `cursor=${'-'.repeat(36)}`, 'cursor=none']) {
      expect((await host.backend().get(`${path(id)}?${query}`)).status).toBe(422);
    }
  });

  it('is forgotten after 7 days, with its event, and given up when its job is lost', async () => {
    const [id, lost] = [newId(), newId()];
    for (const app of [id, lost]) await deploy(app, [handler('system.old', [note()])]);
    await post(platformEvent({ type: 'system.old' }));
    await finished(id);
    await finished(lost);
    await idle();
    await host.service.query("UPDATE event_deliveries SET finished_at = now() - interval '8 days' WHERE app_id = $1", [
      id,
    ]);
    await host.service.query("UPDATE event_deliveries SET status = 'running', finished_at = NULL WHERE app_id = $1", [
      lost,
    ]);
    await host.service.query("UPDATE events SET created_at = now() - interval '8 days' WHERE type = 'system.old'");
    const deliveriesOf = host.service.app.get(EventDeliveriesService);
    const sweep = async () => [await deliveriesOf.deleteOldDeliveries(), await deliveriesOf.deleteOldEvents()];
    await deliveriesOf.failLostDeliveries();
    expect(await sweep()).toEqual([1, 0]);
    expect((await deliveries(id)).items).toEqual([]);
    expect((await deliveries(lost)).items).toMatchObject([{ status: 'dead', error: 'Its job was lost.' }]);
    await host.service.query("UPDATE event_deliveries SET finished_at = now() - interval '8 days' WHERE app_id = $1", [
      lost,
    ]);
    expect(await sweep()).toEqual([1, 1]);
    expect(await host.service.query("SELECT FROM events WHERE type = 'system.old'")).toEqual([]);
  });
});

it('is known which subscriptions take a type', () => {
  expect(matchingSubscriptionTypes('a.b')).toEqual(['a.b', 'a.*']);
  expect(matchingSubscriptionTypes('a.b:c.d')).toEqual(['a.b:c.d', 'a.b:c.*', 'a.b:*', 'a.*']);
});

describe('a few events for the apps of one developer', () => {
  it('are handled while hundreds for those of another are being handled', async () => {
    const [noisy, quiet] = [newId(), newId()];
    await deploy(noisy, [handler('things.noisy', [note()])]);
    await deploy(quiet, [handler('things.quiet', [note()])], { developer_id: 'dev_quiet' });
    let letGo = (): void => undefined;
    const released = new Promise<void>((resolve) => (letGo = resolve));
    let [begun, ended] = [0, 0];
    for (const { app } of [host.service, second]) {
      const runs = app.get(RunsService);
      const handle = runs.runEventHandler.bind(runs);
      jest.spyOn(runs, 'runEventHandler').mockImplementation(async (of, ...rest) => {
        if (of.app_id !== noisy) return handle(of, ...rest);
        begun++;
        await released;
        ended++;
      });
    }
    try {
      const others = Array.from({ length: 20 }, (_, at) => `usr_other_${at}`);
      const owners = [...Array.from({ length: 100 }, () => 'usr_noisy'), ...others, ...others];
      for (const user_id of owners)
        expect((await post(platformEvent({ type: 'things.noisy', user_id }))).status).toBe(204);
      await until(() => begun > 0);
      for (let n = 0; n < 3; n++) await post(platformEvent({ type: 'things.quiet', user_id: 'usr_quiet' }));
      expect((await finished(quiet, 3)).map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
      expect(ended).toBe(0);
    } finally {
      letGo();
    }
    await idle();
  }, 90_000);
});
