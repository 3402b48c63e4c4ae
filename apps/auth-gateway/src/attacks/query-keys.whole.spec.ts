import { type DocumentedRoute, listDocumentedRoutes, fillPath, createSample, type TestClient } from '@platform/testing';
import { GatewayTest } from '../testing/gateway-test.js';
import { expectNothingStored } from '../testing/stored-rows.js';

let gateway: GatewayTest;
let userId: string;
let signedIn: TestClient;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  const admin = await gateway.user({ role: 'admin' });
  userId = admin.id;
  signedIn = await gateway.signIn(admin);
});
afterAll(() => gateway.stop());

const REFUSED = { status: 422, body: { detail: [{ loc: ['query', 'no_such_key'], type: 'extra_forbidden' }] } };

const routes = listDocumentedRoutes();
const named = (some: DocumentedRoute[]) => some.map((route) => [`${route.method} ${route.path}`, route] as const);
const ignoring = new Set(['/v1/audit']);
const isRead = ({ method }: DocumentedRoute) => method === 'GET';
const strict = routes.filter((route) => !ignoring.has(route.path) && (!isRead(route) || route.isList));
const reads = routes.filter((route) => isRead(route) && (ignoring.has(route.path) || !route.isList));

function admitted({ security }: DocumentedRoute): TestClient {
  if (!security.length) return gateway.client();
  if (security.some((way) => way.includes('bearer'))) return signedIn;
  return security.some((way) => way.includes('actingUser')) ? gateway.actingFor(userId) : gateway.backend();
}

function ask(route: DocumentedRoute, key: string) {
  const body = route.schema
    ? { ...(createSample(route.schema) as object), ...('user_id' in (route.body ?? {}) && { user_id: userId }) }
    : undefined;
  return admitted(route).request(route.method, `${fillPath(route.path, '4711')}?${key}=1`, body);
}

it('there are writes, lists and reads of one record', () => {
  expect(strict.filter(isRead).length).toBeGreaterThanOrEqual(20);
  expect(strict.filter((route) => !isRead(route)).length).toBeGreaterThanOrEqual(60);
  expect(reads.length).toBeGreaterThanOrEqual(20);
});

it.each(named(strict))('%s takes no query key that it does not know', (_name, route) =>
  expectNothingStored(gateway.service, async () => expect(await ask(route, 'no_such_key')).toMatchObject(REFUSED)),
);

it.each(named(reads))('%s ignores what gets a client past a cache', async (_name, route) => {
  const { status, body } = await ask(route, '_');
  expect(status).not.toBe(401);
  expect(body).not.toMatchObject({ detail: [{ type: 'extra_forbidden' }] });
});
