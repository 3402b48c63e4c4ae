import type {
  TenantHealthResponse,
  TenantResponse,
  TokenResponse,
  WebhookEndpointWithSecret,
} from '@platform/contracts';
import { JobsService } from '@platform/messaging';
import { parseKeyring, type Keyring } from '@platform/platform';
import { TEST_SERVICE_TOKEN, until, type TestService } from '@platform/testing';
import {
  calculateJwkThumbprint,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  SignJWT,
  type JWK,
} from 'jose';
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { newDeveloper } from '../testing/developers.js';
import { GatewayTest, PASSWORD, type TestUser } from '../testing/gateway-test.js';
import { Statements } from '../testing/statements.js';
import { createTenant } from '../testing/tenants.js';
import { sealedPreviousSecrets, sealedSecrets } from '../extensions/events/webhook-endpoints/model/endpoint-secrets.js';
import { SigningKeysService } from '../identity/tokens/signing-keys.service.js';
import { resealAll, type ResealReport } from './reseal.js';

jest.setTimeout(90_000); // most tests start a second process

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [OLD, NEW] = [newKey('k1'), newKey('k2')];
const [oldKeys, newKeys] = [parseKeyring(OLD), parseKeyring(NEW)];
const DATABASE = { host: '127.0.0.1', port: 9, database: 'acme', username: 'acme-app', password: 'a-secret-of-acme' };
const JWKS = '/v1/auth/.well-known/jwks.json';

let gateway: GatewayTest;
let user: TestUser;
let pair: TokenResponse;
/** Each test breaks its own keys. */
beforeEach(async () => {
  gateway = await GatewayTest.start({ SECRET_KEYS: OLD });
  user = await gateway.user();
  pair = await gateway.login(user);
});
afterEach(() => gateway.stop());

interface KeyRow {
  kid: string;
  state: string;
  sealed_private_jwk: string;
}
const keyRows = () =>
  gateway.service.query<KeyRow>('SELECT kid, state, sealed_private_jwk FROM signing_keys ORDER BY state, kid');
const keyOf = async (state: string) => (await keyRows()).find((row) => row.state === state) as KeyRow;
const contextOf = (kid: string) => JSON.stringify(['signing-key', kid]);
const setSealed = (kid: string, sealed: string) =>
  gateway.service.query('UPDATE signing_keys SET sealed_private_jwk = $2 WHERE kid = $1', [kid, sealed]);
const letTimePass = () =>
  gateway.service.query("UPDATE signing_keys SET activated_at = activated_at - interval '1 minute'");
const me = (service: TestService, token: string) =>
  service.client().withToken(token).get<{ code: string }>('/v1/auth/me');
const publishedBy = async (service: TestService) => {
  const { status, body } = await service.client().get<{ keys: JWK[] }>(JWKS);
  expect(status).toBe(200);
  return body.keys.map(({ kid }) => kid);
};
const kidOf = ({ access_token }: TokenResponse) => decodeProtectedHeader(access_token).kid;
const refresh = (service: TestService, refresh_token: string) =>
  service.client().post<TokenResponse & { code: string }>('/v1/auth/refresh', { refresh_token });
const login = (service: TestService) => gateway.login(user, service.client());

/** Another process, without decrypted keys. */
async function beside(work: (service: TestService) => Promise<void>, SECRET_KEYS = OLD): Promise<void> {
  const service = await gateway.startSecondProcess({ SECRET_KEYS });
  try {
    await work(service);
  } finally {
    await service.stop();
  }
}

/**
 * Expects the log of one of the processes to name the keys: the hourly task of the first may have
 * replaced a key before the second starts.
 */
const expectTold = (service: TestService, ...texts: string[]) => {
  const told = [gateway.service, service].flatMap(({ logLines }) =>
    logLines.filter((line) => line.includes('a signing key cannot be decrypted')),
  );
  for (const text of texts) expect(told.join()).toContain(text);
};

