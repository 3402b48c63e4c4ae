import type { BusEvent, EventAudienceResponse } from '@platform/contracts';
import { JobsService } from '@platform/messaging';
import { Outbox } from '@platform/persistence';
import { newUuid } from '@platform/platform';
import { until, type TestClient } from '@platform/testing';
import type { RunGrant } from '../run-grants/run-grant.js';
import { RunEligibilityService } from '../run-grants/run-eligibility.service.js';
import { createApp, createDeveloper, newAppId } from '../../testing/apps.js';
import type { TestUser } from '../../testing/gateway-test.js';
import { FakeHost } from '../../testing/fake-host.js';
import { createRunGrant } from '../../testing/run-grants.js';
import { createRegisteredApp } from '../../testing/registered-apps.js';
import { waitIfMidnightIsNear } from '../../testing/midnight.js';
import { RegistryTest } from '../../testing/registry-test.js';
import { eventQueue, eventsToHostQueue } from './events.jobs.js';
import { asNewEvent, type AnyEvent } from '../../testing/events.js';
import { PlatformEventsService, type PlatformEvent } from './platform-events.service.js';

const EVENTS = '/v1/internal/events';

let host: FakeHost;
let platform: RegistryTest;
let backend: TestClient;
let user: TestUser;
let notes: string;
/** Events that the listener received, and its behaviour. */
const heard: PlatformEvent[] = [];
let listen: (event: PlatformEvent) => void;
beforeAll(async () => {
  jest.spyOn(eventQueue, 'backoff').mockReturnValue(1);
  jest.spyOn(eventsToHostQueue, 'backoff').mockReturnValue(1);
  host = await FakeHost.start();
  platform = await RegistryTest.start({ WORKERS: 'inline', EXT_WEBHOOK_HOST_URL: host.url });
  backend = platform.gateway.backend();
  user = await platform.gateway.user();
  await query('CREATE SEQUENCE gateway.test_revisions START 1000000');
  notes = (await createApp(platform.gateway, { document: {} })).app_id;
  await install(notes, user.id);
  platform.gateway.service.app.get(PlatformEventsService).onEvent('spec', async (event) => {
    heard.push(event);
    listen(event);
    return Promise.resolve();
  });
});
beforeEach(() => {
  host.answers = () => ({ status: 204 });
  listen = () => undefined;
});
beforeEach(waitIfMidnightIsNear); // events of apps are counted by day
afterAll(async () => {
  await query('DELETE FROM platform_events'); // invented events do not match the catalogue
  await platform.stop();
  await host.stop();
});

const query = <Row>(sql: string, values: unknown[] = []) => platform.gateway.service.query<Row>(sql, values);
const posted = (id: string) =>
  host.requests.filter(({ url, body }) => url === EVENTS && (body as BusEvent).event_id === id);
const heardOf = (id: string) => heard.filter((event) => event.id === id);
const publish = (changes: Partial<AnyEvent> = {}): Promise<string | null> =>
  platform.gateway.service.app
    .get(Outbox)
    .transaction((em) =>
      platform.gateway.service.app
        .get(PlatformEventsService)
        .publish(
          em,
          asNewEvent({ type: 'system.tested', tenantId: 'default', userId: user.id, data: { a: 1 }, ...changes }),
        ),
    );
/** An event of the app `notes`; default: of the user. */
const told = async (run: Partial<RunGrant> = {}, changes: object = {}) => ({
  grant: await createRunGrant(platform.gateway.service, notes, { userId: user.id, hop: 2, ...run }),
  event_id: newUuid(),
  type: `${notes}.note_added`,
  data: { text: 'Hi' },
  timestamp: '2026-11-22T01:00:00.000Z',
  ...changes,
});
const install = (appId: string, userId: string, removedAt: Date | null = null) =>
  query(
    `INSERT INTO installs (user_id, app_id, tenant_id, revision, installed_at, removed_at)
     SELECT $1, $2, tenant_id, nextval('gateway.test_revisions'), now(), $3 FROM users WHERE id = $1`,
    [userId, appId, removedAt],
  );
/** Waits until all jobs have ended. */
const idle = () =>
  until(async () => !(await query("SELECT FROM outbox WHERE queue IN ('platform-events', 'events-to-host')")).length);

