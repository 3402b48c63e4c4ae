import type { SignupResponse } from '@platform/contracts';
import { GatewayTest, PASSWORD } from '../../testing/gateway-test.js';
import { expectNothingStored } from '../../testing/stored-rows.js';

let gateway: GatewayTest;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  await gateway.service.query("INSERT INTO tenants (id, name) VALUES ('acme', 'Acme')");
  await gateway.service.query(
    "INSERT INTO roles (id, tenant_id, name, display_name) VALUES ('rol_a', 'acme', 'user', 'User')",
  );
});
afterAll(() => gateway.stop());

const signup = (request: Record<string, unknown>) =>
  gateway
    .client()
    .post<SignupResponse>('/v1/auth/signup', { email: gateway.newEmail(), password: PASSWORD, ...request });
const login = (email: string, password: string) => gateway.client().post('/v1/auth/login', { email, password });
const usersLike = (pattern: string) =>
  gateway.service.query<{ id: string; email_canonical: string }>(
    'SELECT id, email_canonical FROM users WHERE email_canonical LIKE $1',
    [pattern],
  );
/** Pending signups that got a mail. */
const pendingLike = (pattern: string) =>
  gateway.service.query<{ id: string; email: string }>(
    'SELECT id, email FROM pending_credentials WHERE email LIKE $1 AND mail_id IS NOT NULL',
    [pattern],
  );
const refusal = (key: string, type: string) => ({ status: 422, body: { detail: [{ loc: ['body', key], type }] } });

/** Signs up and confirms the address, so that only the password decides about a login. */
async function confirmed(password: string): Promise<string> {
  const email = gateway.newEmail();
  expect((await signup({ email, password })).status).toBe(201);
  expect((await gateway.client().post('/v1/auth/verify-email', { token: await gateway.mailToken(email) })).status).toBe(
    200,
  );
  return email;
}

describe('an address in other letters', () => {
  it('is the same account, for signing in and for signing up', async () => {
    const local = gateway.newEmail().split('@')[0] as string;
    const { id } = await gateway.user({
      email: `User${local}@X-${local}.io`,
      email_canonical: `user${local}@x-${local}.io`,
    });
    const spellings = [
      `uSER${local}@x-${local}.IO`,
      ` user${local}@x-${local}.io`,
      `user${local}@x-${local}.io\t`,
      `USER${local}@X-${local}.IO`,
    ];
    for (const email of spellings) {
      expect((await login(email, PASSWORD)).status).toBe(200);
      expect((await signup({ email })).status).toBe(201);
      expect(await usersLike(`user${local}%`)).toEqual([{ id, email_canonical: `user${local}@x-${local}.io` }]);
    }
  });

  it('is one account of 50 that sign up at once', async () => {
    const email = gateway.newEmail();
    const spell = (at: number) =>
      [email, email.toUpperCase(), ` ${email}`, `${email} `, email.replace('example', 'eXAMPLE')][at % 5];
    const answers = await Promise.all(Array.from({ length: 50 }, (_value, at) => signup({ email: spell(at) })));
    for (const { status, body } of answers) {
      expect(status).toBe(201);
      expect(Object.keys(body)).toEqual(['message', 'user_id', 'status_token']);
    }
    const token = await gateway.mailToken(email);
    const signups = await pendingLike(email);
    expect(signups).toHaveLength(1);
    expect(answers.filter(({ body }) => body.user_id === signups[0]?.id)).toHaveLength(1);
    const proof = { token, password: PASSWORD };
    expect((await gateway.client().post('/v1/auth/verify-email', proof)).status).toBe(200);
    expect(await usersLike(email)).toHaveLength(1);
  });

  it('is the same account composed and decomposed', async () => {
    const local = gateway.newEmail().split('@')[0] as string;
    await Promise.all(
      ['Jos\u00e9', 'Jose\u0301', 'JOS\u00c9'].map((name) => signup({ email: `${name}${local}@example.com` })),
    );
    const [{ id } = { id: '' }, ...others] = await gateway.service.query<{ id: string }>(
      'SELECT DISTINCT email AS id FROM pending_credentials WHERE email LIKE $1',
      [`%${local}@%`],
    );
    expect([id, others]).toEqual([`jos\u00e9${local}@example.com`, []]);
    // Otherwise deferred mails would be sent while another test compares stored rows.
    await gateway.service.query('DELETE FROM pending_credentials WHERE email = $1', [id]);
  });
});

