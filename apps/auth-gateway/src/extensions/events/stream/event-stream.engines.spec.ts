import type { EventStreamStatsResponse, KeyResponse } from '@platform/contracts';
import { Outbox } from '@platform/persistence';
import { EventStreamClient, TEST_SERVICE_TOKEN, until } from '@platform/testing';
import { EventSource } from 'eventsource';
import type { Response } from 'express';
import { EventEmitter } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { DataSource } from 'typeorm';
import { GatewayTest, type TestUser } from '../../../testing/gateway-test.js';
import { createTenant } from '../../../testing/tenants.js';
import { AccessTokensService } from '../../../identity/tokens/access-tokens.service.js';
import { asNewEvent, type AnyEvent } from '../../../testing/events.js';
import { PlatformEventsService } from '../platform-events.service.js';
import { EventPositionsService } from '../../../kernel/events/event-positions.service.js';
import { EventCursorService } from './event-cursor.service.js';
import { MAX_STREAMS_PER_USER } from './event-streams.service.js';
import { StreamConnection } from './stream-connection.js';

let gateway: GatewayTest;
let user: TestUser;
let token: string;
let refreshToken: string;
const open = new Set<EventStreamClient>();
beforeAll(async () => (gateway = await GatewayTest.start()));
beforeEach(async () => {
  user = await gateway.user();
  ({ access_token: token, refresh_token: refreshToken } = await gateway.login(user));
});
afterEach(async () => {
  for (const stream of open) stream.close();
  open.clear();
  await until(async () => (await clients()) === 0); // otherwise the next test would count connections that the gateway has not closed yet
});
afterAll(async () => {
  await gateway.service.query('DELETE FROM platform_events'); // invented events do not match the catalogue
  await gateway.stop();
});

const bearer = (given = token): Record<string, string> => ({ Authorization: `Bearer ${given}` });
const BACKEND = { 'X-Service-Token': TEST_SERVICE_TOKEN };

async function follow(
  headers: Record<string, string>,
  query = '',
  url = gateway.service.url,
): Promise<EventStreamClient> {
  const stream = await EventStreamClient.open(`${url}/v1/events/stream${query}`, headers);
  open.add(stream);
  return stream;
}
/** Number of open streams. */
const clients = async () => (await gateway.backend().get<EventStreamStatsResponse>('/v1/events/stats')).body.clients;
const live = async (headers = bearer(), query = ''): Promise<EventStreamClient> =>
  (await follow(headers, query)).waitUntilLive();

const publish = (changes: Partial<AnyEvent> = {}, service = gateway.service): Promise<string | null> =>
  service.app
    .get(Outbox)
    .transaction((em) =>
      service.app
        .get(PlatformEventsService)
        .publish(
          em,
          asNewEvent({ type: 'system.tested', tenantId: 'default', userId: user.id, data: { n: 1 }, ...changes }),
        ),
    );
/** Publishes all in one transaction, in this order. */
const publishAll = (from: number, upTo: number): Promise<void> =>
  gateway.service.app.get(Outbox).transaction(async (em) => {
    const events = gateway.service.app.get(PlatformEventsService);
    for (let n = from; n <= upTo; n++)
      await events.publish(
        em,
        asNewEvent({ type: 'system.tested', tenantId: 'default', userId: user.id, data: { n } }),
      );
  });
/** Numbers of the events that this spec publishes. */
const numbers = ({ events }: EventStreamClient) =>
  events.filter(({ payload }) => 'n' in payload).map(({ payload }) => payload['n']);
/** Publishes an event and waits for it; all earlier events have then arrived. */
async function settled(stream: EventStreamClient, changes: Partial<AnyEvent> = {}): Promise<void> {
  await publish({ type: 'system.last', data: { n: 'last' }, ...changes });
  await until(() => stream.events.some(({ type }) => type === 'system.last'));
}

