import { challengeOf } from '@platform/client/pkce';
import type {
  CliCodeResponse,
  DeviceAuthorizeResponse,
  KeyResponse,
  SignupResponse,
  TokenResponse,
} from '@platform/contracts';
import {
  listDocumentedRoutes,
  EventStreamClient,
  fillPath,
  TEST_SERVICE_TOKEN,
  type TestClient,
  type TestService,
} from '@platform/testing';
import { decodeJwt } from 'jose';
import { createHash, randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { GatewayTest } from '../testing/gateway-test.js';
import { storedRows } from '../testing/stored-rows.js';

let gateway: GatewayTest;
let beside: TestService;
const secrets = new Map<string, string>();
/** Complete credentials; only their secret parts are in `secrets`. */
const credentials: string[] = [];
const dumps: string[] = [];

function keep(what: string, secret: string): string {
  secrets.set(`${what} #${secrets.size}`, secret);
  return secret;
}
const random = () => randomBytes(18).toString('base64url');
const newPassword = () => keep('password', `pass phrase ${random()}`);
function keepPair({ access_token, refresh_token }: TokenResponse): TokenResponse {
  // Only the signature is secret.
  keep('access token', access_token.split('.')[2] as string);
  keep('refresh token', refresh_token);
  credentials.push(access_token);
  return { access_token, refresh_token, token_type: 'bearer', expires_in: 900 };
}
/** Keeps the content of the database at this moment, before the newest secrets are used up. */
const dump = async () => dumps.push(JSON.stringify(await storedRows(gateway.service)));

beforeAll(async () => {
  gateway = await GatewayTest.start();
  beside = await gateway.startSecondProcess();
  keep('service token', TEST_SERVICE_TOKEN);
  keep('secret key', (gateway.service.env['SECRET_KEYS'] as string).split(':')[1] as string);
  await everyRoute();
  await everyMistake();
  await withoutTables();
  await withoutDatabase();
}, 180_000);
afterAll(async () => {
  await beside.stop();
  await gateway.stop();
});

const cookie = keep('cookie', `session=${random()}`);
const client = (): TestClient => gateway.client().withHeaders({ Cookie: cookie, 'User-Agent': 'secrets.spec' });

/** Calls every route as an ordinary user would. */
async function everyRoute(): Promise<void> {
  const email = gateway.newEmail();
  const first = newPassword();
  await client().get('/v1/auth/.well-known/jwks.json');
  await client().get(`/v1/auth/email-available?email=${email}`);
  await client().get('/v1/auth/nickname-available?nickname=ada');
  const { body: signup } = await client().post<SignupResponse>('/v1/auth/signup', { email, password: first });
  keep('status token', signup.status_token);
  await client().get(`/v1/auth/signup-status?token=${signup.status_token}`);
  keep('mail token', await gateway.mailToken(email));
  await gateway.resetRateLimits();
  await client().post('/v1/auth/resend-verification', { email });
  const confirmation = keep('mail token', await gateway.mailToken(email, 1));
  await dump();
  keepPair((await client().post<TokenResponse>('/v1/auth/verify-email', { token: confirmation })).body);

  await gateway.resetRateLimits();
  await client().post('/v1/auth/forgot-password', { email });
  const resetting = keep('mail token', await gateway.mailToken(email, 2));
  await dump();
  const second = newPassword();
  await client().post('/v1/auth/reset-password', { token: resetting, new_password: second });

  const pair = keepPair((await client().post<TokenResponse>('/v1/auth/login', { email, password: second })).body);
  const signedIn = client().withToken(pair.access_token);
  const { sid, sub } = decodeJwt(pair.access_token) as { sid: string; sub: string };
  await signedIn.get('/v1/auth/me');
  const third = newPassword();
  await signedIn.post('/v1/auth/me/change-password', { current_password: second, new_password: third });
  const { body: key } = await signedIn.post<KeyResponse>('/v1/keys', { name: 'deploy' });
  keep('API key', key.key.split('_')[3] as string);
  credentials.push(key.key);
  await client().withHeaders({ 'x-api-key': key.key }).get('/v1/auth/me');
  await client().withToken(key.key).get('/v1/auth/me');
  await signedIn.get('/v1/keys');

  const panel = gateway.actingFor(sub).withHeaders({ Cookie: cookie });
  const code_verifier = keep('code verifier', random() + random());
  const challenge = { code_challenge: challengeOf(code_verifier), code_challenge_method: 'S256' };
  const { body: code } = await panel.post<CliCodeResponse>('/v1/auth/cli/codes', challenge);
  keep('one-time code', code.code);
  const { body: device } = await client().post<DeviceAuthorizeResponse>('/v1/auth/cli/device/authorize', challenge);
  keep('device code', device.device_code);
  keep('user code', device.user_code);
  keep('user code', device.user_code.replace('-', ''));
  await dump();
  keepPair((await client().post<TokenResponse>('/v1/auth/cli/token', { code: code.code, code_verifier })).body);
  const poll = () =>
    client().post<TokenResponse>('/v1/auth/cli/device/token', { device_code: device.device_code, code_verifier });
  await poll();
  await panel.post('/v1/auth/cli/device/lookup', { user_code: device.user_code });
  await panel.post('/v1/auth/cli/device/approve', { user_code: device.user_code });
  await dump();
  keepPair((await poll()).body);

  const { body: registered } = await panel.post<{ session_id: string }>('/v1/auth/sessions/register', {
    surface: 'web',
  });
  await panel.get(`/v1/auth/sessions/${registered.session_id}/valid`);
  await signedIn.get('/v1/auth/sessions');
  await signedIn.post(`/v1/auth/sessions/${registered.session_id}/revoke`);
  await signedIn.post('/v1/auth/sessions/revoke-others');
  const { body: next } = await client().post<TokenResponse>('/v1/auth/refresh', { refresh_token: pair.refresh_token });
  keepPair(next);
  await gateway.service.query("UPDATE sessions SET recent_rotations = ARRAY[now() - interval '1 hour'] WHERE id = $1", [
    sid,
  ]);
  await dump();
  await client().post('/v1/auth/refresh', { refresh_token: pair.refresh_token }); // reuse, which is logged
  await signedIn.delete(`/v1/keys/${key.id}`);
  const { body: last } = await client().post<TokenResponse>('/v1/auth/login', { email, password: third });
  await client().withToken(keepPair(last).access_token).delete(`/v1/keys/${key.id}`);
  await client().post('/v1/auth/logout', { refresh_token: last.refresh_token });

  const backend = gateway.backend().withHeaders({ Cookie: cookie });
  await backend.post('/v1/auth/register', { email: gateway.newEmail(), password: newPassword() });
  await backend.patch(`/v1/auth/users/${sub}/cases-uid`, { cases_user_id: '4711' });
  await dump();
}

/** The stream does not end. A service token in its query is valid. */
const STREAM = '/v1/events/stream';
async function followed(query: string, headers: Record<string, string>): Promise<{ body: unknown }> {
  const stream = await EventStreamClient.open(`${gateway.service.url}${STREAM}${query}`, headers);
  const body = await stream.waitForAnswer();
  stream.close();
  return { body };
}

/**
 * Sends one secret of each kind in the wrong place: in every field, query and header of every
 * route.
 */
async function everyMistake(): Promise<void> {
  const routes = listDocumentedRoutes();
  for (const secret of [...new Map([...secrets].map(([what, value]) => [what.split(' #')[0], value])).values()]) {
    const headers = {
      Authorization: `Bearer ${secret}`,
      'x-api-key': secret,
      'X-Service-Token': secret,
      'X-Acting-User': secret,
      Origin: secret,
    };
    const contents = ({ body }: (typeof routes)[number]) => [
      ...(body ? [JSON.stringify(Object.fromEntries(Object.keys(body).map((key) => [key, secret])))] : []),
      ...(body ? [JSON.stringify({ x: { y: [secret] } }), `{"x":"${secret}`] : [undefined]),
    ];
    const answers = await Promise.all(
      routes.flatMap((route) =>
        contents(route).flatMap((raw) =>
          [headers, {}].map((presented): Promise<{ body: unknown }> => {
            const query = `?token=${encodeURIComponent(secret)}`;
            if (route.path === STREAM) return followed(query, presented);
            return client()
              .withHeaders(presented)
              .request(route.method, `${fillPath(route.path, 'x')}${query}`, undefined, { raw });
          }),
        ),
      ),
    );
    dumps.push(JSON.stringify(answers.map(({ body }) => body)));
  }
}

/** Sends every secret while statements fail, because a failure could log their parameters. */
async function everyFailure(service: TestService): Promise<void> {
  const post = (path: string, body: object, from = service.client()) => from.post(`/v1/auth/${path}`, body);
  const of = (kind: string) => [...secrets].filter(([what]) => what.startsWith(kind)).map(([, secret]) => secret);
  const verifier = of('code verifier')[0];
  const answers = await Promise.all([
    ...of('password').flatMap((password) => [
      post('login', { email: gateway.newEmail(), password }),
      post('signup', { email: gateway.newEmail(), password }),
      post(
        'register',
        { email: gateway.newEmail(), password },
        service.client().withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKEN }),
      ),
    ]),
    ...of('refresh token').flatMap((refresh_token) => [
      post('refresh', { refresh_token }),
      post('logout', { refresh_token }),
    ]),
    ...of('mail token').flatMap((token) => [
      post('verify-email', { token }),
      post('reset-password', { token, new_password: of('password')[0] }),
    ]),
    ...of('one-time code').map((code) => post('cli/token', { code, code_verifier: verifier })),
    ...of('device code').map((device_code) => post('cli/device/token', { device_code, code_verifier: verifier })),
    ...credentials.map((token) => service.client().withToken(token).get('/v1/auth/me')),
  ]);
  expect(answers.filter(({ status }) => status >= 500).length).toBeGreaterThan(10);
  dumps.push(JSON.stringify(answers.map(({ body }) => body)));
}

