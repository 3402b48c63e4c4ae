import type { TokenResponse } from '@platform/contracts';
import { HeldLock } from '@platform/testing';
import { decodeJwt } from 'jose';
import { GatewayTest, PASSWORD, type TestUser } from '../../testing/gateway-test.js';
import { TERMINAL_LOGINS } from '../../testing/terminal-logins.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start()));
afterAll(() => gateway.stop());

const NEW_PASSWORD = 'another horse battery';
type Answer = Promise<{ status: number; body: unknown }>;

/** Changes that end all open logins of a user; each returns the function that does it. */
const ENDS: [string, (user: TestUser) => Promise<() => Answer>][] = [
  [
    'the password is reset',
    async ({ email }) => {
      await gateway.client().post('/v1/auth/forgot-password', { email });
      const token = await gateway.mailToken(email);
      return () => gateway.client().post('/v1/auth/reset-password', { token, new_password: NEW_PASSWORD });
    },
  ],
  [
    'the password is changed',
    async (user) => {
      const client = await gateway.signIn(user);
      return () =>
        client.post('/v1/auth/me/change-password', { current_password: PASSWORD, new_password: NEW_PASSWORD });
    },
  ],
  [
    'they sign out everywhere else',
    async (user) => {
      const client = await gateway.signIn(user);
      return () => client.post('/v1/auth/sessions/revoke-others');
    },
  ],
  [
    'the panel signs them out everywhere',
    ({ id }) => Promise.resolve(() => gateway.actingFor(id).post('/v1/auth/sessions/revoke-others')),
  ],
];
const CASES = TERMINAL_LOGINS.flatMap(([what, begin]) =>
  ENDS.map(([how, prepare]) => [what, how, begin, prepare] as const),
);

const terminalsOf = ({ id }: TestUser) =>
  gateway.service.query("SELECT 1 FROM sessions WHERE user_id = $1 AND surface = 'cli'", [id]);
const REFUSED = { status: 400, body: { error: expect.stringMatching(/^(invalid_grant|access_denied)$/) } };

describe.each(CASES)('%s of somebody for whom %s', (_what, _how, begin, prepare) => {
  it('comes to nothing, and that of others goes on; one of later is good', async () => {
    const [user, bystander] = [await gateway.user(), await gateway.user()];
    const [login, other] = [await begin(gateway, user), await begin(gateway, bystander)];
    for (const { approve } of [login, other]) expect((await approve()).status).toBe(200);
    expect((await (await prepare(user))()).status).toBe(200);
    expect(await login.redeem()).toMatchObject(REFUSED);
    expect(await terminalsOf(user)).toEqual([]);
    expect((await other.redeem()).status).toBe(200);
    const later = await begin(gateway, user);
    expect((await later.approve()).status).toBe(200);
    expect((await later.redeem()).status).toBe(200);
  });

  it('is not approved in a session that has ended, or is of somebody else', async () => {
    const [user, other] = [await gateway.user(), await gateway.user()];
    const [tokens, others] = [await gateway.login(user), await gateway.login(other)];
    const sessionOf = ({ access_token }: TokenResponse) => decodeJwt(access_token)['sid'] as string;
    const approveIn = async (session: string) => {
      const { approve, redeem } = await begin(gateway, user, { 'X-Acting-Session': session });
      return { status: (await approve()).status, redeem };
    };
    const approved = await approveIn(sessionOf(tokens));
    expect([approved.status, (await approved.redeem()).status]).toEqual([200, 200]);
    await (
      await prepare(user)
    )();
    for (const session of [sessionOf(tokens), sessionOf(others), 'ses_none', ''])
      expect((await approveIn(session)).status).toBe(401);
  });

  // The approval has arrived before the change, and neither commits before the other has begun.
  it.each([
    ['before', [1, 0]],
    ['after', [0, 1]],
  ])('comes to nothing when its approval commits just %s that', async (_order, order) => {
    const user = await gateway.user();
    const [login, end] = [await begin(gateway, user), await prepare(user)];
    const lock = await HeldLock.acquire(gateway.service, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [user.id]);
    const racing: Answer[] = [];
    for (const [at, turn] of order.entries()) {
      racing.push([end, login.approve][turn]?.() as Answer);
      await lock.waitForBlocked(at + 1);
    }
    await lock.release();
    expect((await Promise.all(racing)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await login.redeem()).toMatchObject(REFUSED);
    expect(await terminalsOf(user)).toEqual([]);
  });
});
