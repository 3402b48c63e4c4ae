import { EventStreamClient, until } from '@platform/testing';
import { PlatformEventsService } from '../../apps/auth-gateway/src/extensions/events/platform-events.service.js';
import { EventStreamsService } from '../../apps/auth-gateway/src/extensions/events/stream/event-streams.service.js';
import { asNewEvent } from '../../apps/auth-gateway/src/testing/events.js';
import { Outbox } from '@platform/persistence';
import { PanelTest } from './testing/panel-test.js';

let test: PanelTest;
beforeAll(async () => (test = await PanelTest.start()));
afterAll(() => test.stop());

// Takes five seconds, the limit for a page to read its events.
it('a page that never reads loses its place, and another page gets it', async () => {
  const { browser, user } = await test.signedIn();
  const small = await test.beside({ EVENT_STREAMS: '1' });
  const url = `${small.url}/api/v1/events/stream`;
  const stream = await (await EventStreamClient.open(url, { Cookie: browser.cookie ?? '' })).waitUntilLive();
  stream.pause();
  const { app } = test.gateway.service;
  const publish = () =>
    app.get(Outbox).transaction((em) =>
      app.get(PlatformEventsService).publish(
        em,
        asNewEvent({
          type: 'wallet.credited',
          tenantId: 'default',
          userId: user.id,
          data: { text: 'x'.repeat(60_000) },
        }),
      ),
    );
  const followers = () => app.get(EventStreamsService).countClients().clients;
  // Enough to fill the buffers of the kernel, the panel and the gateway, which then disconnects
  // the panel.
  await until(async () => {
    await Promise.all(Array.from({ length: 20 }, publish));
    return followers() === 0;
  });
  const another = (await test.signedIn()).browser;
  const streams: EventStreamClient[] = [];
  await until(async () => {
    streams.push(await EventStreamClient.open(url, { Cookie: another.cookie ?? '' }));
    return streams.at(-1)?.status === 200;
  });
  for (const each of [stream, ...streams]) each.close();
  await test.gateway.service.query('DELETE FROM platform_events'); // their payloads are invented
  await small.stop();
});
