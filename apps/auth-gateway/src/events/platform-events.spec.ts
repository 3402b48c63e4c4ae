import type { BusEvent } from '@platform/contracts';
import { Outbox } from '@platform/persistence';
import { newUuid } from '@platform/platform';
import { until, type TestClient } from '@platform/testing';
import { createApp, createDeveloper } from '../testing/apps.js';
import type { TestUser } from '../testing/gateway.js';
import { HostStandIn } from '../testing/host-stand-in.js';
import { createRegisteredApp } from '../testing/registered-apps.js';
import { RegistryTest } from '../testing/registry.js';
import { eventQueue, eventsToHostQueue } from './events.jobs.js';
import { PlatformEvents, type NewEvent, type PlatformEvent } from './platform-events.js';

const EVENTS = '/v1/internal/events';

let host: HostStandIn;
let platform: RegistryTest;
let backend: TestClient;
let user: TestUser;
/** What the listener was told, and what it does. */
const heard: PlatformEvent[] = [];
let listen: (event: PlatformEvent) => void;
beforeAll(async () => {
  jest.spyOn(eventQueue, 'backoff').mockReturnValue(1);
  jest.spyOn(eventsToHostQueue, 'backoff').mockReturnValue(1);
  host = await HostStandIn.start();
  platform = await RegistryTest.start({ EXT_WEBHOOK_HOST_URL: host.url });
  backend = platform.gateway.backend();
  user = await platform.gateway.user();
  platform.gateway.service.app.get(PlatformEvents).onEvent(async (event) => {
    heard.push(event);
    listen(event);
    return Promise.resolve();
  });
});
beforeEach(() => {
  host.answers = () => ({ status: 204 });
  listen = () => undefined;
});
afterAll(async () => {
  await platform.stop();
  await host.stop();
});

const query = <Row>(sql: string, values: unknown[] = []) => platform.gateway.service.query<Row>(sql, values);
const posted = (id: string) => host.requests.filter(({ url, body }) => url === EVENTS && (body as BusEvent).event_id === id);
const heardOf = (id: string) => heard.filter((event) => event.id === id);
const publish = (changes: Partial<NewEvent> = {}): Promise<string | null> =>
  platform.gateway.service.app
    .get(Outbox)
    .transaction((em) =>
      platform.gateway.service.app
        .get(PlatformEvents)
        .publish(em, { type: 'system.tested', tenantId: 'default', userId: user.id, data: { a: 1 }, ...changes }),
    );
const busEvent = (changes: Partial<BusEvent> = {}) => ({
  event_id: newUuid(),
  type: 'notes.note_added',
  tenant_id: 'default',
  user_id: user.id,
  source: 'notes',
  data: { text: 'Hi' },
  hop: 2,
  timestamp: '2026-11-22T01:00:00.000Z',
  ...changes,
});
/** When everything that was to be done is done. */
const idle = () => until(async () => !(await query("SELECT FROM outbox WHERE queue IN ('platform-events', 'events-to-host')")).length);

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
      id = await app.get(PlatformEvents).publish(em, { type: 'system.tested', tenantId: 'default', userId: null, data: {} });
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
    const event = busEvent();
    const answers = await Promise.all(Array.from({ length: 5 }, () => backend.post(EVENTS, event)));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    await idle();
    expect(heardOf(event.event_id)).toMatchObject([{ source: 'notes', hop: 2, data: { text: 'Hi' }, at: new Date(event.timestamp) }]);
    expect(posted(event.event_id)).toEqual([]);
    const [row] = await query<{ source_type: string }>('SELECT source_type FROM platform_events WHERE id = $1', [event.event_id]);
    expect(row?.source_type).toBe('extension');
  });

  it('is for services alone, and judged', async () => {
    expect((await platform.gateway.client().post(EVENTS, busEvent())).status).toBe(401);
    for (const wrong of [{ event_id: 'evt_1' }, { type: 'nodots' }, { hop: 9 }, { data: 'text' }, { timestamp: 'now' }]) {
      expect(await backend.post(EVENTS, { ...busEvent(), ...wrong })).toMatchObject({ status: 422 });
    }
    const ofNobodyHere = busEvent({ user_id: 'usr_unknown' });
    expect((await backend.post(EVENTS, ofNobodyHere)).status).toBe(204);
    expect(await query('SELECT FROM platform_events WHERE id = $1', [ofNobodyHere.event_id])).toEqual([]);
  });

  it('goes with its user', async () => {
    const somebody = await platform.gateway.user();
    const event = busEvent({ user_id: somebody.id });
    await backend.post(EVENTS, event);
    const admin = await platform.gateway.signedIn(await platform.gateway.user({ role: 'admin' }));
    expect((await admin.delete(`/v1/users/${somebody.id}?permanent=true`)).status).toBe(200);
    expect(await query('SELECT FROM platform_events WHERE id = $1', [event.event_id])).toEqual([]);
  });
});

describe('installing an app', () => {
  const ofInstalls = (app_id: string) =>
    query<{ type: string; user_id: string }>('SELECT type, user_id FROM platform_events WHERE payload = $1 ORDER BY id', [{ app_id }]);

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

describe('whom an event of a user reaches', () => {
  const reached = async (changes: object) =>
    (await backend.post<{ app_ids: string[] }>(`${EVENTS}/subscribers`, { user_id: user.id, tenant_id: 'default', ...changes })).body
      .app_ids;

  it('are the active apps that they have and have not disabled, and their own drafts', async () => {
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
    const install = (appId: string, userId: string, removedAt: Date | null = null) =>
      query(
        `INSERT INTO installs (user_id, app_id, tenant_id, revision, installed_at, removed_at)
         VALUES ($1, $2, 'default', nextval('gateway.test_revisions'), now(), $3)`,
        [userId, appId, removedAt],
      );
    await query('CREATE SEQUENCE gateway.test_revisions START 1000000');
    for (const app of [mine, disabled, closed, suspended]) await install(app.app_id, id);
    await install(foreign.app_id, stranger.id);
    await install(removed.app_id, id, new Date());
    await query('INSERT INTO disabled_extensions (user_id, app_id) VALUES ($1, $2)', [id, disabled.app_id]);
    await query(
      "INSERT INTO access_policies (tenant_id, app_id, mode, required_scopes, denied_roles, denied_users) VALUES ('default', $1, 'public', '{}', '{}', ARRAY[$2])",
      [closed.app_id, id],
    );
    expect((await reached({ app_ids: [...all, 'no-such-app'] })).sort()).toEqual([mine.app_id, draft.app_id].sort());
    expect(await reached({ app_ids: all, user_id: stranger.id })).toEqual([foreign.app_id]);
    expect(await reached({ app_ids: all, tenant_id: 'another' })).toEqual([]);
    expect(await reached({ app_ids: all, user_id: 'usr_unknown' })).toEqual([]);
    await query('UPDATE users SET is_active = false WHERE id = $1', [stranger.id]);
    expect(await reached({ app_ids: all, user_id: stranger.id })).toEqual([]);
    expect((await platform.gateway.client().post(`${EVENTS}/subscribers`, {})).status).toBe(401);
  });
});
