import { PLATFORM_SERVICES, type KeyResponse } from '@platform/contracts';
import { ACCESS, type RouteAccess } from '@platform/guards';
import { listDocumentedRoutes, fillPath, TEST_SERVICE_TOKENS, type TestClient } from '@platform/testing';
import { RequestMethod } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { GatewayTest, type TestUser } from '../testing/gateway-test.js';
import { expectNothingStored } from '../testing/stored-rows.js';

let gateway: GatewayTest;
let user: { id: string };
let admin: TestUser;
let idleKey: TestClient;
let otherKey: TestClient;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  user = await gateway.user();
  admin = await gateway.user({ role: 'admin' });
  const { body } = await (await gateway.signIn(admin)).post<KeyResponse>('/v1/keys', { name: 'narrow' });
  const { body: other } = await (
    await gateway.signIn(admin)
  ).post<KeyResponse>('/v1/keys', { name: 'of a resource that there is not' });
  // Keys without scopes, or with an undefined one, are the narrowest possible. No route creates
  // them.
  await gateway.service.query("UPDATE api_keys SET scopes = '{}' WHERE id = $1", [body.id]);
  await gateway.service.query("UPDATE api_keys SET scopes = '{nothing:read}' WHERE id = $1", [other.id]);
  idleKey = gateway.client().withHeaders({ 'x-api-key': body.key });
  otherKey = gateway.client().withToken(other.key);
});
beforeEach(() => gateway.resetRateLimits());
afterAll(() => gateway.stop());

interface Route {
  method: string;
  path: string;
  access: RouteAccess;
}

/** All routes of the process, including internal ones, so that new routes are tested too. */
function allRoutes(): Route[] {
  const { app } = gateway.service;
  const reflector = new Reflector();
  const routes: Route[] = [];
  for (const { metatype } of app.get(DiscoveryService, { strict: false }).getControllers()) {
    const prototype = metatype?.prototype as Record<string, () => unknown> | undefined;
    if (!metatype || !prototype) continue;
    const prefixes = [Reflect.getMetadata('path', metatype) as string | string[]].flat();
    for (const name of new MetadataScanner().getAllMethodNames(prototype)) {
      const handler = prototype[name] as () => unknown;
      const access = reflector.getAllAndOverride<RouteAccess | undefined>(ACCESS, [handler, metatype]);
      if (!Reflect.hasMetadata('method', handler) || !access) continue;
      const method = RequestMethod[Reflect.getMetadata('method', handler) as RequestMethod];
      const [path = ''] = [Reflect.getMetadata('path', handler) as string | string[]].flat();
      for (const prefix of prefixes) {
        routes.push({
          method,
          path: `/${prefix}/${path}`
            .replace(/\/+/g, '/')
            .replace(/(.)\/$/, '$1')
            .replace(/:\w+/g, 'x'),
          access,
        });
      }
    }
  }
  return routes;
}

const send = (client: TestClient, { method, path }: Pick<Route, 'method' | 'path'>) =>
  client.request<{ code?: string }>(method, path, ['POST', 'PUT', 'PATCH'].includes(method) ? {} : undefined);
const admitting = (some: Route[]) => some.filter(({ access }) => access.permission !== null);

describe('a service token', () => {
  it.each(Object.entries(TEST_SERVICE_TOKENS))(
    'of %s reaches what its name may call, and of nothing else more than a refusal',
    async (name, token) => {
      const routes = admitting(allRoutes());
      expect(routes.length).toBeGreaterThan(100);
      const client = gateway.client().withHeaders({ 'X-Service-Token': token });
      const allowed: readonly string[] = PLATFORM_SERVICES[name] ?? [];
      const refused = routes.filter(({ access }) => !allowed.includes(access.permission ?? ''));
      await expectNothingStored(gateway.service, async () => {
        for (const route of refused) {
          for (const as of [
            client,
            client.withHeaders({ 'X-Acting-User': admin.id }),
            client.withHeaders({ 'X-Acting-User': 'usr_nobody' }),
          ]) {
            const { status, body } = await send(as, route);
            expect([route.method, route.path, status, body.code]).toEqual([
              route.method,
              route.path,
              403,
              'service_not_allowed',
            ]);
          }
        }
      });
      for (const route of routes.filter(({ access }) => allowed.includes(access.permission ?? ''))) {
        const { status, body } = await send(client, route);
        expect([route.path, status === 401, body.code === 'service_not_allowed']).toEqual([route.path, false, false]);
      }
    },
  );

  it('of the host makes no session: no code, no approved device, no account, nobody’s rights', async () => {
    const host = gateway.client().withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKENS['ext-webhook-host'] });
    const refused = { status: 403, body: { code: 'service_not_allowed' } };
    const acting = host.withHeaders({ 'X-Acting-User': admin.id });
    const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
    expect(await acting.post('/v1/auth/cli/codes', challenge)).toMatchObject(refused);
    expect(await acting.post('/v1/auth/cli/device/lookup', { user_code: 'AAAA-AAAA' })).toMatchObject(refused);
    expect(await acting.post('/v1/auth/cli/device/approve', { user_code: 'AAAA-AAAA' })).toMatchObject(refused);
    expect(
      await host.post('/v1/auth/register', { email: 'host@example.com', password: 'correct horse battery' }),
    ).toMatchObject(refused);
    expect(await acting.get('/v1/users')).toMatchObject(refused);
  });
});

