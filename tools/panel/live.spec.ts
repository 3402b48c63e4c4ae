import { EventStreamClient, until } from '@platform/testing';
import type { Server } from 'node:http';
import {
  EventStreamsService,
  MAX_STREAMS_PER_USER,
} from '../../apps/auth-gateway/src/extensions/events/stream/event-streams.service.js';
import type { TestUser } from '../../apps/auth-gateway/src/testing/gateway-test.js';
import { MOST_OF_A_SESSION } from '../../apps/panel/src/events/event-relay.js';
import { PANEL_ORIGIN, PanelTest } from './testing/panel-test.js';
import type { TestBrowser } from './testing/test-browser.js';

let test: PanelTest;
let browser: TestBrowser;
let user: TestUser;
const open = new Set<EventStreamClient>();
beforeAll(async () => (test = await PanelTest.start()));
beforeEach(async () => ({ browser, user } = await test.signedIn()));
afterEach(() => {
  for (const stream of open) stream.close();
  open.clear();
});
afterAll(() => test.stop());

async function follow(headers: Record<string, string> = {}, { url } = test.panel): Promise<EventStreamClient> {
  const stream = await EventStreamClient.open(`${url}/api/v1/events/stream`, {
    Cookie: browser.cookie ?? '',
    ...headers,
  });
  open.add(stream);
  return stream;
}
const makeKey = (name: string) => browser.post('/api/v1/keys', { name });
const names = ({ events }: EventStreamClient) =>
  events.filter(({ type }) => type === 'api_key.created').map(({ payload }) => payload['name']);
const followers = () => test.gateway.service.app.get(EventStreamsService).countClients().clients;

it('passes on what happens to who is signed in, and goes on where a page was', async () => {
  const stream = await (await follow()).waitUntilLive();
  expect([stream.status, stream.headers['content-type'], stream.headers['cache-control']]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
    'no-store, no-transform',
  ]);
  await makeKey('first');
  await until(() => names(stream).length === 1);
  const id = stream.lastEventId as string;
  stream.close();
  await makeKey('missed');
  const again = await follow({ 'Last-Event-ID': id });
  await until(() => names(again).length === 1);
  expect([names(stream), names(again)]).toEqual([['first'], ['missed']]);
});

it('lets go of the gateway when the page is gone', async () => {
  await until(() => followers() === 0); // followers of the previous test
  const stream = await (await follow()).waitUntilLive();
  expect(followers()).toBe(1);
  stream.close();
  await until(() => followers() === 0);
});

it('is for who is signed in, and ends with the session', async () => {
  const stranger = await EventStreamClient.open(`${test.panel.url}/api/v1/events/stream`);
  open.add(stranger);
  expect([stranger.status, await stranger.waitForAnswer()]).toEqual([401, expect.stringContaining('not_signed_in')]);
  const stream = await (await follow()).waitUntilLive();
  const elsewhere = await test.signedIn(user);
  await elsewhere.browser.post('/api/v1/auth/sessions/revoke-others');
  await stream.waitForEnd();
  expect(stream.events.at(-1)).toMatchObject({ type: 'stream.closed', payload: { reason: 'session_ended' } });
  expect((await follow()).status).toBe(401);
});

it('comes back with a new access token when that is about to expire', async () => {
  const { accessToken } = await test.openTokens(user.id);
  await test.makeStale(user);
  await (await follow()).waitUntilLive();
  expect((await test.openTokens(user.id)).accessToken).not.toBe(accessToken);
});

it('passes on what the gateway refuses, and that it cannot be reached', async () => {
  const inPerson = await test.gateway.login(user);
  for (let at = 0; at < MAX_STREAMS_PER_USER; at++) {
    const direct = await EventStreamClient.open(`${test.gateway.service.url}/v1/events/stream`, {
      Authorization: `Bearer ${inPerson.access_token}`,
    });
    open.add(direct);
    await direct.waitUntilLive();
  }
  const refused = await follow();
  expect([refused.status, refused.headers['retry-after'], await refused.waitForAnswer()]).toEqual([
    429,
    '5',
    expect.stringContaining('stream.too_many'),
  ]);
  const cutOff = await test.cutOff();
  const lost = await follow({}, cutOff);
  expect([lost.status, lost.headers['retry-after']]).toEqual([503, '1']);
  await cutOff.stop();
});

it('leaves a browser connections for everything else, and the process memory', async () => {
  const streams: EventStreamClient[] = [];
  for (let at = 0; at < MOST_OF_A_SESSION; at++) streams.push(await (await follow()).waitUntilLive());
  const refused = await follow();
  expect([refused.status, refused.headers['retry-after'], await refused.waitForAnswer()]).toEqual([
    429,
    '30',
    expect.stringContaining('stream.too_many'),
  ]);
  streams[0]?.close();
  await until(async () => (await follow()).status === 200);

  const small = await test.beside({ EVENT_STREAMS: '1' });
  await (await follow({}, small)).waitUntilLive();
  const { browser: another } = await test.signedIn();
  const tooMany = await follow({ Cookie: another.cookie ?? '' }, small);
  expect([tooMany.status, tooMany.headers['retry-after'], await tooMany.waitForAnswer()]).toEqual([
    503,
    '60',
    expect.stringContaining('stream.too_many'),
  ]);
  await small.stop();
});

it.each<[string, Record<string, string>, number]>([
  ['a page of ours', { 'Sec-Fetch-Site': 'same-origin' }, 200],
  ['a browser that says nothing', {}, 200],
  ['our origin', { Origin: PANEL_ORIGIN }, 200],
  ['another site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['a sibling of ours', { 'Sec-Fetch-Site': 'same-site' }, 403],
  ['the address bar', { 'Sec-Fetch-Site': 'none' }, 403],
  ['another origin', { Origin: 'https://evil.example' }, 403],
])('answers %s with what is due to it', async (_who, headers, status) => {
  const stream = await follow(headers);
  expect(stream.status).toBe(status);
  expect(stream.headers['access-control-allow-origin']).toBeUndefined();
});

it('ends an answer to HEAD', async () => {
  const { status, body } = await test.panel.client().request('HEAD', '/api/v1/events/stream', undefined, {
    headers: { Cookie: browser.cookie ?? '' },
  });
  expect([status, body]).toEqual([200, '']);
});

it('ends whole when the gateway stops, and when its stream breaks off: a browser sees no error', async () => {
  const second = await test.gateway.startSecondProcess();
  const before = await test.beside({ AUTH_GATEWAY_URL: second.url });
  const cut = await (await follow({}, before)).waitUntilLive();
  (second.app.getHttpServer() as Server).closeAllConnections();
  await cut.waitForEnd();
  const stopped = await (await follow({}, before)).waitUntilLive();
  await second.stop();
  await stopped.waitForEnd();
  expect([cut.isComplete, stopped.isComplete]).toEqual([true, true]);
  expect(stopped.events.at(-1)).toMatchObject({ type: 'stream.closed', payload: { reason: 'shutting_down' } });
  await before.stop();
});

it('lets go of its pages at once when the process stops', async () => {
  const second = await test.beside();
  const stream = await (await follow({}, second)).waitUntilLive();
  await second.stop();
  await stream.waitForEnd();
  expect(stream.isComplete).toBe(true);
});
