import { challengeOf } from '@platform/client/pkce';
import type {
  CliCodeResponse,
  DeviceAuthorizeResponse,
  KeyResponse,
  SignupResponse,
  TokenResponse,
} from '@platform/contracts';
import { TEST_SERVICE_TOKEN, type TestClient, type TestResponse } from '@platform/testing';
import { decodeJwt } from 'jose';
import { GatewayTest, PASSWORD } from '../testing/gateway-test.js';
import { expectNothingStored } from '../testing/stored-rows.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start()));
afterAll(() => gateway.stop());

const code_verifier = 'v'.repeat(64);
const code_challenge = challengeOf(code_verifier);

/** A valid proof of each kind that the gateway issues. */
async function proofs(): Promise<Record<string, string>> {
  const user = await gateway.user();
  const pair = await gateway.login(user);
  const backend = gateway.actingFor(user.id);
  const email = gateway.newEmail();
  const signup = await gateway.client().post<SignupResponse>('/v1/auth/signup', { email, password: PASSWORD });
  await gateway.client().post('/v1/auth/forgot-password', { email: user.email });
  const cli = await backend.post<CliCodeResponse>('/v1/auth/cli/codes', {
    code_challenge,
    code_challenge_method: 'S256',
  });
  const device = await gateway
    .client()
    .post<DeviceAuthorizeResponse>('/v1/auth/cli/device/authorize', { code_challenge });
  const key = await gateway.client().withToken(pair.access_token).post<KeyResponse>('/v1/keys', { name: 'deploy' });
  return {
    'an access token': pair.access_token,
    'a refresh token': pair.refresh_token,
    'the token of a confirmation mail': await gateway.mailToken(email),
    'the token of a reset mail': await gateway.mailToken(user.email),
    'the status token of a signup': signup.body.status_token,
    'a one-time code': cli.body.code,
    'a device code': device.body.device_code,
    'a user code': device.body.user_code,
    'an API key': key.body.key,
    'a service token': TEST_SERVICE_TOKEN,
    'a session id': decodeJwt(pair.access_token)['sid'] as string,
    'a user id': user.id,
    'a code verifier': code_verifier,
    'a password': PASSWORD,
  };
}

const post = (path: string, body: object) => gateway.client().post(path, body);

type Use = (proof: string, panel: TestClient) => Promise<TestResponse<unknown>>;

/**
 * Each place that takes a proof, with the accepted kinds. Places that use the proof up come last.
 */
const USES: [string, string[], Use][] = [
  [
    'the Authorization header',
    ['an access token', 'an API key'],
    (proof) => gateway.client().withToken(proof).get('/v1/auth/me'),
  ],
  ['x-api-key', ['an API key'], (proof) => gateway.client().withHeaders({ 'x-api-key': proof }).get('/v1/auth/me')],
  [
    'X-Service-Token',
    ['a service token'],
    (proof) => gateway.client().withHeaders({ 'X-Service-Token': proof }).get('/v1/auth/sessions/x/valid'),
  ],
  ['the panel', ['a user code'], (user_code, panel) => panel.post('/v1/auth/cli/device/lookup', { user_code })],
  [
    'the exchange of a one-time code',
    ['a one-time code'],
    (code) => post('/v1/auth/cli/token', { code, code_verifier }),
  ],
  [
    'the poll of a device',
    ['a device code'],
    (device_code) => post('/v1/auth/cli/device/token', { device_code, code_verifier }),
  ],
  ['a refresh', ['a refresh token'], (refresh_token) => post('/v1/auth/refresh', { refresh_token })],
  ['a confirmation', ['the token of a confirmation mail'], (token) => post('/v1/auth/verify-email', { token })],
  [
    'a reset',
    ['the token of a reset mail'],
    (token) => post('/v1/auth/reset-password', { token, new_password: 'another horse' }),
  ],
];

it('whatever proves one thing proves nothing else, however it is presented', async () => {
  const all = await proofs();
  const actor = await gateway.user();
  await expectNothingStored(gateway.service, async () => {
    for (const [name, right, use] of USES) {
      for (const [what, proof] of Object.entries(all)) {
        if (right.includes(what)) continue;
        await gateway.resetRateLimits(); // wrong user codes have a small quota
        const { status, body } = await use(proof, gateway.actingFor(actor.id));
        expect([name, what, [400, 401, 404, 422].includes(status)]).toEqual([name, what, true]);
        expect(JSON.stringify(body)).not.toContain(proof);
      }
    }
    for (const [what, proof] of Object.entries(all)) {
      if (what !== 'a refresh token')
        expect((await post('/v1/auth/logout', { refresh_token: proof })).status).toBe(200);
      if (what === 'the status token of a signup') continue;
      const { body } = await gateway.client().get(`/v1/auth/signup-status?token=${encodeURIComponent(proof)}`);
      expect(body).toEqual({ status: 'unknown', email_masked: null });
    }
  });
  for (const [name, right, use] of USES) {
    for (const what of right) {
      const { status } = await use(all[what] as string, gateway.actingFor(actor.id));
      expect([name, what, status]).toEqual([name, what, what === 'a service token' ? 404 : 200]); // the session does not exist
    }
  }
});

describe('two identities in one request', () => {
  let ada: TokenResponse;
  let eve: TokenResponse;
  let key: string;
  beforeAll(async () => {
    ada = await gateway.login(await gateway.user());
    eve = await gateway.login(await gateway.user());
    key = (await as(ada).post<KeyResponse>('/v1/keys', { name: 'deploy' })).body.key;
  });
  const as = ({ access_token }: TokenResponse): TestClient => gateway.client().withToken(access_token);

  it('are never mixed: they are refused, or one of them counts alone', async () => {
    const { sid } = decodeJwt(ada.access_token) as { sid: string };
    const attempts: [number, Record<string, string>][] = [
      [401, { Authorization: `Bearer ${ada.access_token}, Bearer ${eve.access_token}` }],
      [401, { Authorization: `Bearer ${ada.access_token} ${eve.access_token}` }],
      [401, { Authorization: `Bearer Bearer ${ada.access_token}` }],
      [401, { Authorization: `Bearer\t${ada.access_token}` }],
      [401, { Authorization: `Basic ${ada.access_token}` }],
      [400, { Authorization: `Bearer ${eve.access_token}`, 'x-api-key': key }],
      [
        403,
        { Authorization: `Bearer ${eve.access_token}`, 'X-Acting-User': decodeJwt(ada.access_token).sub as string },
      ],
      [401, { Authorization: `Bearer ${eve.access_token}`, 'X-Acting-User': 'x', 'X-Service-Token': 'wrong' }],
      [422, { Authorization: `Bearer ${eve.access_token}` }],
      [422, { Authorization: `Bearer ${eve.access_token}`, Cookie: `access_token=${ada.access_token}` }],
    ];
    await expectNothingStored(gateway.service, async () => {
      for (const [expected, headers] of attempts) {
        const { status, body } = await gateway
          .client()
          .post(`/v1/auth/sessions/${sid}/revoke?access_token=${ada.access_token}`, {}, { headers });
        expect([headers, status]).toEqual([headers, expected]);
        expect(Object.keys(body as object)).toEqual(['detail', 'code', 'request_id']);
      }
    });
    expect((await as(ada).get('/v1/auth/me')).status).toBe(200);
  });
});