describe('the panel', () => {
  const panel = () => gateway.client().withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKENS.panel });

  it('does what it does when somebody signs in, and nothing else with accounts and sessions', async () => {
    expect((await panel().patch(`/v1/auth/users/${user.id}/cases-uid`, { cases_user_id: '4711' })).status).toBe(200);
    const session = { surface: 'web', user_id: user.id };
    expect((await panel().post('/v1/auth/sessions/register', session)).status).toBe(200);
    const refused = { status: 403, body: { code: 'service_not_allowed' } };
    expect(
      await panel().post('/v1/auth/register', { email: gateway.newEmail(), password: 'correct horse battery' }),
    ).toMatchObject(refused);
    expect(await panel().withHeaders({ 'X-Acting-User': user.id }).get('/v1/auth/sessions')).toMatchObject(refused);
    expect(await panel().withHeaders({ 'X-Acting-User': user.id }).get('/v1/users')).toMatchObject(refused);
  });
});

describe('a backend that acts for somebody without rights', () => {
  it('has none on any route that asks for a scope or for an administrator', async () => {
    const routes = admitting(allRoutes()).filter(
      ({ access: { rule } }) => rule === 'adminOrService' || rule.includes(':'),
    );
    expect(routes.length).toBeGreaterThan(30);
    await expectNothingStored(gateway.service, async () => {
      for (const route of routes) {
        const { status, body } = await send(gateway.actingFor(user.id), route);
        expect([route.method, route.path, status, body.code]).toEqual([
          route.method,
          route.path,
          403,
          'insufficient_scope',
        ]);
      }
    });
  });

  it('has none where only a backend itself may call', async () => {
    for (const route of allRoutes().filter(({ access: { rule } }) => rule === 'service')) {
      const { status, body } = await send(gateway.actingFor(admin.id), route);
      expect([route.path, status, body.code]).toEqual([route.path, 403, 'acting_user_not_allowed']);
    }
  });

  it('creates no role and no administrator, gives nobody a scope and reads no audit log', async () => {
    const manager = await gateway.user({ scopes: ['users:write', 'roles:write', 'users:read'] });
    const refused = { status: 403, body: { code: 'privilege_escalation' } };
    const acting = gateway.actingFor(manager.id);
    const somebody = { email: gateway.newEmail(), password: 'correct horse battery' };
    expect(await acting.post('/v1/users', { ...somebody, role: 'admin' })).toMatchObject(refused);
    expect(await acting.post('/v1/users', { ...somebody, scopes: ['tenants:write'] })).toMatchObject(refused);
    expect(await acting.patch(`/v1/users/${manager.id}`, { role: 'admin' })).toMatchObject(refused);
    expect(await acting.patch(`/v1/users/${user.id}`, { scopes: ['*'] })).toMatchObject(refused);
    expect(await acting.post('/v1/roles', { name: 'owner', default_scopes: ['*'] })).toMatchObject(refused);
    expect(await acting.get('/v1/audit')).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(await gateway.actingFor(user.id).post('/v1/roles', { name: 'mine' })).toMatchObject({ status: 403 });
    expect((await gateway.actingFor(admin.id).get('/v1/audit')).status).toBe(200);
  });
});

describe('an API key without a scope of a route', () => {
  const routes = listDocumentedRoutes().filter(({ security }) =>
    security.some((way) => way.includes('apiKey') || way.includes('bearer')),
  );

  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'is refused before anything else: %s',
    async (_name, route) => {
      const path = fillPath(route.path, 'x');
      await expectNothingStored(gateway.service, async () => {
        for (const key of [idleKey, otherKey]) {
          const { status, body } = await send(key, { method: route.method, path });
          expect([status, body.code]).toEqual([403, expect.stringMatching(/^(insufficient_scope|session_required)$/)]);
        }
      });
    },
  );

  it('there are such routes', () => expect(routes.length).toBeGreaterThan(90));

  it('is refused by every route that takes keys, documented or not', async () => {
    const keyed = allRoutes().filter(
      ({ access }) => access.keyScopes.length || access.rule === 'adminOrService' || access.rule.includes(':'),
    );
    for (const route of keyed) {
      const { status, body } = await send(idleKey, route);
      expect([route.method, route.path, status, body.code]).toEqual([
        route.method,
        route.path,
        403,
        'insufficient_scope',
      ]);
    }
  });
});