/** Inserts a key of an attacker. Returns a token that it signed. */
async function insertForged(seal: (text: string, kid: string) => string): Promise<{ kid: string; token: string }> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  await gateway.service.query(
    "INSERT INTO signing_keys (kid, state, public_jwk, sealed_private_jwk, retired_at) VALUES ($1, 'retiring', $2, $3, now())",
    [kid, publicJwk, seal(JSON.stringify(await exportJWK(privateKey)), kid)],
  );
  const token = await new SignJWT(decodeJwt(pair.access_token))
    .setProtectedHeader({ alg: 'RS256', kid, typ: 'at+jwt' })
    .sign(privateKey);
  return { kid, token };
}

describe('a signing key', () => {
  it('is no key of ours where its private part is not, however its row came to be', async () => {
    const { sealed_private_jwk: genuine, kid: genuineKid } = await keyOf('current');
    const foreign = parseKeyring(newKey('k1'));
    const ways: ((text: string, kid: string) => string)[] = [
      (text) => text,
      () => '',
      () => genuine,
      (text, kid) => foreign.seal('signing-key', text, contextOf(kid)),
      (text) => foreign.seal('signing-key', text),
      (text, kid) => oldKeys.seal('tenant-database', text, contextOf(kid)),
      // A genuine key that is not bound to its row, under the `kid` of another key.
      () => oldKeys.seal('signing-key', oldKeys.open('signing-key', genuine, contextOf(genuineKid))),
    ];
    const forged = await Promise.all(ways.map((seal) => insertForged(seal)));
    await beside(async (service) => {
      for (const { token } of forged)
        expect(await me(service, token)).toMatchObject({ status: 401, body: { code: 'invalid_token' } });
      expect((await me(service, pair.access_token)).status).toBe(200);
      expect((await publishedBy(service)).sort()).toEqual(
        [(await keyOf('current')).kid, (await keyOf('next')).kid].sort(),
      );
      expectTold(service, ...forged.map(({ kid }) => kid));
    });
  });

  it('is the public key of its private one, whatever its row says', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    await gateway.service.query('UPDATE signing_keys SET public_jwk = $1', [await exportJWK(publicKey)]);
    const header = { alg: 'RS256', kid: kidOf(pair), typ: 'at+jwt' };
    const forged = await new SignJWT(decodeJwt(pair.access_token)).setProtectedHeader(header).sign(privateKey);
    await beside(async (service) => {
      expect((await me(service, forged)).status).toBe(401);
      expect((await me(service, pair.access_token)).status).toBe(200);
      expect((await me(service, (await login(service)).access_token)).status).toBe(200);
    });
  });

  it('that was moved to the row of another does not open, and others take its place', async () => {
    const [current, next] = [await keyOf('current'), await keyOf('next')];
    await setSealed(current.kid, next.sealed_private_jwk);
    await setSealed(next.kid, current.sealed_private_jwk);
    await letTimePass();
    await beside(async (service) => {
      expectTold(service, current.kid, next.kid);
      const after = await login(service);
      expect([current.kid, next.kid]).not.toContain(kidOf(after));
      expect((await me(service, after.access_token)).status).toBe(200);
      expect((await me(service, pair.access_token)).status).toBe(401);
      expect(await publishedBy(service)).toHaveLength(2);
    });
    expect((await keyRows()).map(({ state }) => state)).toEqual(['current', 'next', 'retiring']);
  });

  it('whose secret key is gone is replaced by the next one, and tells which secret key it was', async () => {
    const [current, next] = [await keyOf('current'), await keyOf('next')];
    await setSealed(current.kid, current.sealed_private_jwk.replace(/^k1\./, 'k0.'));
    await letTimePass();
    await beside(async (service) => {
      expectTold(service, current.kid, 'secret key \\"k0\\", which is missing');
      const after = await login(service);
      expect(kidOf(after)).toBe(next.kid);
      expect((await me(service, after.access_token)).status).toBe(200);
      expect(await publishedBy(service)).toEqual([next.kid, (await keyOf('next')).kid]);
      // A process that has decrypted the key still verifies its tokens.
      expect((await me(gateway.service, pair.access_token)).status).toBe(200);
      // Restored, it verifies again.
      await setSealed(current.kid, current.sealed_private_jwk);
    });
    await beside(async (service) => expect((await me(service, pair.access_token)).status).toBe(200));
  });

  it('never comes to sign when it does not open', async () => {
    const next = await keyOf('next');
    await setSealed(next.kid, 'k0.abc');
    await gateway.service.query(
      "UPDATE signing_keys SET activated_at = now() - interval '91 days', created_at = now() - interval '1 day'",
    );
    // A process that decrypted it earlier does not sign with it either.
    await gateway.service.app.get(SigningKeysService).maintainKeys();
    expect((await keyOf('current')).kid).toBe(kidOf(pair));
    expect((await keyOf('next')).kid).not.toBe(next.kid);
    await setSealed((await keyOf('next')).kid, 'k0.abc');
    await beside(async (service) => {
      const kid = await service.app.get(SigningKeysService).rotateKeys();
      expect(kidOf(await login(service))).toBe(kid);
    });
  });

  it('is not replaced again and again by processes that have different secret keys', async () => {
    await letTimePass();
    await beside(async (service) => {
      await login(service);
      const count = (await keyRows()).length;
      for (let n = 0; n < 5; n++) await gateway.service.app.get(SigningKeysService).ensureKeys();
      expect(await keyRows()).toHaveLength(count);
    }, NEW);
  });
});

