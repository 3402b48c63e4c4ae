import { HeldLock } from '@platform/testing';
import { GatewayTest, type TestUser } from '../../testing/gateway-test.js';
import { createTenant } from '../../testing/tenants.js';
import { DEVICE_LOGIN, TERMINAL_LOGINS, type TerminalLogin } from '../../testing/terminal-logins.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start()));
afterAll(() => gateway.stop());

const WIDTH = 50;
async function userOfTenant(): Promise<TestUser & { tenant_id: string }> {
  const { id } = await createTenant(gateway.backend(), {});
  return (await gateway.user({ tenant_id: id })) as TestUser & { tenant_id: string };
}
/** An administrator of the user's own tenant. */
const asAdmin = async (tenant_id: string) => gateway.signIn(await gateway.user({ role: 'admin', tenant_id }));
const setUser = async ({ id, tenant_id = 'default' }: TestUser, is_active: boolean) =>
  (await (await asAdmin(tenant_id)).patch(`/v1/users/${id}`, { is_active })).status;
const setTenant = async ({ tenant_id }: TestUser, is_active: boolean) =>
  (await gateway.backend().patch(`/v1/tenants/${tenant_id}`, { is_active })).status;
const sessionsOf = ({ id }: TestUser) =>
  gateway.service.query('SELECT 1 FROM sessions WHERE user_id = $1 AND revoked_at IS NULL', [id]);
/** Logins that could still be redeemed once the user can sign in again. */
const left = (user: TestUser) =>
  gateway.service.query(
    `SELECT 1 FROM users u JOIN (
       SELECT user_id, credentials_epoch FROM cli_codes WHERE consumed_at IS NULL UNION ALL SELECT user_id, credentials_epoch FROM device_codes
     ) c ON c.user_id = u.id AND c.credentials_epoch = u.credentials_epoch WHERE u.id = $1`,
    [user.id],
  );

describe.each(TERMINAL_LOGINS)('%s', (what, begin) => {
  it.each([
    ['its user is deactivated', (user: TestUser) => setUser(user, false), (user: TestUser) => setUser(user, true)],
    [
      'its user is deleted',
      async ({ id, tenant_id = 'default' }: TestUser) =>
        (await (await asAdmin(tenant_id)).delete(`/v1/users/${id}`)).status,
      (user: TestUser) => setUser(user, true),
    ],
    [
      'its tenant is deactivated',
      (user: TestUser) => setTenant(user, false),
      (user: TestUser) => setTenant(user, true),
    ],
    [
      'its tenant is deleted',
      async ({ tenant_id }: TestUser) => (await gateway.backend().delete(`/v1/tenants/${tenant_id}`)).status,
      (user: TestUser) => setTenant(user, true),
    ],
  ])('dies when %s, and does not come back', async (_how, deactivate, activate) => {
    const user = await userOfTenant();
    const login = await begin(gateway, user);
    expect((await login.approve()).status).toBe(200);
    const bystander = await gateway.user();
    const other = await begin(gateway, bystander);
    await other.approve();
    expect(await deactivate(user)).toBe(200);
    expect(await left(user)).toEqual([]);
    expect(await activate(user)).toBe(200);
    expect((await login.redeem()).status).toBe(400);
    expect(await sessionsOf(user)).toEqual([]);
    // Logins of other users still work.
    expect((await other.redeem()).status).toBe(200);
  });

  it('that is begun while its user is deactivated comes to nothing, whichever comes first', async () => {
    for (const deactivateFirst of [true, false]) {
      const user = await gateway.user();
      const admin = await asAdmin('default');
      const login = await begin(gateway, user);
      const lock = await HeldLock.acquire(gateway.service, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [user.id]);
      const off = () => admin.patch(`/v1/users/${user.id}`, { is_active: false });
      const [first, second] = deactivateFirst ? [off, login.approve] : [login.approve, off];
      const racing = [first()];
      await lock.waitForBlocked(1);
      racing.push(second());
      await lock.waitForBlocked(2);
      await lock.release();
      const statuses = (await Promise.all(racing)).map(({ status }) => status);
      expect(statuses).toEqual(deactivateFirst ? [200, 403] : [200, 200]);
      expect(await left(user)).toEqual([]);
      await admin.patch(`/v1/users/${user.id}`, { is_active: true });
      expect((await login.redeem()).status).toBe(deactivateFirst && what === DEVICE_LOGIN ? 200 : 400); // 200: it still waits for approval
      expect(await sessionsOf(user)).toEqual([]);
    }
  });

  it('of 50 that are redeemed while their tenant or users are deactivated leaves no session that comes back', async () => {
    const { tenant_id } = await userOfTenant();
    const admin = await asAdmin(tenant_id);
    const users = await Promise.all(Array.from({ length: WIDTH }, () => gateway.user({ tenant_id })));
    const logins = await Promise.all(users.map((user) => begin(gateway, user)));
    for (const login of logins) expect((await login.approve()).status).toBe(200);
    const answers = await Promise.all(
      users.map(async ({ id }, at) => {
        const off = () => admin.patch(`/v1/users/${id}`, { is_active: false });
        const redeem = () => (logins[at] as TerminalLogin).redeem();
        return Promise.all(at % 2 ? [off(), redeem()] : [redeem(), off()].reverse());
      }),
    );
    for (const both of answers) for (const { status } of both) expect([200, 400, 403]).toContain(status);
    await gateway.service.query('UPDATE users SET is_active = true WHERE tenant_id = $1', [tenant_id]);
    for (const [at, user] of users.entries()) {
      expect(await sessionsOf(user)).toEqual([]);
      expect((await (logins[at] as TerminalLogin).redeem()).status).toBe(400);
      expect(await left(user)).toEqual([]);
    }
  });
});