async function withoutTables(): Promise<void> {
  const rename = (from: string, to: string) => gateway.service.query(`ALTER TABLE ${from} RENAME TO ${to}`);
  const tables = ['users', 'sessions', 'mail_tokens', 'cli_codes', 'device_codes', 'api_keys'];
  for (const table of tables) await rename(table, `${table}_away`);
  await everyFailure(gateway.service);
  for (const table of tables) await rename(`${table}_away`, table);
}

async function withoutDatabase(): Promise<void> {
  const database = beside.app.get(DataSource);
  await database.destroy();
  await everyFailure(beside);
  await database.initialize();
}

type Form = (secret: string) => string[];
/** Encodings in which a text could occur. */
const plain: Form = (secret) => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  ...(['hex', 'base64', 'base64url'] as const).map((encoding) =>
    Buffer.from(secret).toString(encoding).replace(/=+$/, ''),
  ),
];
/** Fast hashes without a key: safe for random secrets, not for passwords or short codes. */
const quickHashes: Form = (secret) =>
  ['md5', 'sha1', 'sha256', 'sha512'].flatMap((name) =>
    (['hex', 'base64', 'base64url'] as const).map((encoding) =>
      createHash(name).update(secret).digest(encoding).replace(/=+$/, ''),
    ),
  );