describe('a gateway whose secret key is gone', () => {
  it('starts, signs in, and says what it cannot open', async () => {
    const tenant = await withSettings();
    await letTimePass();
    await beside(async (service) => {
      expect((await service.client().get('/readyz')).status).toBe(200);
      expectTold(service, String(kidOf(pair)), 'secret key \\"k1\\", which is missing');
      const after = await login(service);
      expect((await me(service, after.access_token)).status).toBe(200);
      expect(await publishedBy(service)).toContain(kidOf(after));
      expect(await refresh(service, pair.refresh_token)).toMatchObject({ status: 401 });
      expect((await refresh(service, after.refresh_token)).status).toBe(200);

      // Only these settings cannot be read; everything else, and other tenants, still work.
      const client = service.client().withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKEN });
      const health = async (id: string) => (await client.get<TenantHealthResponse>(`/v1/tenants/${id}/health`)).body;
      expect(await health(tenant)).toMatchObject({
        healthy: false,
        message: expect.stringContaining('secret key "k1", which is missing'),
      });
      expect((await client.get<TenantResponse>(`/v1/tenants/${tenant}`)).status).toBe(200);
      const { id: other } = await createTenant(client, { db_config: DATABASE });
      expect((await health(other)).message).toBe('The host refused the connection. Check the port.');
      expect((await client.patch(`/v1/tenants/${tenant}`, { db_config: DATABASE })).status).toBe(200);
      expect((await health(tenant)).message).toBe('The host refused the connection. Check the port.');
      expect(service.logLines.join()).not.toContain(OLD.slice(3));
    }, NEW);
  });
});

describe('settings of a tenant database', () => {
  it('do not open for another tenant', async () => {
    const [from, to] = [await withSettings(), await withSettings()];
    await gateway.service.query(
      'UPDATE tenants SET sealed_db_config = (SELECT sealed_db_config FROM tenants WHERE id = $1) WHERE id = $2',
      [from, to],
    );
    expect((await healthOf(from)).message).toBe('The host refused the connection. Check the port.');
    const { healthy, message } = await healthOf(to);
    expect([healthy, message]).toEqual([false, expect.stringContaining('sealed for another row')]);
    expect(named(await resealAll(gateway.service.app.get(DataSource), oldKeys))).toEqual([to]);
  });
});

