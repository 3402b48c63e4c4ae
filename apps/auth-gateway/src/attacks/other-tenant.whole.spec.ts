import type { OpenAPIObject } from '@nestjs/swagger';
import type { KeyResponse } from '@platform/contracts';
import { type DocumentedRoute, listDocumentedRoutes, FakeStripe, type TestClient } from '@platform/testing';
import {
  acceptsWay,
  EVENT_ID,
  expectSame,
  expectUnknown,
  kindOf,
  isRequiredField,
  idPlacesOf,
  sendFilled,
  type Caller,
  type Way,
} from '../testing/foreign-ids.js';
import { GatewayTest } from '../testing/gateway-test.js';
import { declaredSecret, FakeHostApps } from '../testing/fake-host-apps.js';
import { FakeHost } from '../testing/fake-host.js';
import { rowsOfTenant, TABLES_WRITTEN_BY_JOBS } from '../testing/stored-rows.js';
import { KINDS, newUnknownId } from '../testing/all-content.js';
import { TenantContent } from '../testing/tenant-content.js';

/** Each caller has their own tenant, so that changes by one do not affect the next. */
interface Stranger extends Caller {
  way: Way;
  isAdmin: boolean;
  /** Holds every scope. */
  isFree: boolean;
}

// A test sends some hundred requests; more for each kind of data.
jest.setTimeout(120_000);

let host: FakeHost;
let stripe: FakeStripe;
let gateway: GatewayTest;
let other: TenantContent;
let callers: Stranger[];
beforeAll(async () => {
  host = await FakeHost.start();
  const content = new FakeHostApps();
  content.secrets = [declaredSecret('x', { scope: 'app' })]; // values for required path parameters
  content.deliveries = ['x'];
  content.schedules = ['x'];
  content.events = [EVENT_ID];
  host.answers = (request) => content.answer(request);
  stripe = await FakeStripe.start();
  gateway = await GatewayTest.start({ EXT_WEBHOOK_HOST_URL: host.url, STRIPE_API_URL: stripe.url });
  other = await TenantContent.create(gateway, stripe);
  type Client = (own: TenantContent) => TestClient | Promise<TestClient>;
  type Who = 'admin' | 'holder' | 'ordinary';
  const caller = async (
    name: string,
    way: Way,
    who: Who,
    client: Client,
    isAdmin = who === 'admin',
  ): Promise<Stranger> => {
    const own = await TenantContent.create(gateway, stripe);
    return { name, way, isAdmin, isFree: who !== 'ordinary', own, userId: own[who].id, client: await client(own) };
  };
  callers = await Promise.all([
    caller('an administrator', 'bearer', 'admin', ({ adminClient }) => adminClient),
    caller('somebody with every scope', 'bearer', 'holder', ({ holder }) => gateway.signIn(holder)),
    caller('an ordinary user', 'bearer', 'ordinary', ({ ordinary }) => gateway.signIn(ordinary)),
    caller('an API key', 'bearer', 'admin', (own) => keyOf(own), false),
    caller('a backend for an administrator', 'service', 'admin', ({ admin }) => gateway.actingFor(admin.id)),
    caller('a backend for an ordinary user', 'service', 'ordinary', ({ ordinary }) => gateway.actingFor(ordinary.id)),
  ]);
});

/** The next tenant is made while one is in use: half of the time is waiting for mails and jobs. */
let next: Promise<TenantContent> | undefined;
function newTenant(): Promise<TenantContent> {
  const made = next ?? TenantContent.create(gateway, stripe);
  next = made.then(() => TenantContent.create(gateway, stripe));
  next.catch(() => undefined); // the caller of `newTenant` gets the error
  return made;
}

async function keyOf({ adminClient }: TenantContent): Promise<TestClient> {
  const { body } = await adminClient.post<KeyResponse>('/v1/keys', { name: 'everything', scopes: '*' });
  return gateway.client().withToken(body.key);
}
beforeEach(() => gateway.resetRateLimits());
afterAll(async () => {
  await next?.catch(() => undefined);
  await gateway.stop();
  await host.stop();
  await stripe.stop();
});

const routes = listDocumentedRoutes();
const named = (some: DocumentedRoute[]) => some.map((route) => [`${route.method} ${route.path}`, route] as const);
/**
 * Routes tested in their own specs. Most need an active app first, and would here answer 404 to any
 * id.
 */
