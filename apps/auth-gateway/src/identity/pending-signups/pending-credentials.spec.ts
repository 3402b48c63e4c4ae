import type {
  LoginResponse,
  SignupStatusResponse,
  UserDetailResponse,
  UserListResponse,
  UserResponse,
} from '@platform/contracts';
import { newId } from '@platform/platform';
import { until } from '@platform/testing';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';
import { GatewayTest, PASSWORD } from '../../testing/gateway-test.js';
import { issueConfirmation } from './pending-credentials.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start()));
afterAll(() => gateway.stop());

const WIDTH = 50;
const STRANGERS = 'the stranger knows this';
const INVALID_TOKEN = { status: 400, body: { code: 'invalid_or_expired_token' } };
const UNCONFIRMED = { status: 403, body: { code: 'email_not_verified' } };

const many = <T>(make: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: WIDTH }, (_value, at) => make(at)));
const AMBIGUOUS = { status: 409, body: { code: 'signup.ambiguous' } };

const verify = (token: string, proof: { status_token?: string; password?: string } = {}) =>
  gateway.client().post<LoginResponse>('/v1/auth/verify-email', { token, ...proof });
const login = (email: string, password: string) => gateway.client().post('/v1/auth/login', { email, password });
const register = (email: string, password = PASSWORD) =>
  gateway.backend().post<LoginResponse>('/v1/auth/register', { email, password });
const resend = (email: string, status_token?: string | null) =>
  gateway.client().post('/v1/auth/resend-verification', { email, ...(status_token !== undefined && { status_token }) });
const statusOf = async (token: string) =>
  (await gateway.client().get<SignupStatusResponse>(`/v1/auth/signup-status?token=${token}`)).body.status;
const usersWith = (email: string) =>
  gateway.service.query<{ id: string; first_name: string | null }>(
    'SELECT id, first_name FROM users WHERE email_canonical = $1',
    [email],
  );
const pendingWith = (email: string) =>
  gateway.service.query<{ id: string }>('SELECT id FROM pending_credentials WHERE email = $1 ORDER BY created_at, id', [
    email,
  ]);

/**
 * A signup after the arrival of its mail, number `after` + 1 to the address. Returns the token of
 * this mail.
 */
async function mailed(request: Record<string, unknown>, after = 0) {
  await gateway.resetRateLimits();
  const signup = await gateway.signUp(request);
  return { ...signup, token: await gateway.mailToken(signup.email, after) };
}

/** Makes the token of a signup's mail, without the mail. */
async function linkOf({ id }: { id: string }): Promise<string> {
  const { app } = gateway.service;
  const keyring = app.get<Config>(CONFIG).SECRET_KEYS;
  return (await issueConfirmation(app.get(DataSource).manager, keyring, { jobId: newId('job'), signupId: id }))
    ?.token as string;
}

/** Makes a signup's waiting mail due; with `isLimited`, waits until it is deferred again. */
async function hastenMail({ id }: { id: string }, { isLimited = false } = {}): Promise<void> {
  const isOfSignup = `queue = 'mail' AND payload ->> 'signup_id' = $1`;
  const wait = () =>
    until(
      async () =>
        (await gateway.service.query(`SELECT FROM outbox WHERE ${isOfSignup} AND due_at > now()`, [id])).length > 0,
    );
  await wait();
  await gateway.service.query(`UPDATE outbox SET due_at = now() WHERE ${isOfSignup}`, [id]);
  if (isLimited) await wait();
}