/** Id of a developer's stored payout account. */
async function keptAccount(): Promise<string> {
  const { client, user: developer } = await newDeveloper(gateway, 'indie');
  const request = { method: 'bank transfer', details: 'of Ada', current_password: PASSWORD };
  expect((await client.put('/v1/developer/payout-destination', request)).status).toBe(200);
  const [row] = await gateway.service.query<{ id: string }>('SELECT id FROM payout_destinations WHERE user_id = $1', [
    developer.id,
  ]);
  return row?.id ?? '';
}

describe('sealing anew', () => {
  it('goes over every column that is called sealed', async () => {
    const columns = await gateway.service.query<{ place: string }>(
      `SELECT table_name || '.' || column_name AS place FROM information_schema.columns
       WHERE table_schema = 'gateway' AND column_name LIKE 'sealed%' AND data_type NOT LIKE 'timestamp%' ORDER BY 1`,
    );
    const statements = new Statements();
    await runReseal();
    statements.stop();
    const read = statements.ofRequest('job_reseal').flatMap((text) => {
      const [, column, table] = /^SELECT \w+ AS id, (\w+) AS sealed FROM (\w+) /.exec(text) ?? [];
      return column && table ? [`${table}.${column}`] : [];
    });
    expect(columns.length).toBeGreaterThan(1);
    expect([...new Set(read)].sort()).toEqual(columns.map(({ place }) => place));
  });

  it('moves everything to the first key, so that the older one can be dropped', async () => {
    const [tenant, removed] = [await withSettings(), await withSettings()];
    const endpoint = await endpointWithTwoSecrets(tenant);
    const account = await keptAccount();
    const dataSource = gateway.service.app.get(DataSource);
    const both = parseKeyring(`${NEW},${OLD}`);
    await gateway.service.query('UPDATE tenants SET sealed_db_config = NULL WHERE id = $1', [removed]);
    const before = (await keyRows()).map(({ kid }) => kid);
    const updatedAt = (await gateway.service.query('SELECT updated_at FROM tenants WHERE id = $1', [tenant]))[0];

    await Promise.all([resealAll(dataSource, both), resealAll(dataSource, both)]);
    expect((await keyRows()).map(({ kid, sealed_private_jwk }) => [kid, sealed_private_jwk.slice(0, 3)])).toEqual(
      before.map((kid) => [kid, 'k2.']),
    );
    expect(settingsOf(newKeys, tenant, await sealedSettings(tenant))).toEqual(DATABASE);
    expect((await gateway.service.query('SELECT updated_at FROM tenants WHERE id = $1', [tenant]))[0]).toEqual(
      updatedAt,
    );
    expect(await sealedSettings(removed)).toBeNull();
    expect(await secretsOf(endpoint.id)).toEqual(endpoint.secrets);
    const [{ sealed_details: sealed } = { sealed_details: '' }] = await gateway.service.query<{
      sealed_details: string;
    }>('SELECT sealed_details FROM payout_destinations WHERE id = $1', [account]);
    expect(newKeys.open('payout-destination', sealed, JSON.stringify(['payout-destination', account]))).toBe('of Ada');
    const done = await resealAll(dataSource, both);
    expect(done.map(({ resealed, sealedBy, failed }) => [resealed, [...sealedBy], failed])).toEqual([
      [0, [['k2', 2]], []],
      [0, [['k2', 1]], []],
      [0, [['k2', 1]], []],
      [0, [['k2', 1]], []],
      [0, [['k2', 1]], []],
    ]);
    await beside(async (service) => {
      expect((await me(service, pair.access_token)).status).toBe(200);
      expect(kidOf(await login(service))).toBe(kidOf(pair));
    }, NEW);
  });

  it('leaves what does not open, names it, and says neither what it is nor a key', async () => {
    const [good, lost, garbage] = [await withSettings(), await withSettings(), await withSettings()];
    await setSettings(
      lost,
      newKeys.seal('tenant-database', JSON.stringify(DATABASE), JSON.stringify(['tenant-database', lost])),
    );
    await setSettings(garbage, JSON.stringify(DATABASE));
    const stored = [await sealedSettings(lost), await sealedSettings(garbage)];
    const { kid } = await keyOf('next');
    await setSealed(kid, oldKeys.seal('signing-key', '{"kty":"RSA","n":"AQ","e":"AQAB","d":"a-secret-part"}'));

    const reports = await resealAll(gateway.service.app.get(DataSource), parseKeyring(`${newKey('k3')},${OLD}`));
    expect(named(reports)).toEqual([kid, lost, garbage].sort());
    const text = JSON.stringify(reports);
    expect(text).toContain('secret key \\"k2\\", which is missing');
    for (const secret of [DATABASE.password, 'a-secret-part', NEW.slice(3)]) expect(text).not.toContain(secret);
    expect([await sealedSettings(lost), await sealedSettings(garbage)]).toEqual(stored);
    expect(await sealedSettings(good)).toMatch(/^k3\./);
  });
});

