import type { ConfirmationResponse, ConfirmedResponse, OperateResponse } from '@platform/contracts';
import { QuotasService, type RateLimitPolicy } from '@platform/guards';
import type { TestClient } from '@platform/testing';
import { createApp, newAppId } from '../../testing/apps.js';
import { GatewayTest, type TestUser } from '../../testing/gateway-test.js';
import { SystemExtensionsRegistry } from '../calls/system-extensions.registry.js';
import { UNCOUNTED_LIMIT } from '../calls/uncounted-calls.service.js';
import { CONFIRMATIONS_LIMIT } from './confirmations.service.js';

let gateway: GatewayTest;
let user: TestUser;
let client: TestClient;
let purged = 0;
const APP = newAppId();
beforeAll(async () => {
  gateway = await GatewayTest.start({ RATE_LIMIT_SCALE: '1' });
  await createApp(gateway, { app_id: APP, system: true });
  const purge = {
    ...{ name: 'purge', description: 'purge', action_type: 'destructive' as const, key_scope: `${APP}:write` as const },
    params_schema: { type: 'object' },
    handler: () => Promise.resolve({ data: ++purged }),
  };
  gateway.service.app.get(SystemExtensionsRegistry).registerExtension({ appId: APP, functions: [purge] });
});
beforeEach(async () => {
  user = await gateway.user();
  client = await gateway.signIn(user);
  purged = 0;
});
afterAll(() => gateway.stop());

const leave = (limit: RateLimitPolicy, count: number) =>
  gateway.service.app.get(QuotasService).consume(limit, user.id, limit.quota - count);
const operate = (params: object = {}) =>
  client.post<OperateResponse & { code?: string }>(`/v1/extensions/${APP}/operate`, {
    user_id: user.id,
    function: 'purge',
    params,
  });
const cancel = (id: string) => client.post(`/v1/confirmations/${id}/cancel`);
const LIMITED = { status: 429, body: { code: 'rate_limited' } };

describe('confirmations', () => {
  it('that are asked for and declined again and again have a limit per day', async () => {
    await leave(CONFIRMATIONS_LIMIT, 2);
    for (let at = 0; at < 2; at++) {
      const { status, body } = await operate();
      expect(status).toBe(200);
      expect((await cancel(String(body.confirmation_id))).status).toBe(200);
    }
    const refused = await operate();
    expect(refused).toMatchObject(LIMITED);
    expect(refused.headers.get('retry-after')).not.toBeNull();
  });

  it('take more of it the larger their params are', async () => {
    await leave(CONFIRMATIONS_LIMIT, 10);
    expect(await operate({ text: 'x'.repeat(40_960) })).toMatchObject(LIMITED);
    expect(await operate({ text: 'x'.repeat(30_000) })).toMatchObject({ status: 200, body: { kind: 'confirmation' } });
  });

  it('wait on where their call is beyond the limit of today', async () => {
    const { body } = await operate();
    const id = String(body.confirmation_id);
    await leave(UNCOUNTED_LIMIT, 0);
    expect(await client.post(`/v1/confirmations/${id}/confirm`)).toMatchObject(LIMITED);
    expect([purged, (await client.get<ConfirmationResponse>(`/v1/confirmations/${id}`)).body.status]).toEqual([
      0,
      'pending',
    ]);
  });

  it('take one call of the limit of today when they are confirmed', async () => {
    const { body } = await operate();
    await leave(UNCOUNTED_LIMIT, 1);
    const { body: confirmed } = await client.post<ConfirmedResponse>(
      `/v1/confirmations/${String(body.confirmation_id)}/confirm`,
    );
    expect([purged, confirmed.result.status]).toEqual([1, 'success']);
  });
});
