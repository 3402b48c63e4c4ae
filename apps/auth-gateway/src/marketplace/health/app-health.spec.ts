import type { AppHealthResponse } from '@platform/contracts';
import { createApp, tool } from '../../testing/apps.js';
import { callsOfUsers, recordCalls } from '../../testing/recorded-calls.js';
import { GatewayTest } from '../../testing/gateway-test.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start({ RATE_LIMIT_SCALE: '1' })));
afterAll(() => gateway.stop());

const health = (appId: string) => gateway.client().get<AppHealthResponse>(`/v1/ext/${appId}/health`);
const app = async (changes = {}) =>
  (await createApp(gateway, { tools: [tool('search')], document: {}, ...changes })).app_id;
const called = (appId: string, calls: ReturnType<typeof callsOfUsers>, ago?: string) =>
  recordCalls(gateway, appId, calls, ago);

it('is healthy while nothing is known against an app, and says which version runs', async () => {
  const appId = await app();
  expect(await health(appId)).toMatchObject({
    status: 200,
    body: { status: 'healthy', app_id: appId, version: '1.0.0', checked_at: expect.any(String) },
  });
});

it.each<[AppHealthResponse['status'], string, [string, string | null][]]>([
  ['healthy', 'one in twenty is failed', [...callsOfUsers(19, null), ['x', 'TIMEOUT']]],
  ['degraded', 'some are failed', [...callsOfUsers(6, null), ...callsOfUsers(2, 'HANDLER_FAILED', 'x')]],
  ['degraded', 'the only one is failed, however often', [...Array<[string, string]>(30).fill(['x', 'INTERNAL'])]],
  ['degraded', 'half of a few are failed', [...callsOfUsers(2, null), ...callsOfUsers(2, 'BACKEND_5XX', 'x')]],
  ['unhealthy', 'half are failed', [...callsOfUsers(3, null), ...callsOfUsers(3, 'BACKEND_5XX', 'x')]],
  [
    'unhealthy',
    'half are failed, whatever calls were refused',
    [
      ...callsOfUsers(3, null),
      ...callsOfUsers(3, 'BACKEND_5XX', 'x'),
      ...callsOfUsers(20, 'UNKNOWN_SUB_FUNCTION', 'r'),
    ],
  ],
  ['healthy', 'their last calls went well', [...callsOfUsers(5, 'TIMEOUT'), ...callsOfUsers(5, null)]],
  [
    'healthy',
    'it says no',
    [
      ...callsOfUsers(3, 'OUT_OF_PAPER'),
      ...callsOfUsers(3, 'VALIDATION_TYPE_ERROR', 'x'),
      ...callsOfUsers(3, 'INSUFFICIENT_CREDITS', 'y'),
    ],
  ],
])('is %s where of those who called %s', async (status, _who, calls) => {
  const appId = await app();
  await called(appId, calls);
  expect((await health(appId)).body).toMatchObject({ status });
});

it('is of the last hour', async () => {
  const appId = await app();
  await called(appId, callsOfUsers(5, 'TIMEOUT'), '61 minutes');
  expect((await health(appId)).body).toMatchObject({ status: 'healthy' });
});

it('is unknown of what is not for everybody to know, and of what there is not, in the same words', async () => {
  const hidden = [
    await app({ status: 'draft' }),
    await app({ status: 'suspended' }),
    await app({ document: null }),
    ...['no-such-app', 'x'.repeat(200), 'billing'],
  ];
  for (const appId of hidden) {
    const answer = await health(appId);
    expect(answer.body).toEqual({ status: 'unknown' });
  }
});

it('is looked at once in half a minute', async () => {
  const appId = await app();
  const { body: before } = await health(appId);
  await called(appId, callsOfUsers(5, 'TIMEOUT'));
  expect((await health(appId)).body).toEqual(before);
});

it('takes not more than 120 requests of an address in a minute', async () => {
  const client = gateway.client();
  const answers = [];
  for (let at = 0; at < 250; at++) answers.push((await client.get('/v1/ext/x/health')).status);
  expect(answers.filter((status) => status === 429).length).toBeGreaterThan(0);
});