const named = (reports: readonly ResealReport[]) => reports.flatMap(({ failed }) => failed.map(({ id }) => id)).sort();
const withSettings = async () =>
  (await createTenant(gateway.backend(), { db_config: DATABASE, db_backend: 'postgresql' })).id;
const healthOf = async (id: string) =>
  (await gateway.backend().get<TenantHealthResponse>(`/v1/tenants/${id}/health`)).body;
const setSettings = (id: string, sealed: string) =>
  gateway.service.query('UPDATE tenants SET sealed_db_config = $2 WHERE id = $1', [id, sealed]);
async function sealedSettings(id: string): Promise<string> {
  const [row] = await gateway.service.query<{ sealed: string }>(
    'SELECT sealed_db_config AS sealed FROM tenants WHERE id = $1',
    [id],
  );
  return row?.sealed as string;
}
const settingsOf = (keyring: Keyring, id: string, sealed: string): unknown =>
  JSON.parse(keyring.open('tenant-database', sealed, JSON.stringify(['tenant-database', id])));

/** The newer secret comes first. */
async function endpointWithTwoSecrets(tenantId: string): Promise<{ id: string; secrets: string[] }> {
  const client = await gateway.signIn(await gateway.user({ tenant_id: tenantId, role: 'admin' }));
  const event = { url: 'https://hooks.example.com/', event_types: ['user.created'] };
  const made = await client.post<WebhookEndpointWithSecret>('/v1/webhook-endpoints', event);
  const rotated = await client.post<WebhookEndpointWithSecret>(`/v1/webhook-endpoints/${made.body.id}/rotate-secret`);
  return { id: made.body.id, secrets: [rotated.body.secret, made.body.secret] };
}
async function secretsOf(endpointId: string): Promise<string[]> {
  const [row] = await gateway.service.query<{ secret: string; previous: string }>(
    'SELECT sealed_secret AS secret, sealed_previous_secret AS previous FROM webhook_endpoints WHERE id = $1',
    [endpointId],
  );
  return row
    ? [
        sealedSecrets(newKeys).open(endpointId, row.secret),
        sealedPreviousSecrets(newKeys).open(endpointId, row.previous),
      ]
    : [];
}

/** Runs the job that seals with the newest key. */
async function runReseal(): Promise<void> {
  await gateway.service.query(
    "INSERT INTO outbox (id, queue, name, payload) VALUES ('job_reseal', 'maintenance', 'reseal', '{}')",
  );
  await gateway.service.app.get(JobsService).requeueLostJobs();
  await until(async () => !(await gateway.service.query("SELECT FROM outbox WHERE id = 'job_reseal'")).length);
}