describe('an address that is not one plain address', () => {
  it.each([
    'a@example.com\r\nBcc: v@example.org',
    'a@example.com\nTo: v@example.org',
    'a\r\n@example.com',
    '"a\r\nBcc: v@example.org"@example.com',
    '"a b"@example.com',
    '"v@example.org x"@example.com',
    '"a"@example.com',
    'a@example.com,b@example.org',
    'a@example.com;b@example.org',
    'a@example.com b@example.org',
    '<a@example.com>',
    'A <a@example.com>',
    'a@b@example.com',
    'a@example.com>',
    'a(comment)@example.com',
    'a@[127.0.0.1]',
    'a@localhost',
    'a@example',
    'a@.example.com',
    'a@exa mple.com',
    'a..b@example.com',
    '@example.com',
    'a@',
    'a',
    '',
    'a\u200b@example.com',
    'a\u202e@example.com',
    'a\u2028b@example.com',
    'a@exa\u00admple.com',
    '\u212aa@example.com',
    '\uff41@example.com',
    '\u0430da@example.com',
    '\u0430\u0440\u0440\u04cf\u0435@example.com',
    'a@ex\uff41mple.com',
    'a@example\u3002com',
    'a@xn--a.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `${'a'.repeat(60)}@${'b.'.repeat(100)}com`,
  ])('is refused by every route, and nobody gets a mail: %j', async (email) => {
    let mails = 0;
    await expectNothingStored(gateway.service, async () => {
      mails = gateway.smtp.mails.length;
      expect(await signup({ email })).toMatchObject(refusal('email', 'value_error'));
      for (const path of ['/v1/auth/forgot-password', '/v1/auth/resend-verification']) {
        expect(await gateway.client().post(path, { email })).toMatchObject(refusal('email', 'value_error'));
      }
      const password = PASSWORD;
      expect(await gateway.client().post('/v1/auth/login', { email, password })).toMatchObject(
        refusal('email', 'value_error'),
      );
      expect(await gateway.backend().post('/v1/auth/register', { email, password })).toMatchObject(
        refusal('email', 'value_error'),
      );
    });
    expect(gateway.smtp.mails).toHaveLength(mails);
  });

  it.each([[['a@example.com']], [['a@example.com', 'b@example.org']], [{ $gt: '' }], [7], [true], [null]])(
    'is refused where it is no text: %j',
    async (email) => {
      await expectNothingStored(gateway.service, async () =>
        expect(await signup({ email })).toMatchObject(refusal('email', 'string_type')),
      );
    },
  );

  it('gets its mail alone when it is one', async () => {
    const local = gateway.newEmail().split('@')[0] as string;
    const email = `o'${local}+a=b/c{d}!#$%&*?^_\`|~-@example.com`;
    expect((await signup({ email })).status).toBe(201);
    expect((await gateway.smtp.waitForMail(email)).to).toBe(email);
  });
});

describe('a name that would say more in the mail than a name', () => {
  it.each(['Ada\nClick http://evil.example/', 'Ada\r\nBcc: v@example.org', 'Ada\u2028x', 'Ada\u0085x', 'Ada\u001b[2J'])(
    'is refused: %j',
    async (name) => {
      await expectNothingStored(gateway.service, async () => {
        expect(await signup({ first_name: name })).toMatchObject(refusal('first_name', 'value_error'));
        expect(await signup({ last_name: name })).toMatchObject(refusal('last_name', 'value_error'));
      });
    },
  );

  it.each([
    'http://evil.example click',
    'Ada www.evil.example',
    'evil.example/win',
    'ev\u00adil.example',
    'evil\u3002example',
    'a@evil.example',
  ])('is refused by every route where a mail program could make a link of it: %j', async (name) => {
    const admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
    await expectNothingStored(gateway.service, async () => {
      for (const key of ['first_name', 'last_name']) {
        expect(await signup({ [key]: name })).toMatchObject(refusal(key, 'value_error'));
        const created = await admin.post('/v1/users', { email: gateway.newEmail(), password: PASSWORD, [key]: name });
        expect(created).toMatchObject(refusal(key, 'value_error'));
      }
    });
  });

  it('is a text and not markup', async () => {
    const email = gateway.newEmail();
    await signup({ email, first_name: '"Ada" & {{constructor}}', last_name: '{{constructor}}' });
    const { html, text, subject } = await gateway.smtp.waitForMail(email);
    expect(text).toContain('Hello "Ada" & {{constructor}},');
    expect(html).toContain('Hello &quot;Ada&quot; &amp; {{constructor}},');
    expect(`${subject}${text}${html}`).not.toContain('[native code]');
  });

  it.each(['<a href="http://evil.example">Ada</a>', 'http://evil.example', 'Ada evil.example'])(
    'is left out of the mails where it is stored all the same: %j',
    async (first_name) => {
      const user = await gateway.user({ first_name });
      await gateway.client().post('/v1/auth/forgot-password', { email: user.email });
      const { text, html } = await gateway.smtp.waitForMail(user.email);
      expect(text).toMatch(/^Hello,$/m);
      expect(`${text}${html}`).not.toContain('evil');
    },
  );
});

