import { ConnectionError } from '@platform/client';
import type { RegistryGatewayClient } from '../access/registry-gateway.client.js';
import { WithheldAppsService } from './withheld-apps.service.js';

interface Asked {
  user_id: string;
  app_ids: string[];
}

/** Fake gateway. It withholds apps that begin with `withheld`, and fails while `isAway`. */
const gateway = { isAway: false, sendRequest: jest.fn<Promise<unknown>, [what: string, asked: Asked]>() };

let apps: WithheldAppsService;
let later: number;
beforeEach(() => {
  apps = new WithheldAppsService(gateway as unknown as RegistryGatewayClient);
  later = 0;
  const now = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => now + later);
  gateway.isAway = false;
  gateway.sendRequest.mockReset().mockImplementation((_what, { app_ids }) => {
    if (gateway.isAway) return Promise.reject(new ConnectionError('unreachable', 'The gateway is away.'));
    return Promise.resolve({ app_ids: app_ids.filter((id) => id.startsWith('withheld')) });
  });
});
afterEach(() => jest.restoreAllMocks());

const MINUTE_MS = 60_000;
const of = async (user: string, ids: string[]) => [...(await apps.findWithheldApps(user, ids))];
const AWAY = { status: 503 };

it('asks once in 5 s about a user with these apps, and once for all who ask at the same time', async () => {
  const [one, other] = await Promise.all([of('ada', ['withheld', 'notes']), of('ada', ['withheld', 'notes'])]);
  expect([one, other]).toEqual([['withheld'], ['withheld']]);
  await of('ada', ['withheld', 'notes']);
  expect(gateway.sendRequest).toHaveBeenCalledTimes(1);
  later = 5_000;
  await of('ada', ['withheld', 'notes']);
  expect(gateway.sendRequest).toHaveBeenCalledTimes(2);
  expect(await of('grace', ['withheld', 'notes'])).toEqual(['withheld']);
  expect(gateway.sendRequest).toHaveBeenCalledTimes(3);
});

it('asks anew when the apps of a user change, and never answers for other apps than it was asked about', async () => {
  expect(await Promise.all([of('ada', ['notes']), of('ada', ['notes', 'withheld'])])).toEqual([[], ['withheld']]);
  expect(await of('ada', ['notes', 'withheld', 'withheld-too'])).toEqual(['withheld', 'withheld-too']);
  expect(await of('ada', ['notes'])).toEqual([]);
  expect(gateway.sendRequest).toHaveBeenCalledTimes(4);
});

it('keeps one answer for each user, however often their apps change', async () => {
  await of('ada', ['notes']);
  await of('ada', ['notes', 'withheld']);
  gateway.isAway = true;
  await expect(of('ada', ['notes'])).rejects.toMatchObject(AWAY);
  expect(await of('ada', ['notes', 'withheld'])).toEqual(['withheld']);
});

it('keeps no more than 16 MiB of answers, the latest of them', async () => {
  const many = Array.from({ length: 1_000 }, (_, at) => `withheld-${at}`.padEnd(64, 'x'));
  for (let user = 0; user < 200; user++) await apps.findWithheldApps(`user-${user}`, many);
  gateway.isAway = true;
  await expect(of('user-0', many)).rejects.toMatchObject(AWAY);
  await expect(of('user-50', many)).rejects.toMatchObject(AWAY);
  expect(await of('user-199', many)).toEqual(many);
});

it('forgets about whom nobody asked for an hour, and remembers the others while the gateway is away', async () => {
  await of('ada', ['withheld']);
  await of('grace', ['withheld']);
  gateway.isAway = true;
  for (const minutes of [40, 80, 120]) {
    later = minutes * MINUTE_MS;
    expect(await of('ada', ['withheld'])).toEqual(['withheld']);
  }
  await expect(of('grace', ['withheld'])).rejects.toMatchObject(AWAY);
  gateway.isAway = false;
  expect(await of('grace', ['withheld'])).toEqual(['withheld']);
});