describe('the stream of a user', () => {
  it('has each event of theirs once, in order, as type, payload and ts', async () => {
    const stream = await live();
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    for (let n = 1; n <= 30; n++) await publish({ data: { n } });
    expect(await stream.waitForEvents(30)).toHaveLength(30);
    expect(numbers(stream)).toEqual(Array.from({ length: 30 }, (_value, at) => at + 1));
    expect(stream.events[0]).toEqual({
      type: 'system.tested',
      payload: { n: 1 },
      ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    const ids = stream.frames.map(({ id }) => Number(id));
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(stream.retryMs).toBeGreaterThanOrEqual(2_000);
    expect(stream.retryMs).toBeLessThan(8_000);
  });

  it('has no event of another user, of another tenant, or of nobody', async () => {
    const { id: tenant_id } = await createTenant(gateway.backend());
    const [other, foreign] = [await gateway.user(), await gateway.user({ tenant_id })];
    const stream = await live();
    await publish({ userId: other.id, data: { n: 'of another' } });
    await publish({ userId: foreign.id, tenantId: tenant_id, data: { n: 'of another tenant' } });
    await publish({ userId: null, data: { n: 'of nobody' } });
    await settled(stream);
    expect(numbers(stream)).toEqual(['last']);
  });

  it('keeps to the sources that are wanted', async () => {
    const stream = await live(bearer(), '?source_types=billing,system');
    await publish({ type: 'marketplace.app_installed', data: { n: 'unwanted' } });
    await publish({ type: 'billing.plan_changed', data: { n: 'wanted' } });
    await settled(stream);
    expect(numbers(stream)).toEqual(['wanted', 'last']);
  });

  it('is that of whoever an API key is of: of plan and credits it hears with the scope to read them', async () => {
    const signedIn = await gateway.signIn(user);
    const keyOf = async (scopes: string) =>
      (await signedIn.post<KeyResponse>('/v1/keys', { name: scopes, scopes })).body.key;
    const [few, more] = [
      await live({ 'x-api-key': await keyOf('events:read') }),
      await live(bearer(await keyOf('events:read,billing:read'))),
    ];
    await publish({ type: 'billing.plan_changed', data: { n: 'of the plan' } });
    await settled(few);
    await settled(more);
    expect(numbers(few)).not.toContain('of the plan');
    expect(numbers(more)).toContain('of the plan');
    const other = await follow({ 'x-api-key': await keyOf('profile:read') });
    expect(other.status).toBe(403);
  });
});

describe('whoever comes back', () => {
  it.each(['header', 'query'] as const)('gets what they missed, once (%s)', async (way) => {
    const first = await live();
    await publish({ data: { n: 1 } });
    await first.waitForEvents(1);
    const id = first.lastEventId as string;
    first.close();
    await publishAll(2, 250);
    const again =
      way === 'header'
        ? await follow({ ...bearer(), 'Last-Event-ID': id })
        : await follow(bearer(), `?last_event_id=${id}`);
    await again.waitForEvents(249);
    await settled(again);
    expect(numbers(again)).toEqual([...Array.from({ length: 249 }, (_value, at) => at + 2), 'last']);
  });

  it('gets what is published while they come, in order and once', async () => {
    const first = await live();
    const id = first.lastEventId as string;
    await publishAll(1, 210);
    const publishing = (async () => {
      for (let n = 211; n <= 260; n++) await publish({ data: { n } });
    })();
    const streams = await Promise.all(Array.from({ length: 10 }, () => follow({ ...bearer(), 'Last-Event-ID': id })));
    await publishing;
    for (const stream of streams) {
      await stream.waitForEvents(260);
      expect(numbers(stream)).toEqual(Array.from({ length: 260 }, (_value, at) => at + 1));
    }
  });

  it('misses no event of a transaction that commits late', async () => {
    const stream = await live();
    const { app } = gateway.service;
    const runner = app.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    await app
      .get(PlatformEventsService)
      .publish(
        runner.manager,
        asNewEvent({ type: 'system.tested', tenantId: 'default', userId: user.id, data: { n: 'written first' } }),
      );
    await publish({ data: { n: 'committed first' } });
    await stream.waitForEvents(1);
    const id = stream.lastEventId as string;
    await runner.commitTransaction();
    await runner.release();
    await stream.waitForEvents(2);
    expect(numbers(stream)).toEqual(['committed first', 'written first']);
    const again = await follow({ ...bearer(), 'Last-Event-ID': id });
    await again.waitForEvents(1);
    expect(numbers(again)).toEqual(['written first']);
  });

  it.each<[string, (last: number) => string]>([
    ['that was never given', () => '999999999999'],
    ['that is no id', () => 'yesterday'],
  ])('with an id %s is told to begin anew', async (_what, idOf) => {
    await publish();
    await gateway.service.app.get(EventPositionsService).placeEvents(); // otherwise it could get a position after the start of the stream
    const stream = await follow({ ...bearer(), 'Last-Event-ID': idOf(0) });
    await settled(stream);
    expect(stream.events.map(({ type }) => type)).toEqual(['stream.reset', 'system.last']);
  });

  it('after more than 24 hours is told to begin anew, and not where nothing has happened', async () => {
    const first = await live();
    await publish({ data: { n: 1 } });
    await first.waitForEvents(1);
    const id = first.lastEventId as string;
    first.close();
    const quiet = await live({ ...bearer(), 'Last-Event-ID': id });
    await publish({ data: { n: 2 } });
    await quiet.waitForEvents(1);
    await gateway.service.query(
      "UPDATE platform_events SET created_at = now() - interval '25 hours' WHERE user_id = $1",
      [user.id],
    );
    const late = await follow({ ...bearer(), 'Last-Event-ID': id });
    await settled(late);
    expect(late.events.map(({ type }) => type)).toEqual(['stream.reset', 'system.last']);
    expect(numbers(quiet)).toEqual([2, 'last']);
  });

  it('is told to begin anew where events are gone', async () => {
    const first = await live();
    await publish({ data: { n: 1 } });
    await first.waitForEvents(1);
    const id = first.lastEventId as string;
    await publish({ data: { n: 2 } });
    await publish({ data: { n: 3 } });
    await first.waitForEvents(3);
    await gateway.service.query("DELETE FROM platform_events WHERE user_id = $1 AND payload ->> 'n' IN ('1', '2')", [
      user.id,
    ]);
    const stream = await follow({ ...bearer(), 'Last-Event-ID': id });
    await settled(stream);
    expect(stream.events.map(({ type }) => type)).toEqual(['stream.reset', 'system.last']);
  });
});

describe('a trusted backend', () => {
  it('follows a tenant, the platform’s own unless it says which', async () => {
    const { id: tenant_id } = await createTenant(gateway.backend());
    const foreign = await gateway.user({ tenant_id });
    const [own, theirs] = [await live(BACKEND), await live(BACKEND, `?tenant_id=${tenant_id}`)];
    await publish({ data: { n: 'of a user' } });
    await publish({ userId: null, data: { n: 'of nobody' } });
    await publish({ tenantId: tenant_id, userId: foreign.id, data: { n: 'of another tenant' } });
    await settled(own);
    await settled(theirs, { tenantId: tenant_id, userId: foreign.id });
    expect(numbers(own)).toEqual(['of a user', 'of nobody', 'last']);
    expect(numbers(theirs)).toEqual(['of another tenant', 'last']);
  });

  it.each<[string, () => [Record<string, string>, string]]>([
    ['user_id', () => [BACKEND, `?user_id=${user.id}`]],
    ['X-Acting-User', () => [{ ...BACKEND, 'X-Acting-User': user.id }, '']],
    ['user_id and a token in the address', () => [{}, `?token=${TEST_SERVICE_TOKEN}&user_id=${user.id}`]],
  ])('follows a user by %s', async (_what, of) => {
    const other = await gateway.user();
    const stream = await live(...of());
    await publish({ userId: other.id, data: { n: 'of another' } });
    await settled(stream);
    expect(numbers(stream)).toEqual(['last']);
  });

  it('finds no user who is not there, or of another tenant', async () => {
    expect((await follow(BACKEND, '?user_id=usr_nobody')).status).toBe(404);
    expect((await follow(BACKEND, `?user_id=${user.id}&tenant_id=elsewhere`)).status).toBe(422);
    expect((await follow(BACKEND, '?tenant_id=elsewhere')).status).toBe(422);
  });

  it('is told how many clients follow events', async () => {
    const before = (await gateway.backend().get<EventStreamStatsResponse>('/v1/events/stats')).body;
    await live();
    await live();
    await live(BACKEND);
    const { status, body } = await gateway.backend().get<EventStreamStatsResponse>('/v1/events/stats');
    expect(status).toBe(200);
    expect(body).toMatchObject({ clients: before.clients + 3, channels: before.channels + 2, processes: 1 });
    expect((await (await gateway.signIn(user)).get('/v1/events/stats')).status).toBe(401);
  });
});

describe('the credential', () => {
  it('may be in the address, which browsers need', async () => {
    const stream = await live({}, `?token=${token}`);
    await settled(stream);
    expect(gateway.service.logLines.filter((line) => line.includes(token))).toEqual([]);
  });

  it.each<[string, Record<string, string>, string, number, string]>([
    ['none', {}, '', 401, 'not_authenticated'],
    ['a wrong token in the address', {}, '?token=wrong', 401, 'invalid_service_token'],
    ['two of them', { Authorization: 'Bearer x' }, '?token=y', 400, 'two_credentials'],
    ['two tokens in the address', {}, '?token=x&token=y', 400, 'two_credentials'],
  ])('is refused: %s', async (_what, headers, query, status, code) => {
    const stream = await fetch(`${gateway.service.url}/v1/events/stream${query}`, { headers });
    expect([stream.status, ((await stream.json()) as { code: string }).code]).toEqual([status, code]);
  });

  it('of the address that is none is called by its place there', async () => {
    const { status, body } = await gateway.client().get<{ detail: string }>('/v1/events/stream?token=wrong');
    expect([status, body.detail]).toEqual([401, expect.stringContaining('`token` in the URL')]);
  });

  it('of a user opens nothing of another one or of another tenant', async () => {
    const other = await gateway.user();
    expect((await follow(bearer(), `?user_id=${other.id}`)).status).toBe(403);
    expect((await follow(bearer(), '?tenant_id=elsewhere')).status).toBe(422);
    const own = await live(bearer(), `?user_id=${user.id}&tenant_id=default`);
    await settled(own);
  });

  it('that ends ends the stream, which says why', async () => {
    const signedIn = gateway.client().withToken(token);
    const key = (await signedIn.post<KeyResponse>('/v1/keys', { name: 'x', scopes: 'events:read' })).body;
    const [bySession, byKey] = [await live(), await live({ 'x-api-key': key.key })];
    expect((await signedIn.delete(`/v1/keys/${key.id}`)).status).toBeLessThan(300);
    await byKey.waitForEnd();
    expect((await signedIn.post('/v1/auth/logout', { refresh_token: refreshToken })).status).toBeLessThan(300);
    await bySession.waitForEnd();
    for (const { events } of [bySession, byKey])
      expect(events.filter(({ type }) => type.startsWith('stream.'))).toEqual([
        { type: 'stream.closed', payload: { reason: 'session_ended' }, ts: expect.any(String) },
      ]);
  });

  // The process gets no notification: it checks every two seconds.
  it.each<[string, () => Record<string, string>, string]>([
    [
      'a user who is switched off, also of a backend',
      () => ({ ...BACKEND, 'X-Acting-User': user.id }),
      'UPDATE users SET is_active = false WHERE id = $1',
    ],
    ['a session that makes room for a newer one', bearer, 'DELETE FROM sessions WHERE user_id = $1'],
  ])('of %s ends the stream', async (_what, headers, change) => {
    const stream = await live(headers());
    await gateway.service.query(change, [user.id]);
    await stream.waitForEnd();
    expect(stream.events).toMatchObject([{ type: 'stream.closed', payload: { reason: 'session_ended' } }]);
  });

  it('that expires ends the stream', async () => {
    const tokens = gateway.service.app.get(AccessTokensService);
    const verify = tokens.verifyAccessToken.bind(tokens);
    const expiresSoon = async (given: string) => ({ ...(await verify(given)), expiresAt: Date.now() / 1_000 + 5 });
    const short = jest.spyOn(tokens, 'verifyAccessToken').mockImplementation(expiresSoon);
    const stream = await live();
    short.mockRestore();
    await stream.waitForEnd();
    expect(stream.events).toMatchObject([{ type: 'stream.closed', payload: { reason: 'token_expired' } }]);
  });
});

describe('no client is in the way of others', () => {
  it(`one that opens 1,000 connections has ${MAX_STREAMS_PER_USER} streams, and others have theirs`, async () => {
    const streams = await Promise.all(Array.from({ length: 1_000 }, () => follow(bearer())));
    const refused = streams.filter(({ status }) => status !== 200);
    expect([streams.length - refused.length, new Set(refused.map(({ status }) => status))]).toEqual([
      MAX_STREAMS_PER_USER,
      new Set([429]),
    ]);
    const other = await gateway.user();
    await settled(await live(bearer((await gateway.login(other)).access_token)), { userId: other.id });
  });

  it('one that asks for 10,000 sources is refused', async () => {
    const sources = Array.from({ length: 10_000 }, () => 'billing').join();
    expect((await follow(bearer(), `?source_types=${sources.slice(0, 12_000)}`)).status).toBe(422);
  });

  it('a process has as many streams as its configuration says', async () => {
    const small = await gateway.startSecondProcess({ EVENT_STREAMS: '2' });
    try {
      const others = await Promise.all([1, 2].map(() => follow({ ...BACKEND }, '', small.url)));
      const refused = await follow(bearer(), '', small.url);
      expect([...others.map(({ status }) => status), refused.status, refused.headers['retry-after']]).toEqual([
        200,
        200,
        429,
        '5',
      ]);
    } finally {
      await small.stop();
    }
  });

  it(`a user has ${MAX_STREAMS_PER_USER} streams, and another one once one of them is closed`, async () => {
    const streams = await Promise.all(Array.from({ length: MAX_STREAMS_PER_USER }, () => live()));
    const refused = await follow(bearer());
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5']);
    streams[0]?.close();
    await until(async () => (await follow(bearer())).status === 200);
  });

  it('one that takes nothing is cut off, and gets all of it when it comes back', async () => {
    const stream = await live();
    const id = stream.lastEventId as string;
    stream.pause();
    const other = await live();
    const data = { text: 'x'.repeat(60_000) };
    const before = await clients();
    // The kernel buffers a few megabytes per connection.
    let sent = 0;
    for (; sent < 1_000 && (await clients()) === before; sent += 20)
      await Promise.all(Array.from({ length: 20 }, () => publish({ data })));
    await until(async () => (await clients()) === before - 1);
    await other.waitForEvents(sent);
    const again = await follow({ ...bearer(), 'Last-Event-ID': id });
    await again.waitForEvents(sent);
    expect(again.events).toHaveLength(sent);
  });
});

/** Holds the next client until `fail` is called. */
function holdNextJoin(): { isAwaited: () => boolean; fail: () => void } {
  let fail: (() => void) | undefined;
  const join = jest.spyOn(gateway.service.app.get(EventCursorService), 'addFollower');
  join.mockImplementationOnce(
    () => new Promise((_joined, reject) => (fail = () => reject(new Error('the test is over')))),
  );
  return { isAwaited: () => fail !== undefined, fail: () => fail?.() };
}

/** Status of the answer, or the code of the connection error. */
const outcome = (following: Promise<EventStreamClient>): Promise<number | string | undefined> =>
  following.then(
    ({ status }) => status,
    (error: unknown) => (error as NodeJS.ErrnoException).code,
  );

describe('a stream that cannot begin yet', () => {
  it('breaks off, without an answer, when its session ends: the client comes back by itself', async () => {
    const held = holdNextJoin();
    const following = outcome(follow(bearer()));
    await until(held.isAwaited);
    await gateway.client().post('/v1/auth/logout', { refresh_token: refreshToken });
    expect(await following).toBe('ECONNRESET');
    held.fail();
  });

  it('sends nothing before its head', () => {
    const written: string[] = [];
    const response = Object.assign(new EventEmitter(), {
      status: () => undefined,
      setHeader: () => undefined,
      flushHeaders: () => written.push('head'),
      write: (chunk: string) => written.push(chunk),
    });
    const audience = { tenantId: 'default', userId: null, sourceTypes: null, keyScopes: null };
    const connection = new StreamConnection(response as unknown as Response, audience, () => undefined);
    connection.sendHeartbeat(1);
    connection.sendControlEvent('stream.reset');
    connection.sendHead();
    expect(written).toEqual(['head', expect.stringMatching(/^retry: \d{4}\n\n$/)]);
  });

  it('begins although the database failed the client before it, and has its events', async () => {
    const dataSource = gateway.service.app.get(DataSource);
    const original = dataSource.query.bind(dataSource);
    const query = jest.spyOn(dataSource, 'query');
    const cursor = gateway.service.app.get(EventCursorService);
    let fail: (() => void) | undefined;
    query.mockImplementation((...parameters) => {
      if (fail || !parameters[0].startsWith('SELECT coalesce(max(position), 0)')) return original(...parameters);
      return new Promise((_rows, reject) => (fail = () => reject(new Error('the connection is lost'))));
    });
    const first = outcome(follow(bearer()));
    await until(() => cursor['looking'] !== undefined); // it waits for its first position
    const second = follow(bearer());
    await until(async () => (await clients()) === 2);
    fail?.();
    expect(await first).toBe('ECONNRESET');
    const stream = await (await second).waitUntilLive();
    await settled(stream);
    expect([numbers(stream), stream.lastEventId]).toEqual([['last'], expect.stringMatching(/^\d+$/)]);
    query.mockRestore();
  });
});

describe('a connection', () => {
  const connect = (): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = createConnection(Number(new URL(gateway.service.url).port), '127.0.0.1', () => resolve(socket));
      socket.on('error', () => undefined);
    });
  const request = (method: string): string =>
    `${method} /v1/events/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;

  it('is free again after HEAD', async () => {
    const answer = await fetch(`${gateway.service.url}/v1/events/stream`, { method: 'HEAD', headers: bearer() });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    await until(async () => (await clients()) === 0);
  });

  it('has one stream: what is asked for behind it holds nothing, also when the client goes away', async () => {
    const socket = await connect();
    socket.write(request('GET').repeat(10));
    await until(async () => (await clients()) > 0);
    expect(await clients()).toBe(1);
    socket.resetAndDestroy();
    await until(async () => (await clients()) === 0);
  });

  it('whose client reads nothing is over soon after its stream has ended', async () => {
    const socket = await connect();
    socket.pause();
    socket.write(request('GET'));
    await until(async () => (await clients()) === 1);
    await Promise.all(Array.from({ length: 100 }, () => publish({ data: { text: 'x'.repeat(2_000) } })));
    await gateway.client().post('/v1/auth/logout', { refresh_token: refreshToken });
    await until(async () => (await clients()) === 0);
    socket.destroy();
  });
});

it('an event that PostgreSQL writes much longer than it came is refused, so that it can be sent', async () => {
  await expect(publish({ data: { numbers: Array.from({ length: 9_000 }, () => 1e308) } })).rejects.toThrow(
    'platform_events_payload_check',
  );
});

describe('of two processes', () => {
  it('one streams what the other publishes, and each counts its clients', async () => {
    const second = await gateway.startSecondProcess();
    try {
      const here = await live();
      const there = await (await follow(bearer(), '', second.url)).waitUntilLive();
      await publish({ data: { n: 'here' } });
      await publish({ data: { n: 'there' } }, second);
      for (const stream of [here, there]) {
        await stream.waitForEvents(2);
        expect(numbers(stream)).toEqual(['here', 'there']);
      }
      await second.client().withHeaders(BACKEND).get('/v1/events/stats');
      const { body } = await gateway.backend().get<EventStreamStatsResponse>('/v1/events/stats');
      expect(body).toMatchObject({ clients: 2, processes: 2 });
    } finally {
      await second.stop();
    }
  });

  it('one that stops sends its clients to the other, where they go on', async () => {
    const second = await gateway.startSecondProcess();
    const stream = await (await follow(bearer(), '', second.url)).waitUntilLive();
    await publish({ data: { n: 1 } });
    await stream.waitForEvents(1);
    const stopping = second.stop();
    await stream.waitForEnd();
    expect(stream.events.at(-1)).toMatchObject({ type: 'stream.closed', payload: { reason: 'shutting_down' } });
    await publish({ data: { n: 2 } });
    const again = await follow({ ...bearer(), 'Last-Event-ID': stream.lastEventId as string });
    await again.waitForEvents(1);
    expect(numbers(again)).toEqual([2]);
    await stopping;
  });

  it('one that stops has the EventSource of a program go on at the other by itself', async () => {
    const second = await gateway.startSecondProcess();
    const random = jest.spyOn(Math, 'random').mockReturnValue(0); // reconnects after two seconds
    let url = second.url;
    const source = new EventSource(`${second.url}/v1/events/stream`, {
      fetch: (_url, init) => fetch(`${url}/v1/events/stream`, { ...init, headers: { ...init.headers, ...bearer() } }),
    });
    try {
      const heard: unknown[] = [];
      source.addEventListener('message', ({ data }) => {
        const { type, payload } = JSON.parse(data as string) as { type: string; payload: { n: unknown } };
        if (type === 'system.tested') heard.push(payload.n);
      });
      await new Promise((opened) => source.addEventListener('open', opened, { once: true }));
      await publish({ data: { n: 1 } });
      await until(() => heard.length === 1);
      url = gateway.service.url;
      await second.stop();
      for (const n of [2, 3]) await publish({ data: { n } });
      await until(() => heard.length === 3);
      await publish({ data: { n: 4 } });
      await until(() => heard.length === 4);
      expect(heard).toEqual([1, 2, 3, 4]);
    } finally {
      random.mockRestore();
      source.close();
    }
  });

  it('one that is behind has a client that saw more at the other go on, without a double', async () => {
    const first = await live();
    await publish({ data: { n: 1 } });
    await first.waitForEvents(1);
    const id = Number(first.lastEventId);
    // Simulates a process that has not seen the event yet.
    jest.spyOn(gateway.service.app.get(EventCursorService), 'addFollower').mockResolvedValueOnce(id - 1);
    const again = await (await follow({ ...bearer(), 'Last-Event-ID': String(id) })).waitUntilLive();
    expect(again.events).toEqual([]);
    expect(Number(again.lastEventId)).toBe(id);
  });

  it('an event of one that died right after its commit is streamed by the other', async () => {
    const stream = await live();
    jest.spyOn(gateway.service.app.get(EventPositionsService), 'placeAfterCommit').mockReturnValueOnce(undefined);
    await publish({ data: { n: 'left' } });
    await stream.waitForEvents(1);
    expect(numbers(stream)).toEqual(['left']);
  });
});
