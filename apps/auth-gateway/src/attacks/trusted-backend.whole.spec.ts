import type { KeyResponse } from '@platform/contracts';
import {
  type DocumentedRoute,
  listDocumentedRoutes,
  fillPath,
  sendRawRequest,
  TEST_SERVICE_TOKEN,
  type TestClient,
} from '@platform/testing';
import { GatewayTest } from '../testing/gateway-test.js';
import { expectNothingStored } from '../testing/stored-rows.js';

let gateway: GatewayTest;
let target: { id: string };
let admin: TestClient;
let adminKey: string;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  target = await gateway.user();
  admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
  adminKey = (await admin.post<KeyResponse>('/v1/keys', { name: 'everything' })).body.key;
});
afterAll(() => gateway.stop());

const routes = listDocumentedRoutes();
const named = (some: DocumentedRoute[]) => some.map((route) => [`${route.method} ${route.path}`, route] as const);
/** Routes only for backends. */
const ofServices = named(
  routes.filter(({ security }) => security.length > 0 && security.every((way) => way.includes('service'))),
);
const ofActingUsers = named(routes.filter(({ security }) => security.some((way) => way.includes('actingUser'))));
const ofEither = named(routes.filter(({ security }) => security.some((way) => way.includes('service'))));

const call = ({ method, path, body }: DocumentedRoute, client: TestClient, query = '') =>
  client.request<{ code?: string }>(method, `${fillPath(path, target.id)}${query}`, body ? {} : undefined);
const NO_SERVICE = { status: 401, body: { code: 'invalid_service_token' } };
const MALFORMED = { status: 400, body: { code: 'malformed_header' } };

it('there are such routes', () => {
  for (const some of [ofServices, ofActingUsers, ofEither]) expect(some.length).toBeGreaterThanOrEqual(5);
});

describe('a route for trusted backends', () => {
  it.each(ofServices)('%s takes no administrator, no key, and no token in another place', async (_name, route) => {
    const everywhere = `x-service-token=${TEST_SERVICE_TOKEN}&service_token=${TEST_SERVICE_TOKEN}&X-Acting-User=${target.id}`;
    const cookies = { Cookie: `X-Service-Token=${TEST_SERVICE_TOKEN}; service_token=${TEST_SERVICE_TOKEN}` };
    await expectNothingStored(gateway.service, async () => {
      for (const client of [
        gateway.client(),
        admin,
        gateway.client().withToken(adminKey),
        gateway.client().withHeaders({ 'x-api-key': adminKey }),
        gateway.client().withToken(TEST_SERVICE_TOKEN),
        gateway.client().withHeaders({ 'x-api-key': TEST_SERVICE_TOKEN }),
        gateway.client().withHeaders(cookies),
        gateway.client().withHeaders({
          Service: TEST_SERVICE_TOKEN,
          'X-Service-Tokens': TEST_SERVICE_TOKEN,
          'Service-Token': TEST_SERVICE_TOKEN,
        }),
      ]) {
        const answer = await call(route, client, `?${everywhere}`);
        expect(answer).toMatchObject(NO_SERVICE);
        expect(answer.headers.get('www-authenticate')).toBe('Service realm="gateway"');
      }
    });
  });

  it.each(ofEither)(
    '%s takes no wrong token, of whatever length, not even beside an administrator',
    async (_name, route) => {
      const wrong = [
        ...[
          'x',
          TEST_SERVICE_TOKEN.slice(0, -1),
          `${TEST_SERVICE_TOKEN}0`,
          TEST_SERVICE_TOKEN.toUpperCase(),
          `test:${TEST_SERVICE_TOKEN}`,
        ],
        ...[
          `${TEST_SERVICE_TOKEN},${TEST_SERVICE_TOKEN}`,
          `Bearer ${TEST_SERVICE_TOKEN}`,
          'x'.repeat(4_096),
          '\u00e9'.repeat(28),
        ],
      ];
      await expectNothingStored(gateway.service, async () => {
        for (const token of ['', ...wrong]) {
          for (const client of [gateway.client(), admin]) {
            expect(
              await call(route, client.withHeaders({ 'X-Service-Token': token, 'X-Acting-User': target.id })),
            ).toMatchObject(NO_SERVICE);
          }
        }
      });
    },
  );

  it('compares tokens of every length without failing', async () => {
    const [[, route] = []] = ofServices;
    for (let length = 1; length <= 128; length++) {
      const client = gateway
        .client()
        .withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKEN.padEnd(length, '0').slice(0, length) });
      const isRight = length === TEST_SERVICE_TOKEN.length;
      expect([length, (await call(route as DocumentedRoute, client)).status === 401]).toEqual([length, !isRight]);
    }
    expect(gateway.service.logLines.filter((line) => line.includes('unexpected error'))).toEqual([]);
  });
});

