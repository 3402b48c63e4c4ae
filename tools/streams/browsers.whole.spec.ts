import { Outbox } from '@platform/persistence';
import { until } from '@platform/testing';
import type { Browser, Page } from 'playwright-core';
import { PlatformEventsService } from '../../apps/auth-gateway/src/extensions/events/platform-events.service.js';
import { asNewEvent } from '../../apps/auth-gateway/src/testing/events.js';
import { GatewayTest, type TestUser } from '../../apps/auth-gateway/src/testing/gateway-test.js';
import { launchChromium } from '../panel/testing/chromium.js';
import { TcpRelay } from '../terminal/tcp-relay.js';

/**
 * Behaviour of Chromium's `EventSource` with the stream, with one address for several gateway
 * processes.
 */
let gateway: GatewayTest;
let relay: TcpRelay;
let browser: Browser;
let page: Page;
let user: TestUser;
beforeAll(async () => {
  [gateway, browser] = await Promise.all([GatewayTest.start(), launchChromium()]);
  relay = await TcpRelay.start(gateway.service.url);
});
beforeEach(async () => {
  user = await gateway.user();
  page = await browser.newPage();
  // An empty page of the same origin.
  await page.route('**/blank', (route) => route.fulfill({ contentType: 'text/html', body: '<title>Blank</title>' }));
  await page.goto(`${relay.url}/blank`);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await page.close();
});
afterAll(async () => {
  await browser.close();
  await relay.stop();
  await gateway.stop();
});

const publish = (n: number): Promise<string | null> => {
  const { app } = gateway.service;
  const event = { type: 'system.tested', tenantId: 'default', userId: user.id, data: { n } };
  return app.get(Outbox).transaction((em) => app.get(PlatformEventsService).publish(em, asNewEvent(event)));
};

interface Heard {
  heard: unknown[];
  opened: number;
}

/** Resolves when the stream is open. */
const follow = (token: string): Promise<void> =>
  page.evaluate((given) => {
    const state = Object.assign(globalThis, { heard: [], opened: 0 }) as unknown as Heard;
    const source = new EventSource(`/v1/events/stream?token=${given}`);
    source.addEventListener('message', ({ data }) => {
      const { type, payload } = JSON.parse(data as string) as { type: string; payload: { n: unknown } };
      if (type === 'system.tested' || type === 'stream.reset') state.heard.push(payload.n ?? type);
    });
    return new Promise((done) =>
      source.addEventListener('open', () => {
        state.opened++;
        done();
      }),
    );
  }, token);
const heard = () => page.evaluate(() => (globalThis as unknown as Heard).heard);
const opened = () => page.evaluate(() => (globalThis as unknown as Heard).opened);

it('goes on by itself after the gateway has stopped and after it was killed: each event once and in order', async () => {
  const second = await gateway.startSecondProcess();
  relay.target = second.url;
  relay.breakAll(); // the browser keeps the connection of its icon request
  const { access_token } = await gateway.login(user);
  jest.spyOn(Math, 'random').mockReturnValue(0); // reconnects after two seconds
  await follow(access_token);
  await publish(1);
  await until(async () => (await heard()).length === 1);

  relay.target = gateway.service.url;
  await second.stop();
  for (const n of [2, 3]) await publish(n);
  await until(async () => (await heard()).length === 3);
  await publish(4);
  await until(async () => (await heard()).length === 4);

  relay.target = 'http://127.0.0.1:9';
  relay.breakAll();
  for (const n of [5, 6]) await publish(n);
  relay.target = gateway.service.url;
  await until(async () => (await heard()).length === 6);
  expect(await heard()).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await opened()).toBe(3);
});