describe('an address that looks like another one', () => {
  it('by a Kelvin sign leads to nobody’s account: it is refused, and its owner hears nothing', async () => {
    const local = gateway.newEmail().split('@')[0] as string;
    const owner = await gateway.user({ email: `kelvin.${local}@example.com` });
    const alike = `\u212aelvin.${local}@example.com`;
    await expectNothingStored(gateway.service, async () => {
      for (const path of ['/v1/auth/signup', '/v1/auth/login', '/v1/auth/register']) {
        const client = path.endsWith('register') ? gateway.backend() : gateway.client();
        expect(await client.post(path, { email: alike, password: PASSWORD })).toMatchObject(
          refusal('email', 'value_error'),
        );
      }
      const available = await gateway.client().get(`/v1/auth/email-available?email=${encodeURIComponent(alike)}`);
      expect(available.body).toEqual({ available: false, reason: 'invalid' });
    });
    expect(gateway.smtp.mails.filter(({ to }) => to === owner.email)).toEqual([]);
  });

  it('by its domain alone is the same in every spelling of the domain, and is mailed as DNS knows it', async () => {
    const local = gateway.newEmail().split('@')[0] as string;
    const email = `${local}@xn--bcher-kva.example`;
    await signup({ email: `${local}@B\u00fccher.example` });
    const received = `${local}@b\u00fccher.example`;
    expect((await gateway.smtp.waitForMail(received)).writtenTo).toBe(email);
    expect(
      (await gateway.client().post('/v1/auth/verify-email', { token: await gateway.mailToken(received) })).status,
    ).toBe(200);
    for (const spelling of [
      email,
      `${local}@b\u00fccher.example`,
      `${local}@bu\u0308cher.example`,
      `${local.toUpperCase()}@XN--BCHER-KVA.EXAMPLE`,
    ]) {
      expect((await login(spelling, PASSWORD)).status).toBe(200);
    }
    expect(await usersLike(`${local}@%`)).toMatchObject([{ email_canonical: email }]);
  });

  it('has its mails sent to the stored one, never to the one that was typed', async () => {
    const local = gateway.newEmail().split('@')[0] as string;
    const stored = `Stored.${local}@example.com`;
    await gateway.user({ email: stored, email_canonical: stored.toLowerCase() });
    await gateway.client().post('/v1/auth/forgot-password', { email: stored.toUpperCase() });
    expect((await gateway.smtp.waitForMail(stored)).to).toBe(stored);
    expect(gateway.smtp.mails.filter(({ to }) => to !== stored && to.toLowerCase() === stored.toLowerCase())).toEqual(
      [],
    );
  });

  it('is one account of 50 that are registered at once in every spelling', async () => {
    const local = gateway.newEmail().split('@')[0] as string;
    const spellings = [
      `${local}@b\u00fccher.example`,
      `${local}@xn--bcher-kva.example`,
      `${local.toUpperCase()}@B\u00dcCHER.example`,
    ];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_value, at) =>
        gateway.backend().post('/v1/auth/register', { email: spellings[at % 3], password: PASSWORD }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status } of answers) expect([201, 409, 503]).toContain(status); // 503: too many hashes were waiting
    expect(await usersLike(`${local}@%`)).toHaveLength(1);
  });
});

