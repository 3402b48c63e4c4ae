import type { AvailabilityResponse } from '@platform/contracts';
import { GatewayTest } from '../../testing/gateway-test.js';
import { expectNothingStored } from '../../testing/stored-rows.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start({ RATE_LIMIT_SCALE: '1' })));
afterAll(() => gateway.stop());

const nickname = (name: string) =>
  gateway.client().get<AvailabilityResponse>(`/v1/auth/nickname-available?nickname=${encodeURIComponent(name)}`);
const email = (address: string, service = gateway.service) =>
  service.client().get<AvailabilityResponse>(`/v1/auth/email-available?email=${encodeURIComponent(address)}`);

const AVAILABLE = { available: true, reason: null };
const refused = (reason: string) => ({ available: false, reason });

describe('a nickname', () => {
  it.each([
    ['ada', AVAILABLE],
    ['ada_lovelace-1815', AVAILABLE],
    ['a'.repeat(30), AVAILABLE],
    ['ad', refused('invalid')],
    ['a'.repeat(31), refused('invalid')],
    ['Ada', refused('invalid')],
    ['-ada', refused('invalid')],
    ['ada-', refused('invalid')],
    ['ada lovelace', refused('invalid')],
    ['\u0430da', refused('invalid')], // a Cyrillic letter that looks like a Latin one
    ['', refused('invalid')],
    ['admin', refused('reserved')],
    ['support', refused('reserved')],
  ])('%s', async (name, expected) => {
    expect(await nickname(name)).toMatchObject({ status: 200, body: expected });
  });

  it('is taken on the whole platform, and the database refuses a second', async () => {
    await gateway.user({ nickname: 'grace-hopper' });
    expect((await nickname('grace-hopper')).body).toEqual(refused('taken'));
    await expect(gateway.user({ nickname: 'grace-hopper' })).rejects.toThrow('users_nickname_key');
    await expect(gateway.user({ nickname: 'Grace' })).rejects.toThrow('users_nickname_check');
  });

  it('must be asked for', async () => {
    const { status, body } = await gateway.client().get('/v1/auth/nickname-available');
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'nickname'], type: 'missing' }] },
    });
  });
});

describe('an e-mail address', () => {
  it('is taken in its tenant, in whatever case', async () => {
    const user = await gateway.user();
    expect((await email(gateway.newEmail())).body).toEqual(AVAILABLE);
    expect((await email(user.email)).body).toEqual(refused('taken'));
    expect((await email(` ${user.email.toUpperCase()} `)).body).toEqual(refused('taken'));
    const other = `/v1/auth/email-available?tenant_id=other&email=${user.email}`;
    expect((await gateway.client().get(other)).body).toEqual(AVAILABLE);
    expect((await email('ada@@example.com')).body).toEqual(refused('invalid'));
    expect((await gateway.client().get('/v1/auth/email-available')).status).toBe(422);
  });

  it('is always available where the operator wants nobody to learn who has an account', async () => {
    const user = await gateway.user();
    const uniform = await gateway.startSecondProcess({ EMAIL_AVAILABLE_MODE: 'uniform' });
    expect((await email(user.email, uniform)).body).toEqual(AVAILABLE);
    expect((await email('nonsense', uniform)).body).toEqual(refused('invalid'));
    await uniform.stop();
  });

  it('may be asked for ten times a minute from one client address, and the limit tells nothing about accounts', async () => {
    const client = gateway.client();
    const known = `/v1/auth/email-available?email=${(await gateway.user()).email}`;
    const ask = (at: number) => client.get(at % 2 ? known : `/v1/auth/email-available?email=${gateway.newEmail()}`);
    await expectNothingStored(gateway.service, async () => {
      for (let at = 0; at < 10; at++) expect((await ask(at)).status).toBe(200);
      const limited = await ask(10);
      expect(limited).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect([...limited.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([
        'ratelimit',
        'ratelimit-policy',
      ]);
      expect(limited.headers.get('ratelimit-policy')).toContain('-ip"');
      // No limit counts the requests of many IP addresses for one email address.
      const others = await Promise.all(Array.from({ length: 50 }, () => gateway.client().get(known)));
      expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
    });
  });
});