describe('an event of the platform', () => {
  it('is told to its listeners and to the host, with who, when and what', async () => {
    const id = (await publish({ hop: 3 })) as string;
    await until(() => heardOf(id).length && posted(id).length);
    const [event] = heardOf(id);
    expect(event).toEqual({
      id,
      type: 'system.tested',
      tenantId: 'default',
      userId: user.id,
      data: { a: 1 },
      hop: 3,
      scopes: null,
      key: null,
      apps: null,
      source: 'platform',
      at: expect.any(Date) as Date,
    });
    expect(posted(id)).toMatchObject([
      {
        method: 'POST',
        body: {
          event_id: id,
          type: 'system.tested',
          tenant_id: 'default',
          user_id: user.id,
          source: 'platform',
          data: { a: 1 },
          hop: 3,
          timestamp: event?.at.toISOString(),
        },
      },
    ]);
    const [row] = await query('SELECT source_type, source, type, payload FROM platform_events WHERE id = $1', [id]);
    expect(row).toEqual({ source_type: 'system', source: 'platform', type: 'system.tested', payload: { a: 1 } });
  });

  it('is told again until it was taken, however often a listener or the host fails', async () => {
    let failures = 0;
    host.answers = () => (++failures > 3 ? { status: 204 } : { status: 500 });
    let refusals = 0;
    listen = () => {
      if (++refusals < 3) throw new Error('not now');
    };
    const id = (await publish()) as string;
    await idle();
    expect(heardOf(id)).toHaveLength(3);
    expect(posted(id).length).toBeGreaterThan(3);
  });

  it('is there only if its transaction commits', async () => {
    let id: string | null = null;
    const { app } = platform.gateway.service;
    const work = app.get(Outbox).transaction(async (em) => {
      id = await app
        .get(PlatformEventsService)
        .publish(em, asNewEvent({ type: 'system.tested', tenantId: 'default', userId: null, data: {} }));
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await query('SELECT FROM platform_events WHERE id = $1', [id])).toEqual([]);
    expect(await query('SELECT FROM outbox WHERE payload @> $1', [{ event_id: id }])).toEqual([]);
  });

  it('is not published of somebody who is not there, nor when too many others led to it', async () => {
    const gone = await platform.gateway.user({ erased_at: new Date(), is_active: false });
    const refused = [{ userId: 'usr_unknown' }, { userId: gone.id }, { tenantId: 'nowhere' }, { hop: 9 }];
    for (const changes of refused) expect(await publish(changes)).toBeNull();
    expect(await publish({ userId: null, hop: 8 })).not.toBeNull();
  });
});

describe('an event of an app', () => {
  it('is taken once from the host, and not sent back to it', async () => {
    const event = await told();
    const answers = await Promise.all(Array.from({ length: 5 }, () => backend.post(EVENTS, event)));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    await idle();
    expect(heardOf(event.event_id)).toMatchObject([
      { source: notes, hop: 2, data: { text: 'Hi' }, at: new Date(event.timestamp) },
    ]);
    expect(posted(event.event_id)).toEqual([]);
    const [row] = await query<{ source_type: string }>('SELECT source_type FROM platform_events WHERE id = $1', [
      event.event_id,
    ]);
    expect(row?.source_type).toBe('extension');
  });

  it('is for services alone, and judged', async () => {
    expect((await platform.gateway.client().post(EVENTS, await told())).status).toBe(401);
    const wrong = [
      { event_id: 'evt_1' },
      { type: 'nodots' },
      { hop: 2 },
      { user_id: user.id },
      { data: 'text' },
      { timestamp: 'now' },
    ];
    for (const changes of wrong)
      expect(await backend.post(EVENTS, await told({}, changes))).toMatchObject({ status: 422 });
    expect(await backend.post(EVENTS, await told({ hop: 9 }))).toMatchObject({
      status: 400,
      body: { code: 'event.too_many_hops' },
    });
    for (const type of [
      'other.note_added',
      `${notes}x.note_added`,
      'marketplace.app_installed',
      `${notes}:note_added`,
    ]) {
      const refused = await told({}, { type });
      expect(await backend.post(EVENTS, refused)).toMatchObject({ status: 403, body: { code: 'run_grant.refused' } });
      expect(await query('SELECT FROM platform_events WHERE id = $1', [refused.event_id])).toEqual([]);
    }
  });

  it('is taken up to a day after its run, and of nobody else by then', async () => {
    const hours = (count: number) => ({ expiresAt: Date.now() - count * 3_600_000 });
    expect((await backend.post(EVENTS, await told(hours(23)))).status).toBe(204);
    expect(await backend.post(EVENTS, await told(hours(25)))).toMatchObject({
      status: 403,
      body: { code: 'run_grant.expired' },
    });
    const somebody = await platform.gateway.user();
    expect(await backend.post(EVENTS, await told({ ...hours(1), userId: somebody.id }))).toMatchObject({ status: 403 });
  });

  it('goes with its user', async () => {
    const somebody = await platform.gateway.user();
    await install(notes, somebody.id);
    const event = await told({ userId: somebody.id });
    expect((await backend.post(EVENTS, event)).status).toBe(204);
    expect(await query('SELECT FROM platform_events WHERE id = $1', [event.event_id])).toHaveLength(1);
    const admin = await platform.gateway.signIn(await platform.gateway.user({ role: 'admin' }));
    expect((await admin.delete(`/v1/users/${somebody.id}?permanent=true`)).status).toBe(200);
    expect(await query('SELECT FROM platform_events WHERE id = $1', [event.event_id])).toEqual([]);
  });
});

describe('installing an app', () => {
  const ofInstalls = (app_id: string) =>
    query<{ type: string; user_id: string }>(
      'SELECT type, user_id FROM platform_events WHERE payload = $1 ORDER BY insert_number',
      [{ app_id }],
    );

  it('is published once, however often it is asked for, and so is the removal', async () => {
    const { app_id } = await createRegisteredApp(platform);
    const client = platform.gateway.actingFor(user.id);
    const path = `/v1/marketplace/apps/${app_id}/install`;
    await Promise.all([client.post(path, {}), client.post(path, {}), client.post(path, {})]);
    await until(async () => (await ofInstalls(app_id)).length > 0);
    await Promise.all([client.delete(path), client.delete(path)]);
    await until(async () => !(await query("SELECT FROM outbox WHERE queue = 'installs'")).length);
    expect(await ofInstalls(app_id)).toEqual([
      { type: 'marketplace.app_installed', user_id: user.id },
      { type: 'marketplace.app_uninstalled', user_id: user.id },
    ]);
  });
});

it('of an app is not taken when its developer’s apps have published too much today, and is later', async () => {
  const developer_id = await createDeveloper(platform.gateway);
  const [one, two] = await Promise.all([1, 2].map(() => createApp(platform.gateway, { developer_id, document: {} })));
  const eventOf = async (app_id = '') => ({
    ...(await told()),
    type: `${app_id}.done`,
    grant: await createRunGrant(platform.gateway.service, app_id),
  });
  const taken = await eventOf(one?.app_id);
  expect((await backend.post(EVENTS, taken)).status).toBe(204);
  const [usage] = await query<{ bytes: string }>('SELECT bytes FROM event_usage WHERE owner = $1', [developer_id]);
  expect(Number(usage?.bytes)).toBe(JSON.stringify(taken.data).length + 512);
  await query('UPDATE event_usage SET bytes = $2 WHERE owner = $1', [developer_id, 100 * 1024 * 1024 - 100]);
  const refused = await eventOf(two?.app_id);
  const limited = await backend.post(EVENTS, refused);
  expect(limited).toMatchObject({ status: 429, body: { code: 'event.quota_exceeded' } });
  const untilMidnight = Number(limited.headers.get('retry-after'));
  expect(untilMidnight).toBeGreaterThan(0);
  expect(untilMidnight).toBeLessThanOrEqual(86_400);
  expect(await query('SELECT FROM platform_events WHERE id = $1', [refused.event_id])).toEqual([]);
  expect((await backend.post(EVENTS, taken)).status).toBe(204);
  expect((await backend.post(EVENTS, await told())).status).toBe(204);
  await query('UPDATE event_usage SET day = day - 1 WHERE owner = $1', [developer_id]);
  expect((await backend.post(EVENTS, refused)).status).toBe(204);
  expect(await query('SELECT FROM platform_events WHERE id = $1', [refused.event_id])).toHaveLength(1);
});

it('of an app is not taken for one user beyond a quarter of that, nor for nobody beyond half, and is for others', async () => {
  const developer_id = await createDeveloper(platform.gateway);
  const [one, two] = await Promise.all([1, 2].map(() => createApp(platform.gateway, { developer_id, document: {} })));
  const other = await platform.gateway.user();
  for (const app of [one, two]) for (const { id } of [user, other]) await install(app?.app_id ?? '', id);
  const publishFor = async (userId: string | null, app_id = '') =>
    backend.post(EVENTS, {
      ...(await told()),
      type: `${app_id}.done`,
      grant: await createRunGrant(platform.gateway.service, app_id, { userId }),
    });
  const fill = (share: string, part: number) =>
    query('UPDATE event_usage SET bytes = $2 WHERE owner = $1', [
      `${developer_id} ${share}`,
      part * 100 * 1024 * 1024 - 100,
    ]);
  for (const userId of [user.id, null]) expect((await publishFor(userId, one?.app_id)).status).toBe(204);
  await fill(user.id, 1 / 4);
  await fill('nobody', 1 / 2);
  const before = await query('SELECT owner, bytes FROM event_usage WHERE owner LIKE $1 ORDER BY owner', [
    `${developer_id}%`,
  ]);
  for (const app of [one, two]) {
    for (const [userId, message] of [
      [user.id, 'The apps of one developer can publish at most 25 MiB of events for one user in a day (UTC).'],
      [
        null,
        'The apps of one developer can publish at most 50 MiB of events without a user, such as from webhooks and schedules, in a day (UTC).',
      ],
    ] as const) {
      expect(await publishFor(userId, app?.app_id)).toMatchObject({
        status: 429,
        body: { code: 'event.quota_exceeded', detail: message },
      });
    }
  }
  expect(
    await query('SELECT owner, bytes FROM event_usage WHERE owner LIKE $1 ORDER BY owner', [`${developer_id}%`]),
  ).toEqual(before);
  expect((await publishFor(other.id, two?.app_id)).status).toBe(204);
});

it('is shared among developers on its way, however many apps they have, and the platform’s own among users', async () => {
  await idle(); // otherwise an event of an earlier test could add jobs
  const enqueue = jest.spyOn(platform.gateway.service.app.get(JobsService), 'enqueue');
  const developer_id = await createDeveloper(platform.gateway);
  const apps = await Promise.all([1, 2].map(() => createApp(platform.gateway, { developer_id, document: {} })));
  for (const { app_id } of apps) {
    const event = {
      ...(await told()),
      type: `${app_id}.done`,
      grant: await createRunGrant(platform.gateway.service, app_id),
    };
    expect((await backend.post(EVENTS, event)).status).toBe(204);
  }
  await publish();
  await idle();
  const owners = enqueue.mock.calls.map(([, { name }, , payload]) => [name, eventQueue.owner?.(payload as never)]);
  enqueue.mockRestore();
  expect(owners).toEqual([
    ['platform-events', developer_id],
    ['platform-events', developer_id],
    ['platform-events', user.id],
    ['events-to-host', user.id],
  ]);
});

describe('whom an event reaches', () => {
  const reached = async (eventId: string | null, app_ids: string[]) =>
    (await backend.post<{ app_ids: string[] }>(`${EVENTS}/subscribers`, { event_id: eventId, app_ids })).body.app_ids;

  it('of a user, the active apps that they have and have not disabled, and their own drafts', async () => {
    const { id } = user;
    const stranger = await platform.gateway.user();
    await query('INSERT INTO developers (user_id, display_name) VALUES ($1, $2)', [id, 'Ada']);
    const [mine, foreign, disabled, closed, suspended, draft, draftOfOther, removed] = await Promise.all([
      createApp(platform.gateway),
      createApp(platform.gateway),
      createApp(platform.gateway),
      createApp(platform.gateway),
      createApp(platform.gateway, { status: 'suspended' }),
      createApp(platform.gateway, { status: 'draft', developer_id: id }),
      createApp(platform.gateway, { status: 'draft', developer_id: await createDeveloper(platform.gateway) }),
      createApp(platform.gateway),
    ]);
    const all = [mine, foreign, disabled, closed, suspended, draft, draftOfOther, removed].map(({ app_id }) => app_id);
    for (const app of [mine, disabled, closed, suspended]) await install(app.app_id, id);
    await install(foreign.app_id, stranger.id);
    await install(removed.app_id, id, new Date());
    await query('INSERT INTO disabled_extensions (user_id, app_id) VALUES ($1, $2)', [id, disabled.app_id]);
    await query(
      "INSERT INTO access_policies (tenant_id, app_id, mode, required_scopes, denied_roles, denied_users) VALUES ('default', $1, 'public', '{}', '{}', ARRAY[$2])",
      [closed.app_id, id],
    );
    const [ofUser, ofStranger] = [await publish(), await publish({ userId: stranger.id })];
    expect((await reached(ofUser, [...all, 'no-such-app', 'Not an app'])).sort()).toEqual(
      [mine.app_id, draft.app_id].sort(),
    );
    expect(await reached(ofStranger, all)).toEqual([foreign.app_id]);
    expect(await reached(newUuid(), all)).toEqual([]);
    await query('UPDATE users SET is_active = false WHERE id = $1', [stranger.id]);
    expect(await reached(ofStranger, all)).toEqual([]);
    expect((await platform.gateway.client().post(`${EVENTS}/subscribers`, {})).status).toBe(401);
    expect((await backend.post(`${EVENTS}/subscribers`, { event_id: ofUser, app_ids: [], user_id: id })).status).toBe(
      422,
    );
  });

  it('of nobody, the apps of the developer whose app has published it; of the platform, none', async () => {
    const developer_id = await createDeveloper(platform.gateway);
    const [own, other, suspended] = await Promise.all([
      createApp(platform.gateway, { developer_id, document: {} }),
      createApp(platform.gateway),
      createApp(platform.gateway, { developer_id, status: 'suspended' }),
    ]);
    const event = {
      ...(await told()),
      type: `${own.app_id}.done`,
      grant: await createRunGrant(platform.gateway.service, own.app_id),
    };
    expect((await backend.post(EVENTS, event)).status).toBe(204);
    const all = [own, other, suspended].map(({ app_id }) => app_id);
    expect(await reached(event.event_id, all)).toEqual([own.app_id]);
    expect(await reached(await publish({ userId: null }), all)).toEqual([]);
  });

  describe('where a developer has a thousand drafts', () => {
    let drafts: string[];
    let drafting: string;
    beforeAll(async () => {
      drafting = await createDeveloper(platform.gateway);
      const rows = await query<{ app_id: string }>(
        `INSERT INTO apps (app_id, developer_id, display_name) SELECT $1 || to_char(n, 'FM0000'), $2, 'Draft' FROM generate_series(1, 1200) n
         RETURNING app_id`,
        [`${newAppId()}-`, drafting],
      );
      drafts = rows.map(({ app_id }) => app_id).sort();
    });
    /** Apps that the gateway checks for an event. */
    const lookedAt = async (eventId: string | null, app_ids: string[]) => {
      const find = jest.spyOn(platform.gateway.service.app.get(RunEligibilityService), 'findEligibilities');
      const apps = await reached(eventId, app_ids);
      const looked = find.mock.calls.map(([asked]) => asked.map(({ appId }) => appId));
      find.mockRestore();
      return { reached: apps, looked };
    };
    const audience = async (event_id: string | null, after?: string) =>
      (
        await backend.post<EventAudienceResponse>(`${EVENTS}/audience`, {
          event_id,
          ...(after !== undefined && { after }),
        })
      ).body;

    it('an event of a user looks at what they could have, of nobody at what its developer has, about an app at that one', async () => {
      const publisher = await createDeveloper(platform.gateway);
      const [mine, own] = [
        await createApp(platform.gateway),
        await createApp(platform.gateway, { developer_id: publisher, document: {} }),
      ];
      await install(mine.app_id, user.id);
      const most = [...drafts.slice(0, 990), mine.app_id, own.app_id];
      expect(await lookedAt(await publish(), most)).toEqual({ reached: [mine.app_id], looked: [[mine.app_id]] });
      const about = await publish({ type: 'marketplace.app_installed', data: { app_id: mine.app_id } });
      expect(await lookedAt(about, most)).toEqual({ reached: [mine.app_id], looked: [[mine.app_id]] });
      const aboutDraft = await publish({ type: 'marketplace.app_installed', data: { app_id: drafts[0] } });
      expect(await lookedAt(aboutDraft, most)).toEqual({ reached: [], looked: [[drafts[0]]] });
      const event = {
        ...(await told()),
        type: `${own.app_id}.done`,
        grant: await createRunGrant(platform.gateway.service, own.app_id),
      };
      expect((await backend.post(EVENTS, event)).status).toBe(204);
      expect(await lookedAt(event.event_id, most)).toEqual({ reached: [own.app_id], looked: [[own.app_id]] });
    });

    it('their own events look at a hundred at once, so that what others ask is between', async () => {
      const { looked } = await lookedAt(await publish({ userId: drafting }), drafts.slice(0, 1000));
      expect(looked.map(({ length }) => length)).toEqual(Array(10).fill(100));
    });

    it('the host is told of every app that may act for a user, however they have it', async () => {
      const { gateway } = platform;
      const developer = await createDeveloper(gateway);
      const [installed, removed] = [await createApp(gateway), await createApp(gateway)];
      await install(installed.app_id, developer);
      await install(removed.app_id, developer, new Date());
      const [published, both] = [
        await createApp(gateway, { developer_id: developer }),
        await createApp(gateway, { developer_id: developer }),
      ];
      await install(both.app_id, developer);
      const [draft, suspended] = [
        await createApp(gateway, { developer_id: developer, status: 'draft' }),
        await createApp(gateway, { developer_id: developer, status: 'suspended' }),
      ];
      const [system, foreign] = [
        await createApp(gateway, { system: true }),
        await createApp(gateway, { status: 'draft' }),
      ];
      const ids = (await query<{ app_id: string }>('SELECT app_id FROM apps')).map(({ app_id }) => app_id);
      const eligibilities = await gateway.service.app
        .get(RunEligibilityService)
        .findEligibilities(ids.map((appId) => ({ appId, userId: developer })));
      const acting = ids.filter((_id, at) => eligibilities[at]?.refusal === null);
      const own = [installed, removed, published, both, draft, suspended, system, foreign].map(({ app_id }) => app_id);
      expect(acting.filter((id) => own.includes(id)).sort()).toEqual(
        [installed, both, draft, system].map(({ app_id }) => app_id).sort(),
      );
      const { app_ids, has_more } = await audience(await publish({ userId: developer }));
      expect(has_more).toBe(false);
      expect(acting.filter((id) => !app_ids.includes(id))).toEqual([]);
    });

    it('the host is told whom an event could reach, a page at a time, and nothing of one that is not known', async () => {
      const ofDeveloper = await publish({ userId: drafting });
      const first = await audience(ofDeveloper);
      expect(first.has_more).toBe(true);
      expect(first.app_ids).toHaveLength(1000);
      const second = await audience(ofDeveloper, first.app_ids.at(-1));
      expect(second.has_more).toBe(false);
      const everybodys = await query<{ app_id: string }>("SELECT app_id FROM apps WHERE system AND status = 'active'");
      expect([...first.app_ids, ...second.app_ids].sort()).toEqual(
        [...drafts, ...everybodys.map(({ app_id }) => app_id)].sort(),
      );
      const ofUser = await audience(await publish());
      expect(ofUser.app_ids).toContain(notes);
      expect(ofUser.app_ids.filter((id) => drafts.includes(id))).toEqual([]);
      const about = await publish({ type: 'marketplace.app_uninstalled', data: { app_id: notes } });
      expect(await audience(about)).toEqual({ app_ids: [notes], has_more: false });
      expect(await audience(about, notes)).toEqual({ app_ids: [], has_more: false });
      expect(await audience(await publish({ userId: null }))).toEqual({ app_ids: [], has_more: false });
      expect(await audience(newUuid())).toEqual({ app_ids: [], has_more: false });
      expect((await platform.gateway.client().post(`${EVENTS}/audience`, { event_id: about })).status).toBe(401);
      expect((await backend.post(`${EVENTS}/audience`, { event_id: about, user_id: user.id })).status).toBe(422);
    });
  });

  it('about an app that it does not name, none', async () => {
    expect(await reached(await publish({ type: 'marketplace.app_installed', data: {} }), [notes])).toEqual([]);
  });
});