describe('a password', () => {
  it.each<[string, string]>([
    ['64 symbols outside of the basic plane', '\u{1f511}'.repeat(64)],
    ['128 of them, 512 bytes', '\u{1f511}\u{1f9ea}'.repeat(64)],
    ['spaces at both ends', '  spaces count too  '],
    ['control characters', 'a\u0001b\u001fc\u007fd\te\nf'],
    ['a byte order mark and joiners', '\ufeffab\u200dcd\u200bef'],
    ['right to left', '\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd'],
  ])('comes back exactly as it was set: %s', async (_what, password) => {
    const email = await confirmed(password);
    expect((await login(email, password)).status).toBe(200);
    const shortened = Array.from(password).slice(0, -1).join('');
    for (const other of [`${shortened}x`, shortened, password.trim(), password.replace(/\p{C}/gu, '')]) {
      if (other !== password)
        expect(await login(email, other)).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    }
  });

  it('counts to its last character, beyond the 72 bytes where bcrypt would stop', async () => {
    const start = 'correct horse battery staple '.repeat(3).slice(0, 72);
    const email = await confirmed(`${start} one`);
    expect((await login(email, `${start} two`)).status).toBe(401);
    expect((await login(email, start)).status).toBe(401);
    expect((await login(email, `${start} one`)).status).toBe(200);
  });

  it('is the same composed and decomposed', async () => {
    const email = await confirmed('caf\u00e9 cr\u00e8me');
    expect((await login(email, 'cafe\u0301 cre\u0300me')).status).toBe(200);
    expect((await login(email, 'cafe creme')).status).toBe(401);
  });

  it.each<[string, unknown, string]>([
    ['129 characters', 'x'.repeat(129), 'string_too_long'],
    ['129 symbols', '\u{1f511}'.repeat(129), 'string_too_long'],
    ['7 symbols', '\u{1f511}'.repeat(7), 'string_too_short'],
    ['a NUL character', 'long enough \0 for all', 'value_error'],
    ['a lone surrogate', 'long enough \ud83d for all', 'value_error'],
    ['60 000 characters', 'x'.repeat(60_000), 'string_too_long'],
    ['a list of characters', ['correct', 'horse'], 'string_type'],
  ])('is refused: %s', async (_what, password, type) => {
    await expectNothingStored(gateway.service, async () => {
      expect(await signup({ password })).toMatchObject(refusal('password', type));
      expect(await gateway.backend().post('/v1/auth/register', { email: gateway.newEmail(), password })).toMatchObject(
        refusal('password', type),
      );
    });
  });

  it('of 1 MB is not even read', async () => {
    await expectNothingStored(gateway.service, async () => {
      const password = 'x'.repeat(1_000_000);
      expect(await signup({ password })).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
      expect(await login(gateway.newEmail(), password)).toMatchObject({
        status: 413,
        body: { code: 'payload_too_large' },
      });
    });
  });

  it.each<[string, string, Record<string, unknown>]>([
    ['a common one', 'password1', {}],
    ['a common one in capitals', 'PASSWORD1', {}],
    ['a common one in full-width letters', '\uff50assword1', {}],
    ['the address', 'grace.hopper@example.com', { email: 'grace.hopper@example.com' }],
    ['the address in capitals', 'GRACE.HOPPER@EXAMPLE.COM', { email: 'grace.hopper@example.com' }],
    ['the tenant', 'acme-acme', { tenant_id: 'acme' }],
    ['the name', 'Grace Hopper', { first_name: 'Grace', last_name: 'Hopper' }],
  ])('that anybody would guess is refused: %s', async (_what, password, request) => {
    await expectNothingStored(gateway.service, async () =>
      expect(await signup({ password, ...request })).toMatchObject(refusal('password', 'password_common')),
    );
  });
});

describe('a signup that asks for more', () => {
  const MORE = {
    role: 'admin',
    scopes: ['*'],
    is_active: true,
    email_verified: true,
    email_verified_at: '2020-01-01T00:00:00Z',
  };
  const OTHER = {
    id: 'usr_x',
    platform_id: 'usr_x',
    password_hash: 'x',
    org_id: 'x',
    attributes: {},
    __proto__x: { role: 'admin' },
  };

  it.each(Object.entries({ ...MORE, ...OTHER, user: { role: 'admin' }, 'user.role': 'admin', 'user[role]': 'admin' }))(
    'is refused, whoever sends it: %s',
    async (key, value) => {
      await expectNothingStored(gateway.service, async () => {
        const email = gateway.newEmail();
        const answers = [
          await signup({ email, [key]: value }),
          await gateway.backend().post('/v1/auth/register', { email, password: PASSWORD, [key]: value }),
        ];
        for (const answer of answers) expect(answer).toMatchObject(refusal(key, 'extra_forbidden'));
      });
    },
  );

  it.each(['__proto__', 'constructor'])('is refused with the key %s', async (key) => {
    await expectNothingStored(gateway.service, async () => {
      const raw = `{"email":"${gateway.newEmail()}","password":"${PASSWORD}","${key}":{"role":"admin"}}`;
      const answer = await gateway.client().post('/v1/auth/signup', undefined, { raw });
      expect(answer).toMatchObject(refusal(key, 'extra_forbidden'));
    });
  });
});
