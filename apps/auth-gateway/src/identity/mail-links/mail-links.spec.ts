import type { SignupStatusResponse } from '@platform/contracts';
import type { TestService } from '@platform/testing';
import { randomBytes } from 'node:crypto';
import { GatewayTest, PASSWORD, type TestUser } from '../../testing/gateway-test.js';

let gateway: GatewayTest;
/**
 * Two processes with other keys: in the first, the key of the links is behind a newer one; in the
 * second it was dropped.
 */
let renewed: TestService;
let dropped: TestService;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  const newer = `k2:${randomBytes(32).toString('base64')}`;
  renewed = await gateway.startSecondProcess({ SECRET_KEYS: `${newer},${gateway.service.env['SECRET_KEYS']}` });
  dropped = await gateway.startSecondProcess({ SECRET_KEYS: newer });
});
afterAll(async () => {
  await renewed.stop();
  await dropped.stop();
  await gateway.stop();
});

const NEW_PASSWORD = 'another horse battery';
const REFUSED = {
  status: 400,
  body: {
    code: 'invalid_or_expired_token',
    detail: 'This link is no longer valid: it was used, has expired or was cancelled. Ask for a new one.',
  },
};
type Use = (service: TestService, token: string) => Promise<{ status: number; body: unknown }>;

const verify: Use = (service, token) => service.client().post('/v1/auth/verify-email', { token });
const reset: Use = (service, token) =>
  service.client().post('/v1/auth/reset-password', { token, new_password: NEW_PASSWORD });
const askForReset = async (user: TestUser) => {
  await gateway.client().post('/v1/auth/forgot-password', { email: user.email });
  return gateway.mailToken(user.email);
};
const LINKS: [string, Use, () => Promise<string>][] = [
  ['of a signup', verify, async () => gateway.mailToken((await gateway.signUp()).email)],
  ['for a new password', reset, async () => askForReset(await gateway.user())],
];

describe.each(LINKS)('a link %s', (_what, use, make) => {
  it('of an older secret key works while that key is there', async () => {
    expect((await use(renewed, await make())).status).toBe(200);
  });

  it('of a secret key that was dropped is refused, used up it is not, and the log says why', async () => {
    const token = await make();
    const told = () => dropped.logLines.filter((line) => line.includes('its key is no longer in SECRET_KEYS')).length;
    const before = told();
    expect(await use(dropped, token)).toMatchObject(REFUSED);
    expect(told()).toBe(before + 1);
    expect((await use(gateway.service, token)).status).toBe(200);
  });
});

it('a link is nobody’s who writes its hash into the database', async () => {
  const { id } = await gateway.signUp();
  const user = await gateway.user();
  await gateway.service.query(
    "UPDATE pending_credentials SET mail_id = 'job_x', token_hash = sha256('chosen'), link_expires_at = now() + interval '1 hour' WHERE id = $1",
    [id],
  );
  await gateway.service.query(
    "INSERT INTO mail_tokens (id, user_id, purpose, hash, expires_at) VALUES ('job_y', $1, 'reset_password', sha256('chosen'), now() + interval '1 hour')",
    [user.id],
  );
  for (const use of [verify, reset]) expect(await use(gateway.service, 'chosen')).toMatchObject(REFUSED);
  expect((await gateway.client().post('/v1/auth/login', { email: user.email, password: PASSWORD })).status).toBe(200);
});

describe('the status token of a signup', () => {
  const statusOf = async (service: TestService, token: string) =>
    (await service.client().get<SignupStatusResponse>(`/v1/auth/signup-status?token=${token}`)).body.status;

  it('of an older secret key tells the status, and proves whose the link is; of a dropped one it does neither', async () => {
    const first = await gateway.signUp();
    await gateway.mailToken(first.email);
    await gateway.resetRateLimits();
    const own = await gateway.signUp({ email: first.email });
    const token = await gateway.mailToken(own.email, 1);
    expect(await statusOf(dropped, own.statusToken)).toBe('unknown');
    expect(await statusOf(renewed, own.statusToken)).toBe('pending');
    const confirm = (status_token: string) => renewed.client().post('/v1/auth/verify-email', { token, status_token });
    expect(await confirm(first.statusToken)).toMatchObject({ status: 409, body: { code: 'signup.ambiguous' } });
    expect((await confirm(own.statusToken)).status).toBe(200);
    expect(await statusOf(renewed, own.statusToken)).toBe('verified');
  });
});