describe('a route for acting users', () => {
  it.each(ofActingUsers)('%s acts for nobody without a service token, whoever asks', async (_name, route) => {
    await expectNothingStored(gateway.service, async () => {
      const takesUsers = route.security.some((way) => way.includes('bearer'));
      expect(await call(route, gateway.client().withHeaders({ 'X-Acting-User': target.id }))).toMatchObject(NO_SERVICE);
      const asked = admin.withHeaders({ 'X-Acting-User': target.id });
      expect(await call(route, asked)).toMatchObject(
        takesUsers ? { status: 403, body: { code: 'other_user' } } : NO_SERVICE,
      );
      const byToken = gateway.client().withToken(TEST_SERVICE_TOKEN).withHeaders({ 'X-Acting-User': target.id });
      expect(await call(route, byToken)).toMatchObject(
        takesUsers ? { status: 401, body: { code: 'invalid_token' } } : NO_SERVICE,
      );
    });
  });

  it.each(ofActingUsers)(
    '%s acts for nobody who may not sign in themselves, and for no malformed name',
    async (_name, route) => {
      await gateway.service.query(
        `INSERT INTO tenants (id, name, is_active) VALUES ('closed', 'Closed', false) ON CONFLICT DO NOTHING`,
      );
      await gateway.service.query(
        "INSERT INTO roles (id, tenant_id, name, display_name) VALUES ('rol_c', 'closed', 'user', 'User') ON CONFLICT DO NOTHING",
      );
      const refused: [string, object][] = [
        ['usr_01h455vb4pex5vsknk084sn02q', { status: 404, body: { code: 'user.not_found' } }],
        ['__proto__', { status: 404, body: { code: 'user.not_found' } }],
        [(await gateway.user({ is_active: false })).id, { status: 403, body: { code: 'account_disabled' } }],
        [(await gateway.user({ tenant_id: 'closed' })).id, { status: 403, body: { code: 'account_disabled' } }],
        ...['', ' ', `${target.id}, ${target.id}`, `${target.id} x`, 'x'.repeat(65), 'x'.repeat(4_096)].map(
          (id): [string, object] => [id, MALFORMED],
        ),
        ...[`${target.id}%0d%0aX-Role: admin`, `../${target.id}`, `${target.id}'--`, `${target.id}\u00e9`].map(
          (id): [string, object] => [id, MALFORMED],
        ),
      ];
      await expectNothingStored(gateway.service, async () => {
        for (const [id, answer] of refused)
          expect([id, await call(route, gateway.actingFor(id))]).toMatchObject([id, answer]);
        const headers = { 'X-Service-Token': TEST_SERVICE_TOKEN, 'X-Acting-User': [target.id, target.id] };
        const url = `${gateway.service.url}${fillPath(route.path, target.id)}`;
        expect(
          await sendRawRequest(url, { method: route.method, headers, body: route.body ? {} : undefined }),
        ).toMatchObject(MALFORMED);
      });
    },
  );

  it('acts for nobody where the user is only missing', async () => {
    for (const [, route] of ofActingUsers.filter(([, { security }]) =>
      security.every((way) => way.includes('actingUser')),
    )) {
      const detail = [{ loc: ['header', 'x-acting-user'], type: 'missing' }];
      expect(await call(route, gateway.backend())).toMatchObject({ status: 422, body: { detail } });
    }
  });

  it('gives no way to what is somebody else’s', async () => {
    const owner = await gateway.user();
    await gateway.login(owner);
    const [session] = await gateway.service.query<{ id: string }>('SELECT id FROM sessions WHERE user_id = $1', [
      owner.id,
    ]);
    await expectNothingStored(gateway.service, async () => {
      for (const id of [session?.id, 'ses_01h455vb4pex5vsknk084sn02q']) {
        const answer = await gateway.actingFor(target.id).post(`/v1/auth/sessions/${id}/revoke`);
        expect(answer).toMatchObject({
          status: 404,
          body: { code: 'session.not_found', detail: 'There is no such session.' },
        });
        expect((await gateway.actingFor(target.id).get(`/v1/auth/sessions/${id}/valid`)).status).toBe(404);
      }
    });
  });
});
