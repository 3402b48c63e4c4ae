import type { CliCodeResponse, DeviceAuthorizeResponse } from '@platform/contracts';
import { randomBytes } from 'node:crypto';
import { GatewayTest, type TestUser } from '../testing/gateway.js';
import { HeldLock } from '../testing/locks.js';
import { createTenant } from '../testing/tenants.js';
import { challengeOf } from './pkce.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start({ RATE_LIMIT_SCALE: '1000' })));
afterAll(() => gateway.stop());

const WIDTH = 50;
type Answer = Promise<{ status: number; body: unknown }>;
interface Login {
  approve: () => Answer;
  redeem: () => Answer;
}

/** A one-time code: the panel mints it, the command line exchanges it. */
function codeOf({ id }: TestUser): Promise<Login> {
  const code_verifier = randomBytes(48).toString('base64url');
  let code = 'none';
  return Promise.resolve({
    approve: async () => {
      const request = { code_challenge: challengeOf(code_verifier), code_challenge_method: 'S256' };
      const answer = await gateway.actingFor(id).post<CliCodeResponse>('/v1/auth/cli/codes', request);
      if (answer.status === 200) code = answer.body.code;
      return answer;
    },
    redeem: () => gateway.client().post('/v1/auth/cli/token', { code, code_verifier }),
  });
}

/** A device login: the person approves it, the device asks for its tokens. */
async function deviceOf({ id }: TestUser): Promise<Login> {
  const code_verifier = randomBytes(48).toString('base64url');
  const request = { code_challenge: challengeOf(code_verifier) };
  const { body } = await gateway.client().post<DeviceAuthorizeResponse>('/v1/auth/cli/device/authorize', request);
  const { device_code, user_code } = body;
  return {
    approve: () => gateway.actingFor(id).post('/v1/auth/cli/device/approve', { user_code }),
    redeem: () => gateway.client().post('/v1/auth/cli/device/token', { device_code, code_verifier }),
  };
}

const WAYS = [
  ['a one-time code', codeOf],
  ['an approved device', deviceOf],
] as const;

async function userOfTenant(): Promise<TestUser & { tenant_id: string }> {
  const { id } = await createTenant(gateway.backend(), {});
  return (await gateway.user({ tenant_id: id })) as TestUser & { tenant_id: string };
}
/** Who deactivates: an administrator of the user's own tenant. */
const asAdmin = async (tenant_id: string) => gateway.signedIn(await gateway.user({ role: 'admin', tenant_id }));
const setUser = async ({ id, tenant_id = 'default' }: TestUser, is_active: boolean) =>
  (await (await asAdmin(tenant_id)).patch(`/v1/users/${id}`, { is_active })).status;
const setTenant = async ({ tenant_id }: TestUser, is_active: boolean) =>
  (await gateway.backend().patch(`/v1/tenants/${tenant_id}`, { is_active })).status;
const sessionsOf = ({ id }: TestUser) => gateway.service.query('SELECT 1 FROM sessions WHERE user_id = $1 AND revoked_at IS NULL', [id]);
const left = (user: TestUser) =>
  gateway.service.query(
    'SELECT 1 FROM cli_codes WHERE user_id = $1 AND consumed_at IS NULL UNION ALL SELECT 1 FROM device_codes WHERE user_id = $1',
    [user.id],
  );

describe.each(WAYS)('%s', (_what, begin) => {
  it.each([
    ['its user is deactivated', (user: TestUser) => setUser(user, false), (user: TestUser) => setUser(user, true)],
    [
      'its user is deleted',
      async ({ id, tenant_id = 'default' }: TestUser) => (await (await asAdmin(tenant_id)).delete(`/v1/users/${id}`)).status,
      (user: TestUser) => setUser(user, true),
    ],
    ['its tenant is deactivated', (user: TestUser) => setTenant(user, false), (user: TestUser) => setTenant(user, true)],
    [
      'its tenant is deleted',
      async ({ tenant_id }: TestUser) => (await gateway.backend().delete(`/v1/tenants/${tenant_id}`)).status,
      (user: TestUser) => setTenant(user, true),
    ],
  ])('dies when %s, and does not come back', async (_how, deactivate, activate) => {
    const user = await userOfTenant();
    const login = await begin(user);
    expect((await login.approve()).status).toBe(200);
    const bystander = await gateway.user();
    const other = await begin(bystander);
    await other.approve();
    expect(await deactivate(user)).toBe(200);
    expect(await left(user)).toEqual([]);
    expect(await activate(user)).toBe(200);
    expect((await login.redeem()).status).toBe(400);
    expect(await sessionsOf(user)).toEqual([]);
    // Of nobody else.
    expect((await other.redeem()).status).toBe(200);
  });

  it('that is begun while its user is deactivated comes to nothing, whichever comes first', async () => {
    for (const deactivateFirst of [true, false]) {
      const user = await gateway.user();
      const admin = await asAdmin('default');
      const login = await begin(user);
      const lock = await HeldLock.take(gateway.service, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [user.id]);
      const off = () => admin.patch(`/v1/users/${user.id}`, { is_active: false });
      const [first, second] = deactivateFirst ? [off, login.approve] : [login.approve, off];
      const racing = [first()];
      await lock.waiting(1);
      racing.push(second());
      await lock.waiting(2);
      await lock.release();
      const statuses = (await Promise.all(racing)).map(({ status }) => status);
      expect(statuses).toEqual(deactivateFirst ? [200, 403] : [200, 200]);
      expect(await left(user)).toEqual([]);
      await admin.patch(`/v1/users/${user.id}`, { is_active: true });
      expect((await login.redeem()).status).toBe(deactivateFirst && begin === deviceOf ? 200 : 400); // 200: it still waits for somebody
      expect(await sessionsOf(user)).toEqual([]);
    }
  });

  it('of 50 that are redeemed while their tenant or users are deactivated leaves no session that comes back', async () => {
    const { tenant_id } = await userOfTenant();
    const admin = await asAdmin(tenant_id);
    const users = await Promise.all(Array.from({ length: WIDTH }, () => gateway.user({ tenant_id })));
    const logins = await Promise.all(users.map(begin));
    for (const login of logins) expect((await login.approve()).status).toBe(200);
    const answers = await Promise.all(
      users.map(async ({ id }, at) => {
        const off = () => admin.patch(`/v1/users/${id}`, { is_active: false });
        const redeem = () => (logins[at] as Login).redeem();
        return Promise.all(at % 2 ? [off(), redeem()] : [redeem(), off()].reverse());
      }),
    );
    for (const both of answers) for (const { status } of both) expect([200, 400, 403]).toContain(status);
    await gateway.service.query('UPDATE users SET is_active = true WHERE tenant_id = $1', [tenant_id]);
    for (const [at, user] of users.entries()) {
      expect(await sessionsOf(user)).toEqual([]);
      expect((await (logins[at] as Login).redeem()).status).toBe(400);
      expect(await left(user)).toEqual([]);
    }
  });
});