/** Kinds of the secrets that occur in the text. */
const found = (text: string, form: Form = plain, kinds = '') =>
  [...secrets]
    .filter(([what, secret]) => what.startsWith(kinds) && form(secret).some((one) => text.includes(one)))
    .map(([what]) => what);

describe('after a run that used every route, and got every kind of refusal and failure', () => {
  it('it did so', () => {
    const logged = gateway.service.logLines.map(
      (line) => JSON.parse(line) as { msg: string; req?: { method: string; path: string } },
    );
    const succeeded = ({ method, path }: { method: string; path: string }) => {
      const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
      return logged.some(
        ({ msg, req }) => req && pattern.test(req.path) && [`${method} 200`, `${method} 201`].includes(msg),
      );
    };
    const routes = listDocumentedRoutes().filter(({ path }) => /^\/v1\/(auth|keys)(\/|$)/.test(path));
    expect(routes.filter((route) => !succeeded(route)).map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    expect([...new Set([...secrets.keys()].map((what) => what.split(' #')[0]))].sort()).toEqual([
      ...[
        'API key',
        'access token',
        'code verifier',
        'cookie',
        'device code',
        'mail token',
        'one-time code',
        'password',
      ],
      ...['refresh token', 'secret key', 'service token', 'status token', 'user code'],
    ]);
    expect(logged.some(({ msg }) => msg === 'unexpected error')).toBe(true);
    expect(beside.logLines.some((line) => line.includes('503'))).toBe(true);
  });

  it('no secret stands in what the services logged', () => {
    const text = [...gateway.service.logLines, ...beside.logLines].join('');
    expect(found(text)).toEqual([]);
    for (const kind of ['password', 'user code']) expect(found(text, quickHashes, kind)).toEqual([]);
    expect(text).not.toContain('$argon2');
  });

  it('no secret stands in any row of the database or in any refusal', () => {
    const text = dumps.join('');
    expect(found(text)).toEqual([]);
    for (const kind of ['password', 'user code']) expect(found(text, quickHashes, kind)).toEqual([]);
  });

  it('the database holds hashes: argon2id of passwords, 32 bytes of whatever was random', async () => {
    const hashes = await gateway.service.query<{ password_hash: string }>('SELECT password_hash FROM users');
    for (const { password_hash } of hashes)
      expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    const columns = await gateway.service.query<{ name: string }>(
      "SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'gateway' AND data_type = 'bytea' ORDER BY 1",
    );
    expect(columns.length).toBeGreaterThanOrEqual(5);
    for (const { name } of columns) {
      const [table = '', column = ''] = name.split('.');
      const lengths = await gateway.service.query(
        `SELECT DISTINCT length(${column}) AS length FROM ${table} WHERE ${column} IS NOT NULL`,
      );
      expect([name, lengths.filter((row) => row['length'] !== 32)]).toEqual([name, []]);
    }
  });
});
