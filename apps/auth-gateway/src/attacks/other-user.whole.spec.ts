import { type DocumentedRoute, listDocumentedRoutes } from '@platform/testing';
import type { KeyResponse } from '@platform/contracts';
import { acceptsWay, expectUnknown, kindOf, idPlacesOf, type Caller, type Place } from '../testing/foreign-ids.js';
import { GatewayTest } from '../testing/gateway-test.js';
import { expectNothingStored } from '../testing/stored-rows.js';
import { TenantContent } from '../testing/tenant-content.js';

/**
 * Kinds of data that belong to one user and that other ordinary users of the tenant must not see.
 */
const PERSONAL = ['user', 'email', 'key', 'session', 'userCode', 'action', 'confirmation', 'task'];
const isPersonal = (place: Place) => PERSONAL.includes(kindOf(place) ?? '');
const takesActingUser = ({ security }: DocumentedRoute) =>
  security.some((credentials) => credentials.includes('actingUser'));

/** Routes that search only the caller's data and answer an unknown id with an empty list. */
const AMONG_OWN = new Set(['GET /v1/actions']);

let gateway: GatewayTest;
/** A tenant in which all data belongs to other users. */
let tenant: TenantContent;
let bySession: Caller;
let byKey: Caller;
let byBackend: Caller;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  tenant = await TenantContent.create(gateway);
  const user = await gateway.user({ tenant_id: tenant.tenantId });
  const client = await gateway.signIn(user);
  const { body } = await client.post<KeyResponse>('/v1/keys', { name: 'everything', scopes: '*' });
  bySession = { name: 'a session', client, userId: user.id, own: tenant };
  byKey = { name: 'an API key', client: gateway.client().withToken(body.key), userId: user.id, own: tenant };
  byBackend = { name: 'a backend', client: gateway.actingFor(user.id), userId: user.id, own: tenant };
});
beforeEach(() => gateway.resetRateLimits());
afterAll(() => gateway.stop());

const routes = listDocumentedRoutes()
  .filter((route) => acceptsWay(route, 'bearer') || takesActingUser(route))
  .flatMap((route) => {
    const places = idPlacesOf(route).filter(isPersonal);
    return places.length ? [[`${route.method} ${route.path}`, route, places] as const] : [];
  });

it('there are such routes', () => expect(routes.length).toBeGreaterThanOrEqual(12));

it.each(routes)(
  '%s: an ordinary user cannot tell what is another person’s from what does not exist',
  async (name, route, places) => {
    const callers = [
      ...(acceptsWay(route, 'bearer') ? [bySession, byKey] : []),
      ...(takesActingUser(route) ? [byBackend] : []),
    ];
    const refusals = AMONG_OWN.has(name) ? [200, 422] : [403, 404, 422];
    await expectNothingStored(gateway.service, async () => {
      for (const place of places) {
        for (const caller of callers) {
          for (const kind of place.in === 'path' ? PERSONAL : [kindOf(place) as string]) {
            for (const { about, status } of await expectUnknown(route, caller, tenant, place, kind)) {
              expect([about, refusals.includes(status)]).toEqual([about, true]);
            }
          }
        }
      }
    });
  },
);
