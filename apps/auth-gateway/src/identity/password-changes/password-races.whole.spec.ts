import type { TokenResponse } from '@platform/contracts';
import { newId } from '@platform/platform';
import { HeldLock } from '@platform/testing';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';
import { issueMailToken } from '../mail-links/mail-tokens.js';
import { GatewayTest, PASSWORD, type TestUser } from '../../testing/gateway-test.js';
import { holdPasswordChecks } from '../../testing/held-password-checks.js';
import { TERMINAL_LOGINS } from '../../testing/terminal-logins.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start()));
afterEach(() => jest.restoreAllMocks());
afterAll(() => gateway.stop());

const NEW_PASSWORD = 'another horse battery';
const WIDTH = 50;
const many = <T>(make: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: WIDTH }, (_value, at) => make(at)));

/** Makes the token of a mail. */
async function resetToken({ id }: TestUser): Promise<string> {
  const { app } = gateway.service;
  const job = { jobId: newId('job'), userId: id, purpose: 'reset_password' as const };
  return (await issueMailToken(app.get(DataSource).manager, app.get<Config>(CONFIG).SECRET_KEYS, job)) as string;
}

const reset = (token: string, new_password = NEW_PASSWORD) =>
  gateway.client().post('/v1/auth/reset-password', { token, new_password });
const refresh = (refresh_token: string) => gateway.client().post<TokenResponse>('/v1/auth/refresh', { refresh_token });
const login = (user: TestUser, password = PASSWORD) =>
  gateway.client().post('/v1/auth/login', { email: user.email, password });
const liveSessions = (users: TestUser[]) =>
  gateway.service.query('SELECT id FROM sessions WHERE user_id = ANY ($1) AND revoked_at IS NULL', [
    users.map(({ id }) => id),
  ]);
const statuses = (answers: { status: number }[]) => [...new Set(answers.map(({ status }) => status))].sort();

describe('a password reset while', () => {
  it('50 sessions refresh without pause leaves none of them alive', async () => {
    const users = await many(() => gateway.user());
    const pairs = await Promise.all(users.map((user) => gateway.login(user)));
    const tokens = await Promise.all(users.map((user) => resetToken(user)));
    /** Refreshes until the session is over. Returns the last pair and all statuses. */
    const keepRefreshing = async (pair: TokenResponse) => {
      const seen: number[] = [];
      for (let last = pair; ;) {
        const { status, body } = await refresh(last.refresh_token);
        seen.push(status);
        if (status === 200) last = body;
        else if (status !== 429) return { last, seen, body };
      }
    };
    const [refreshed, answers] = await Promise.all([
      Promise.all(pairs.map(keepRefreshing)),
      Promise.all(tokens.map((token) => reset(token))),
    ]);
    expect(statuses(answers)).toEqual([200]);
    for (const { seen, body } of refreshed) {
      expect(seen.filter((status) => ![200, 401, 429].includes(status))).toEqual([]);
      expect(body).toMatchObject({ code: 'invalid_refresh_token' });
    }
    expect(await liveSessions(users)).toEqual([]);
    const used = await Promise.all(
      refreshed.map(({ last }) => gateway.client().withToken(last.access_token).get('/v1/auth/me')),
    );
    expect(statuses(used)).toEqual([401]);
  });

  it('50 logins stand between the check of the old password and their session lets none of them in', async () => {
    const user = await gateway.user();
    const token = await resetToken(user);
    const held = holdPasswordChecks(gateway.service, WIDTH);
    const logins = many(() => login(user));
    await held.checked;
    expect((await reset(token)).status).toBe(200);
    held.releaseRight();
    for (const { status, body } of await logins)
      expect({ status, body }).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(await liveSessions([user])).toEqual([]);
    jest.restoreAllMocks();
    expect((await login(user)).status).toBe(401);
    expect((await login(user, NEW_PASSWORD)).status).toBe(200);
  });

  it('its own link is used 50 times at once succeeds once', async () => {
    const user = await gateway.user();
    const token = await resetToken(user);
    const answers = await many((at) => reset(token, `${NEW_PASSWORD} ${at}`));
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { body } of answers.filter((_answer, at) => at !== winner))
      expect(body).toMatchObject({ code: 'invalid_or_expired_token' });
    expect(await gateway.service.query('SELECT 1 FROM mail_tokens WHERE user_id = $1', [user.id])).toEqual([]);
    expect((await login(user, `${NEW_PASSWORD} ${winner}`)).status).toBe(200);
    expect((await login(user, `${NEW_PASSWORD} ${(winner + 1) % WIDTH}`)).status).toBe(401);
  });

  it.each(TERMINAL_LOGINS)(
    '%s is redeemed leaves no session alive, whichever comes first, 50 times at once too',
    async (_what, begin) => {
      const prepare = async (user: TestUser) => {
        const { approve, redeem } = await begin(gateway, user);
        await gateway.resetRateLimits();
        expect((await approve()).status).toBe(200);
        return redeem;
      };
      for (const resetFirst of [true, false]) {
        const user = await gateway.user();
        const [redeem, token] = [await prepare(user), await resetToken(user)];
        const lock = await HeldLock.acquire(gateway.service, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [user.id]);
        const [first, second] = resetFirst ? [() => reset(token), redeem] : [redeem, () => reset(token)];
        const racing = [first()];
        await lock.waitForBlocked(1);
        racing.push(second());
        await lock.waitForBlocked(2);
        await lock.release();
        const answers = await Promise.all(racing);
        expect(answers.map(({ status }) => status)).toEqual(resetFirst ? [200, 400] : [200, 200]);
        expect(await liveSessions([user])).toEqual([]);
      }
      const users = await many(() => gateway.user());
      const redeems = await Promise.all(users.map(prepare));
      const tokens = await Promise.all(users.map((user) => resetToken(user)));
      const answers = await many(async (at) => {
        const [redeem, token] = [redeems[at], tokens[at]] as [(typeof redeems)[number], string];
        return (await Promise.all([reset(token), redeem()])).map(({ status }) => status);
      });
      for (const [changed, redeemed] of answers) {
        expect(changed).toBe(200);
        expect([200, 400]).toContain(redeemed);
      }
      expect(await liveSessions(users)).toEqual([]);
    },
  );
});