describe('a password belongs to who confirmed:', () => {
  it.each([
    ['before', [STRANGERS, PASSWORD], 1],
    ['after', [PASSWORD, STRANGERS], 0],
  ])('a stranger who signs up %s the owner has no say in what the owner confirms', async (_when, passwords, owners) => {
    const email = gateway.newEmail();
    const names = passwords.map((password) => (password === PASSWORD ? 'Ada' : 'Mallory'));
    const signups = [];
    for (const [at, password] of passwords.entries())
      signups.push(await mailed({ email, password, first_name: names[at] }, at));
    const [own, other] = [signups[owners], signups[1 - owners]] as [(typeof signups)[0], (typeof signups)[0]];

    const { status, body } = await verify(own.token, { password: PASSWORD });
    expect(status).toBe(200);
    const me = await gateway.client().withToken(body.access_token).get<UserResponse>('/v1/auth/me');
    expect(me.body).toMatchObject({ id: own.id, email, first_name: 'Ada' });
    expect((await login(email, PASSWORD)).status).toBe(200);
    expect((await login(email, STRANGERS)).status).toBe(401);
    // The other signup is over; its status tells the stranger nothing.
    expect(await verify(other.token)).toMatchObject(INVALID_TOKEN);
    expect(await pendingWith(email)).toEqual([]);
    expect([await statusOf(own.statusToken), await statusOf(other.statusToken)]).toEqual(['verified', 'pending']);
    expect(await usersWith(email)).toEqual([{ id: own.id, first_name: 'Ada' }]);
  });

  it('a stranger who signs up between the mail and the click, or with each spelling of the address, changes nothing', async () => {
    const own = await mailed({ first_name: 'Ada' });
    for (const email of [own.email, own.email.toUpperCase(), ` ${own.email}`]) {
      await gateway.signUp({ email, password: STRANGERS, first_name: 'Mallory' });
    }
    expect((await verify(own.token, { status_token: own.statusToken })).status).toBe(200);
    expect(await usersWith(own.email)).toEqual([{ id: own.id, first_name: 'Ada' }]);
    expect((await login(own.email, PASSWORD)).status).toBe(200);
    expect((await login(own.email, STRANGERS)).status).toBe(401);
  });

  it('a stranger whose mail comes first, and alone, does not get the owner’s click', async () => {
    const email = gateway.newEmail();
    const strangers = await mailed({ email, password: STRANGERS, first_name: 'Mallory' });
    const own = await gateway.signUp({ email, first_name: 'Ada' }); // within a minute
    await gateway.runJobs(); // its mail is deferred
    for (const proof of [
      {},
      { password: PASSWORD },
      { status_token: own.statusToken },
      { status_token: 'no.such.token' },
      { password: '' },
    ]) {
      expect(await verify(strangers.token, proof)).toMatchObject(AMBIGUOUS);
    }
    expect((await pendingWith(email)).map(({ id }) => id)).toEqual([strangers.id, own.id]);
    expect(await usersWith(email)).toEqual([]);
    await gateway.resetRateLimits();
    await hastenMail(own);
    const token = await gateway.mailToken(email, 1);
    expect(await verify(token)).toMatchObject(AMBIGUOUS);
    expect(await verify(token, { password: STRANGERS, status_token: strangers.statusToken })).toMatchObject(AMBIGUOUS);
    expect((await verify(token, { password: PASSWORD })).status).toBe(200);
    expect(await usersWith(email)).toEqual([{ id: own.id, first_name: 'Ada' }]);
    expect((await login(email, STRANGERS)).status).toBe(401);
  });

  it('the mail of a signup that came too soon waits for the limit, comes once, and not for one that is over', async () => {
    const email = gateway.newEmail();
    await mailed({ email, password: STRANGERS });
    const own = await gateway.signUp({ email });
    await hastenMail(own, { isLimited: true });
    await hastenMail(own, { isLimited: true });
    expect(gateway.smtp.mails.filter(({ to }) => to === email)).toHaveLength(1);
    await gateway.resetRateLimits();
    await Promise.all([resend(email, own.statusToken), hastenMail(own)]);
    expect((await verify(await gateway.mailToken(email, 1), { password: PASSWORD })).status).toBe(200);
    await gateway.waitForMails();
    expect(gateway.smtp.mails.filter(({ to }) => to === email)).toHaveLength(2);
  });

  it('each mail says when and from where its signup came, in words of ours, and goes to the address as it is compared', async () => {
    const email = gateway.newEmail();
    const strange = gateway
      .client()
      .withHeaders({ 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0 http://evil.example/' });
    await strange.post('/v1/auth/signup', { email: email.toUpperCase(), password: STRANGERS });
    const { to, text } = await gateway.smtp.waitForMail(email);
    expect(to).toBe(email);
    expect(text).toContain(`with Firefox on Linux from the network address ${strange.address}`);
    expect(text).toMatch(/sign-up was made on \d{1,2} \w+ \d{4} at \d\d:\d\d UTC/);
    expect(text).not.toContain('evil.example');
    expect(text).not.toContain('several sign-ups');
    await mailed({ email }, 1);
    expect((await gateway.smtp.waitForMail(email, 1)).text).toContain('several sign-ups with this address');
  });

  it('there is no account before, and nobody signs in, not by the right password either', async () => {
    const { email, id, token } = await mailed({});
    expect(await usersWith(email)).toEqual([]);
    expect(await login(email, PASSWORD)).toMatchObject(UNCONFIRMED);
    expect(await login(email, STRANGERS)).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    expect(await gateway.actingFor(id).get('/v1/auth/sessions')).toMatchObject({ status: 404 });
    expect((await verify(token)).status).toBe(200);
    expect((await usersWith(email)).map((user) => user.id)).toEqual([id]);
  });

  it('keeps at most ten signups of an address, the one that was mailed among them', async () => {
    const own = await mailed({});
    for (let at = 0; at < 12; at++) await gateway.signUp({ email: own.email, password: STRANGERS });
    const kept = await pendingWith(own.email);
    expect(kept).toHaveLength(10);
    expect(kept.map(({ id }) => id)).toContain(own.id);
    expect((await verify(own.token, { password: PASSWORD })).status).toBe(200);
  });

  it('keeps the one whose mail is on its way, however many come before the mail is sent', async () => {
    await gateway.resetRateLimits();
    const own = await gateway.signUp();
    for (let at = 0; at < 12; at++) await gateway.signUp({ email: own.email, password: STRANGERS });
    const token = await gateway.mailToken(own.email);
    expect((await verify(token, { status_token: own.statusToken })).status).toBe(200);
    expect((await login(own.email, PASSWORD)).status).toBe(200);
  });
});

describe('a link that is asked for again', () => {
  it('is that of the signup whose status token comes along, though a stranger signed up before and after', async () => {
    const email = gateway.newEmail();
    await mailed({ email, password: STRANGERS });
    const own = await mailed({ email }, 1);
    await mailed({ email, password: STRANGERS }, 2);
    await gateway.resetRateLimits();
    expect((await resend(email, own.statusToken)).status).toBe(200);
    const token = await gateway.mailToken(email, 3);
    expect(await verify(own.token)).toMatchObject(INVALID_TOKEN); // replaced by the token of a newer mail
    expect((await verify(token, { status_token: own.statusToken })).status).toBe(200);
    expect((await login(email, PASSWORD)).status).toBe(200);
  });

  it('is none where several wait and nobody says which: the mail tells how to go on', async () => {
    const email = gateway.newEmail();
    await mailed({ email });
    await mailed({ email, password: STRANGERS }, 1);
    for (const [at, token] of [undefined, 'no.such.token', '', null].entries()) {
      await gateway.resetRateLimits();
      expect((await resend(email, token)).status).toBe(200);
      const { subject, text } = await gateway.smtp.waitForMail(email, 2 + at);
      expect(subject).toBe('Which sign-up is yours?');
      expect(text).not.toContain('token=');
    }
  });

  it('is none where the status token is of another address', async () => {
    const [own, other] = [await mailed({}), await mailed({})];
    await gateway.resetRateLimits();
    await resend(own.email, other.statusToken);
    await gateway.waitForMails();
    expect(gateway.smtp.mails.filter(({ to }) => to === own.email || to === other.email)).toHaveLength(2);
  });

  it('comes for a signup that got no mail at first, since a stranger had just had one sent', async () => {
    const email = gateway.newEmail();
    await mailed({ email, password: STRANGERS });
    const own = await gateway.signUp({ email }); // the second mail within a minute
    await gateway.resetRateLimits();
    await resend(email, own.statusToken);
    expect((await verify(await gateway.mailToken(email, 1), { password: PASSWORD })).status).toBe(200);
    expect((await login(email, PASSWORD)).status).toBe(200);
  });
});

describe('a signup that waits', () => {
  it('keeps no trusted backend from registering the address, and is over with it', async () => {
    const { email, token, statusToken, id } = await mailed({ password: STRANGERS, first_name: 'Mallory' });
    const { status } = await register(email);
    expect(status).toBe(201);
    expect(await usersWith(email)).toEqual([{ id: expect.not.stringMatching(id) as string, first_name: null }]);
    expect(await verify(token)).toMatchObject(INVALID_TOKEN);
    expect((await login(email, STRANGERS)).status).toBe(401);
    expect((await login(email, PASSWORD)).status).toBe(200);
    expect(await pendingWith(email)).toEqual([]);
    expect(await statusOf(statusToken)).toBe('pending');
  });

  it('keeps no administrator from creating the user, is in no list, and can be given nothing', async () => {
    const { email, token, id } = await mailed({ password: STRANGERS });
    const admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
    expect((await admin.get<UserListResponse>(`/v1/users?search=${email}`)).body.items).toEqual([]);
    expect((await admin.patch(`/v1/users/${id}`, { role: 'admin' })).status).toBe(404);
    const created = await admin.post<UserDetailResponse>('/v1/users', { email, password: PASSWORD, role: 'admin' });
    expect(created).toMatchObject({ status: 201, body: { email, role: 'admin', email_verified: true } });
    expect(created.body.id).not.toBe(id);
    expect(await verify(token)).toMatchObject(INVALID_TOKEN);
    expect((await login(email, STRANGERS)).status).toBe(401);
  });

  it('says email-available, for it takes nothing', async () => {
    const { email } = await mailed({});
    expect((await gateway.client().get(`/v1/auth/email-available?email=${email}`)).body).toEqual({
      available: true,
      reason: null,
    });
  });
});

describe('50 times at once', () => {
  /** Stored signups of one address, with the tokens of their mails. */
  async function signups(count: number) {
    const email = gateway.newEmail();
    const made = [];
    for (let at = 0; at < count; at++) {
      const signup = await gateway.signUp({ email, password: `${PASSWORD} ${at}` });
      made.push({ ...signup, password: `${PASSWORD} ${at}`, token: await linkOf(signup) });
    }
    return { email, made };
  }
  /** Passwords with which a login succeeds. */
  async function goodPasswords(email: string, passwords: string[]): Promise<string[]> {
    const good = [];
    for (const password of passwords) {
      await gateway.service.query('DELETE FROM login_throttles');
      if ((await login(email, password)).status === 200) good.push(password);
    }
    return good;
  }

  it('links of two signups are used: one account, and the password of the link that won', async () => {
    for (let round = 0; round < 3; round++) {
      const { email, made } = await signups(2);
      const answers = await many((at) =>
        verify(made[at % 2]?.token as string, { status_token: made[at % 2]?.statusToken as string }),
      );
      const winner = answers.findIndex(({ status }) => status === 200);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const answer of answers.filter((_answer, at) => at !== winner)) expect(answer).toMatchObject(INVALID_TOKEN);
      const passwords = made.map(({ password }) => password);
      expect(await goodPasswords(email, passwords)).toEqual([made[winner % 2]?.password]);
      expect((await usersWith(email)).map(({ id }) => id)).toEqual([made[winner % 2]?.id]);
      expect(await pendingWith(email)).toEqual([]);
    }
  });

  it('somebody signs up while the owner confirms: the owner’s password stays, and no signup outlives it', async () => {
    const { email, made } = await signups(1);
    const [own] = made;
    const [, ...others] = await Promise.all([
      verify(own?.token as string, { status_token: own?.statusToken as string }),
      ...Array.from({ length: WIDTH }, () => gateway.client().post('/v1/auth/signup', { email, password: STRANGERS })),
    ]);
    for (const { status } of others) expect([201, 503]).toContain(status); // 503: too many hashes were waiting
    expect(await goodPasswords(email, [STRANGERS, own?.password as string])).toEqual([own?.password]);
    expect(await pendingWith(email)).toEqual([]);
    expect((await usersWith(email)).map(({ id }) => id)).toEqual([own?.id]);
  });

  it('a backend registers addresses that are confirmed, and signed up with, at that moment: one account each, by one password', async () => {
    const each = await Promise.all(Array.from({ length: 10 }, () => signups(1)));
    const answers = await many(async (at) => {
      const { email, made } = each[at % 10] as (typeof each)[0];
      const [signup] = made as [(typeof made)[0]];
      if (at < 10)
        return { email, kind: 'confirmed', ...(await verify(signup.token, { status_token: signup.statusToken })) };
      if (at < 20) return { email, kind: 'registered', ...(await register(email, 'registered horse battery')) };
      return {
        email,
        kind: 'signed up',
        ...(await gateway.client().post('/v1/auth/signup', { email, password: STRANGERS })),
      };
    });
    for (const { email, made } of each) {
      const won = answers.filter(({ email: of, kind, status }) => of === email && kind !== 'signed up' && status < 300);
      expect(won).toHaveLength(1);
      const passwords = { confirmed: made[0]?.password, registered: 'registered horse battery' };
      const good = await goodPasswords(email, [STRANGERS, ...(Object.values(passwords) as string[])]);
      expect(good).toEqual([passwords[won[0]?.kind as keyof typeof passwords]]);
      expect(await usersWith(email)).toHaveLength(1);
      expect(await pendingWith(email)).toEqual([]);
    }
  });
});