const WITH_SPECS_OF_THEIR_OWN = new Set([
  'GET /v1/events/stream', // its answer does not end
  'POST /v1/extensions/{app_id}/operate',
  'POST /v1/confirmations/{confirmation_id}/confirm',
  'POST /v1/confirmations/{confirmation_id}/accept',
  'GET /v1/secrets/{app_id}',
  'GET /v1/secrets/{app_id}/{name}',
  'GET /v1/secrets/{app_id}/{name}/meta',
  'PUT /v1/secrets/{app_id}/{name}',
  'DELETE /v1/secrets/{app_id}/{name}',
]);
/** Calls reach only active apps. */
const OF_PUBLISHED_APPS = new Set(['POST /v1/extensions/{app_id}/call', 'POST /v1/extensions/{app_id}/batch']);
const swept = routes.filter(
  (route) =>
    !WITH_SPECS_OF_THEIR_OWN.has(`${route.method} ${route.path}`) &&
    (acceptsWay(route, 'bearer') || acceptsWay(route, 'service')),
);

/** Rows of each victim when last read: they must not change between tests. */
const rows = new Map<string, Awaited<ReturnType<typeof rowsOfTenant>>>();

async function unharmed({ tenantId }: TenantContent, work: () => Promise<unknown>): Promise<void> {
  const before = rows.get(tenantId) ?? (await rowsOfTenant(gateway.service, tenantId));
  await work();
  const after = await rowsOfTenant(gateway.service, tenantId);
  rows.set(tenantId, after);
  expect(after).toEqual(before);
}

/**
 * Status for an unknown id that an administrator of a tenant gets; 403 on routes only for
 * administrators of the platform and users who have the app.
 */
const absence = ({ path }: DocumentedRoute): number =>
  /^\/v1\/(admin|actions\/stats\/extension)\//.test(path) ? 403 : 404;

/** Routes that read one record and take no tenant ignore the query. */
const ignoresQuery = ({ method, isList, query }: DocumentedRoute): boolean =>
  method === 'GET' && !isList && !query.some(({ name }) => name === 'tenant_id');

/**
 * Sets every boolean of the query to `true`, and names the other tenant in every possible header.
 */
const insisting = ({ query }: DocumentedRoute, tenantId: string) => ({
  query: Object.fromEntries(query.filter(({ schema }) => schema.type === 'boolean').map(({ name }) => [name, 'true'])),
  headers: { 'X-Tenant-Id': tenantId, 'X-Tenant': tenantId, 'X-Org-Id': tenantId },
});

