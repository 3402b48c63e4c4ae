import { DataSource } from 'typeorm';
import { PanelTest } from './testing/panel-test.js';

let test: PanelTest;
beforeAll(async () => (test = await PanelTest.start()));
afterAll(() => test.stop());

interface GatewaySession {
  id: string;
  refresh_counter: number;
  revoked_at: Date | null;
}

const gatewaySession = async (userId: string) =>
  (await test.gateway.service.query<GatewaySession>('SELECT * FROM sessions WHERE user_id = $1', [userId]))[0];
const unavailable = { status: 503, body: { code: 'gateway_unavailable' } };

it('renews the access token a minute before it expires, and not earlier', async () => {
  const { browser, user } = await test.signedIn();
  await test.panel.query("UPDATE sessions SET access_expires_at = now() + interval '70 seconds' WHERE user_id = $1", [
    user.id,
  ]);
  await browser.get('/session');
  expect((await gatewaySession(user.id))?.refresh_counter).toBe(0);
  await test.makeStale(user);
  expect((await browser.get('/session')).status).toBe(200);
  expect((await gatewaySession(user.id))?.refresh_counter).toBe(1);
  await browser.get('/session');
  expect((await gatewaySession(user.id))?.refresh_counter).toBe(1);
});

it('lets two processes renew at once: each request is answered, and the tokens move once', async () => {
  const { browser, user } = await test.signedIn();
  const second = await test.beside();
  await test.makeStale(user);
  const cookie = { Cookie: browser.cookie ?? '' };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_value, at) => test.browser(at % 2 ? second : test.panel).get('/session', cookie)),
  );
  await second.stop();
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect((await gatewaySession(user.id))?.refresh_counter).toBe(1);
  expect(await test.sessions(user.id)).toMatchObject([{ tokens_version: 1 }]);
});

it('renews again from what another process has stored', async () => {
  const { browser, user } = await test.signedIn();
  const second = await test.beside();
  const cookie = { Cookie: browser.cookie ?? '' };
  for (const service of [test.panel, second, test.panel]) {
    await test.makeStale(user);
    expect((await test.browser(service).get('/session', cookie)).status).toBe(200);
  }
  await second.stop();
  expect((await gatewaySession(user.id))?.refresh_counter).toBe(3);
});

it('leaves a sign-out that comes meanwhile in force', async () => {
  const { browser, user } = await test.signedIn();
  const cookie = { Cookie: browser.cookie ?? '' };
  await test.makeStale(user);
  const [, ...answers] = await Promise.all([
    test.browser().delete('/session', cookie),
    ...Array.from({ length: 5 }, () => test.browser().get('/session', cookie)),
  ]);
  for (const { status } of answers) expect([200, 401]).toContain(status);
  expect(await test.sessions(user.id)).toEqual([]);
  expect((await gatewaySession(user.id))?.revoked_at).toBeInstanceOf(Date);
});

describe('while the gateway gives no verdict, the session is kept', () => {
  it.each(['fresh', 'stale'])('it cannot be reached, with a %s token', async (state) => {
    const { browser, user } = await test.signedIn();
    if (state === 'stale') await test.makeStale(user);
    const cutOff = await test.cutOff();
    const answer = await test.browser(cutOff).get('/session', { Cookie: browser.cookie ?? '' });
    await cutOff.stop();
    expect(answer).toMatchObject(unavailable);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect((await browser.get('/session')).status).toBe(200);
  });

  it('it has lost its database', async () => {
    const { browser, user } = await test.signedIn();
    await test.makeStale(user);
    const broken = await test.gateway.startSecondProcess();
    await broken.app.get(DataSource).destroy();
    const panel = await test.beside({ AUTH_GATEWAY_URL: broken.url });
    const answer = await test.browser(panel).get('/session', { Cookie: browser.cookie ?? '' });
    await Promise.all([panel.stop(), broken.stop()]);
    expect(answer).toMatchObject(unavailable);
    expect((await browser.get('/session')).status).toBe(200);
  });

  it('the session renews too often', async () => {
    const { browser, user } = await test.signedIn();
    await test.makeStale(user);
    await test.gateway.service.query(
      "UPDATE sessions SET refresh_arrival = now() + interval '1 hour' WHERE user_id = $1",
      [user.id],
    );
    const answer = await browser.get('/session');
    expect(answer).toMatchObject(unavailable);
    expect(answer.headers.get('retry-after')).toBe('2');
    await test.gateway.service.query('UPDATE sessions SET refresh_arrival = now() WHERE user_id = $1', [user.id]);
    expect((await browser.get('/session')).status).toBe(200);
  });

  it('something else than the gateway answers', async () => {
    const { browser } = await test.signedIn();
    const panel = await test.beside({ AUTH_GATEWAY_URL: test.panel.url }); // HTML pages instead of the gateway
    const answer = await test.browser(panel).get('/session', { Cookie: browser.cookie ?? '' });
    await panel.stop();
    expect(answer).toMatchObject(unavailable);
  });
});

describe('the verdict of the gateway ends the session', () => {
  const expectSignedOut = async (browser: Awaited<ReturnType<typeof test.signedIn>>['browser'], userId: string) => {
    const answer = await browser.get('/session');
    expect(answer).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
    expect(answer.headers.getSetCookie()).toEqual([expect.stringContaining('Max-Age=0')]);
    expect(await test.sessions(userId)).toEqual([]);
  };

  it('when it was revoked elsewhere and the token is to be renewed', async () => {
    const { browser, user } = await test.signedIn();
    await test.makeStale(user);
    await test.gateway.service.query('UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [user.id]);
    await expectSignedOut(browser, user.id);
  });

  it('when it was revoked elsewhere and the token would be good for a while', async () => {
    const { browser, user } = await test.signedIn();
    const { accessToken } = await test.openTokens(user.id);
    const { id } = (await gatewaySession(user.id)) as GatewaySession;
    await test.gateway.client().withToken(accessToken).post(`/v1/auth/sessions/${id}/revoke`);
    await expectSignedOut(browser, user.id);
  });

  it('when the account was disabled', async () => {
    const { browser, user } = await test.signedIn();
    await test.gateway.service.query('UPDATE users SET is_active = false WHERE id = $1', [user.id]);
    await test.makeStale(user);
    await expectSignedOut(browser, user.id);
  });
});

it('outlives a change of the signing keys, which makes every access token worthless', async () => {
  const { browser, user } = await test.signedIn();
  await test.spoilAccessToken(user.id);
  expect((await browser.get('/session')).status).toBe(200);
  expect((await gatewaySession(user.id))?.refresh_counter).toBe(1);
});
