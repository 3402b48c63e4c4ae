import { LIMITS } from '@platform/app-document';
import { type DocumentedRoute, listDocumentedRoutes, fillPath, type TestClient } from '@platform/testing';
import { GatewayTest, type TestUser } from '../testing/gateway-test.js';
import { expectNothingStored } from '../testing/stored-rows.js';

let gateway: GatewayTest;
let target: TestUser;
let accessToken: string;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  target = await gateway.user({ role: 'admin' });
  accessToken = (await gateway.login(target)).access_token;
});
beforeEach(() => gateway.resetRateLimits()); // otherwise the quota of a user would be exceeded, and the answer would be 429
/** No input may cause an unexpected error. */
afterEach(() => expect(gateway.service.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]));
afterAll(() => gateway.stop());

interface Issue {
  loc: (string | number)[];
  type: string;
}

const routes = listDocumentedRoutes();
const named = (some: DocumentedRoute[]) => some.map((route) => [`${route.method} ${route.path}`, route] as const);
const withBody = named(routes.filter(({ body }) => body && Object.keys(body).length));
const texts = ({ body }: DocumentedRoute) => Object.keys(body ?? {}).filter((key) => body?.[key]?.includes('string'));

const MAY_BE_LONG = new Set(['error_message', 'icon_svg', 'manifest_json', 'value']);

/** Limit of the body in bytes. */
function limitOf(path: string): number {
  if (path.startsWith('/v1/auth/')) return 64 * 1024;
  return path.startsWith('/v1/developer/apps/') ? LIMITS.bodyBytes : 1024 * 1024;
}

/** A client that the route accepts, at its own address, so that no rate limit answers. */
function admitted({ security }: DocumentedRoute): TestClient {
  if (security.some((way) => way.includes('actingUser'))) return gateway.actingFor(target.id);
  if (security.some((way) => way.includes('service'))) return gateway.backend();
  return security.length ? gateway.client().withToken(accessToken) : gateway.client();
}

/** Problems of a body, by key. Fails if the status is not 422. */
async function issues(route: DocumentedRoute, body: object): Promise<Record<string, string>> {
  const answer = await admitted(route).request<{ detail: Issue[] }>(
    route.method,
    fillPath(route.path, target.id),
    body,
  );
  expect([body, answer.status]).toEqual([body, 422]);
  expect(Object.keys(answer.body)).toEqual(['detail', 'code', 'request_id']);
  return Object.fromEntries(answer.body.detail.map(({ loc, type }) => [loc.slice(1).join('/'), type]));
}

it('there are such routes', () => expect(withBody.length).toBeGreaterThanOrEqual(15));

describe.each(withBody)('the body of %s', (_name, route) => {
  it('takes no operator, list or object for a text', async () => {
    await expectNothingStored(gateway.service, async () => {
      for (const key of texts(route)) {
        for (const value of [{ $gt: '' }, { $ne: null }, ['x'], [], {}, true, { toString: 'x' }, { length: 3 }]) {
          const { [key]: type } = await issues(route, { [key]: value });
          expect([key, value, ['string_type', 'literal_error', 'value_error'].includes(type ?? '')]).toEqual([
            key,
            value,
            true,
          ]);
        }
      }
    });
  });

  it('takes no key beside its own, such as would make somebody more than they are', async () => {
    const more = [
      ...[
        'role',
        'scopes',
        'is_active',
        'email_verified',
        'email_verified_at',
        'id',
        'tenant_id',
        'password_hash',
        'is_system',
      ],
      ...['a.b', "it's", '$.x', '$where', "x'; DROP TABLE users; --", 'user[role]', '0', ' ', 'hasOwnProperty'],
    ].filter((key) => !(key in (route.body ?? {})));
    await expectNothingStored(gateway.service, async () => {
      const found = await issues(route, Object.fromEntries(more.map((key) => [key, { admin: true }])));
      for (const key of more) expect([key, found[key]]).toEqual([key, 'extra_forbidden']);
    });
  });

  it('takes no NUL character and no lone surrogate, in a value or a key', async () => {
    await expectNothingStored(gateway.service, async () => {
      for (const text of ['\0', 'a\0b', '\ud800', 'a\udc00']) {
        for (const key of Object.keys(route.body ?? {}))
          expect(await issues(route, { [key]: text })).toEqual({ [key]: 'value_error' });
        expect(await issues(route, { [text]: 1 })).toEqual({ '': 'value_error' });
        expect(await issues(route, { x: { y: [text] } })).toEqual({ 'x/y/0': 'value_error' });
      }
    });
  });

  it('refuses a text of 60 000 characters for its length or its form', async () => {
    const long = 60_000;
    const nearMisses = [
      'a'.repeat(long),
      `${'a'.repeat(long)}@`,
      `a@${'a.'.repeat(long / 2)}`,
      `${'a@'.repeat(long / 2)}example.com`,
      `http://127.0.0.1:1/${'a/'.repeat(long / 2)}#`,
      'BCDF-'.repeat(long / 5),
      `${'users:read,'.repeat(long / 11)}!`,
      `2099-01-01T00:00:00.${'1'.repeat(long)}x`,
      `${'a-'.repeat(long / 2)}!`,
      `${' '.repeat(long)}x`,
      `rt1_k1_${'A'.repeat(long)}!`,
      `${'1'.repeat(long)}x`,
      `${'::'.repeat(long / 2)}x`,
    ];
    await expectNothingStored(gateway.service, async () => {
      for (const key of texts(route)) {
        if (MAY_BE_LONG.has(key)) continue;
        for (const text of nearMisses) expect(await issues(route, { [key]: text })).toHaveProperty(key);
      }
    });
  });

  it('is not read beyond its limit, and not uncompressed', async () => {
    const url = fillPath(route.path, target.id);
    const bytes = limitOf(route.path);
    const body = (size: number) => ({ raw: `{"x":"${'x'.repeat(size - 8)}"}` });
    const send = (options: object) => admitted(route).request(route.method, url, undefined, options);
    await expectNothingStored(gateway.service, async () => {
      expect((await send(body(bytes))).status).toBe(422);
      expect(await send(body(bytes + 1))).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
      for (const encoding of ['gzip', 'br', 'deflate', 'x-unknown']) {
        const answer = await send({ raw: '{}', headers: { 'Content-Encoding': encoding } });
        expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
      }
    });
  });
});

/** All routes except the webhook of Stripe, which has a fixed address. */
const WITH_ADDRESS = routes.filter(({ path }) => path !== '/v1/webhooks/stripe');

describe.each(named(WITH_ADDRESS))('the address of %s', (_name, route) => {
  const ask = (path: string) => admitted(route).request(route.method, path, route.body ? {} : undefined);

  it('takes no NUL character, and is not read beyond 16 kB', async () => {
    const path = fillPath(route.path, target.id);
    await expectNothingStored(gateway.service, async () => {
      expect(await ask(`${path}?x=%00`)).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['query'], type: 'value_error' }] },
      });
      expect(await ask(`${path}?%00=1`)).toMatchObject({ status: 422, body: { detail: [{ loc: ['query'] }] } });
      if (route.path.includes('{'))
        expect(await ask(fillPath(route.path, 'a\0b'))).toMatchObject({
          status: 422,
          body: { detail: [{ loc: ['path'] }] },
        });
      expect(await ask(`${path}?x=${'a'.repeat(64 * 1024)}`)).toMatchObject({
        status: 431,
        body: { code: 'headers_too_large' },
      });
    });
  });
});