it('every route of the gateway is here', async () => {
  const { body } = await gateway.client().get<OpenAPIObject>('/v1/openapi.json');
  const live = Object.entries(body.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(routes.map(({ method, path }) => `${method} ${path}`)).toEqual(live); // otherwise run `npm run openapi`
  expect(swept.length).toBeGreaterThanOrEqual(35);
});

it('every place of every route is of a kind: else name it in `fields` of a `*.content.ts`, or say in `OF_NO_TENANT` why it is of none', () => {
  const unknown = swept.flatMap((route) =>
    idPlacesOf(route)
      .filter((place) => !kindOf(place))
      .map((place) => `${route.method} ${route.path}: ${place.path.join('.')}`),
  );
  expect(unknown).toEqual([]);
});

it('the other tenant has something of every kind', () => {
  expect(KINDS.filter((kind) => !other.idsOf(kind).length)).toEqual([]);
});

it('the other tenant has something in every table in which tenants or users have something', async () => {
  const { service } = gateway;
  const owned = await service.query<{ name: string }>(
    `SELECT DISTINCT format('%I.%I', table_schema, table_name) AS name
     FROM information_schema.columns c JOIN pg_class t ON t.oid = format('%I.%I', table_schema, table_name)::regclass
     WHERE table_schema IN ('gateway', 'gateway_audit') AND column_name IN ('tenant_id', 'user_id') AND t.relkind IN ('r', 'p')
       AND NOT t.relispartition AND NOT t.relname = ANY ($1) ORDER BY 1`,
    [TABLES_WRITTEN_BY_JOBS],
  );
  const rows = await rowsOfTenant(service, other.tenantId);
  expect(owned.map(({ name }) => name).filter((name) => !rows[name]?.length)).toEqual([]);
});

describe.each(named(swept))('%s', (name, route) => {
  const places = idPlacesOf(route).filter(kindOf);
  const inPath = places.filter((place) => place.in === 'path');
  const elsewhere = places.filter((place) => place.in !== 'path');
  const admitted = () => callers.filter(({ way }) => acceptsWay(route, way));
  const asEach = (work: (caller: Stranger) => Promise<void>) => Promise.all(admitted().map(work));
  /**
   * A tenant for this route alone: the request can change the caller's data, and its values can
   * become names.
   */
  let spare: Promise<TenantContent> | undefined;
  const another = (): Promise<TenantContent> => (spare ??= newTenant());

  for (const place of inPath) {
    it('finds nothing of another tenant, whatever id of it stands in the path', () =>
      unharmed(other, () => {
        const free = admitted().filter(({ isFree }) => isFree);
        return asEach(async (caller) => {
          // Ids of other kinds are tried by one of the callers with all scopes, so that only the
          // tenant limits them.
          const kinds = KINDS.filter((kind, at) => kind === kindOf(place) || caller === free[at % free.length]);
          for (const kind of kinds) {
            const expected = kind === kindOf(place) && caller.isAdmin ? [absence(route)] : [401, 403, 404, 422];
            for (const { about, status } of await expectUnknown(route, caller, other, place, kind)) {
              expect([about, expected.includes(status)]).toEqual([about, true]);
            }
          }
        });
      }));

    it('finds nothing of another tenant that is named beside its id', () =>
      unharmed(other, () =>
        asEach(async (caller) => {
          const kind = kindOf(place) as string;
          const foreign = other.idsOf(kind).map((value) => ({ place, value, ...insisting(route, other.tenantId) }));
          const unknown = { place, value: newUnknownId(kind), ...insisting(route, newUnknownId('tenant')) };
          for (const { about, status } of await expectSame(route, caller, other, foreign, unknown)) {
            if (caller.isAdmin) expect([about, status]).toEqual([about, absence(route)]);
          }
        }),
      ));
  }

  if (!inPath.length)
    it('shows nothing of another tenant that is only named', () =>
      unharmed(other, () =>
        asEach(async (caller) => {
          const [value, nobody] = [other.tenantId, newUnknownId('tenant')];
          const unknown = { value: nobody, ...insisting(route, nobody) };
          await expectSame(route, caller, other, [{ value, ...insisting(route, value) }], unknown);
          const inQuery = (tenant_id: string) => ({ value: tenant_id, query: { tenant_id } });
          for (const { about, status } of await expectSame(route, caller, other, [inQuery(value)], inQuery(nobody))) {
            expect([about, ignoresQuery(route) || [403, 422].includes(status)]).toEqual([about, true]);
          }
        }),
      ));

  if (elsewhere.length)
    it('takes what is another tenant’s in the query or the body for what does not exist', async () => {
      const victim = route.method === 'GET' ? other : await another();
      await unharmed(victim, () =>
        asEach(async (caller) => {
          for (const place of elsewhere) await expectUnknown(route, caller, victim, place, kindOf(place) as string);
        }),
      );
    });

  if (places.length)
    it('does something with what is the caller’s own', async () => {
      const admin = admitted().find(({ isAdmin }) => isAdmin) as Stranger;
      const fresh = async ({ name, way }: Stranger): Promise<Caller> => {
        const own = await another();
        return {
          name,
          own,
          userId: own.admin.id,
          client: way === 'bearer' ? own.adminClient : gateway.actingFor(own.admin.id),
        };
      };
      const caller = route.method === 'GET' ? admin : await fresh(admin);
      if (OF_PUBLISHED_APPS.has(name)) await caller.own.publish();
      const required = elsewhere.find((place) => isRequiredField(route, caller, place));
      const answer = await sendFilled(route, caller, {
        place: required,
        value: required && caller.own.idsOf(kindOf(required) as string)[0],
      });
      expect([answer.body, [200, 201, 202, 204, 400, 402, 403, 409].includes(answer.status)]).toEqual([
        answer.body,
        true,
      ]);
    });
});
