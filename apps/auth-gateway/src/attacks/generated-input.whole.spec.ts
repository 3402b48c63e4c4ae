import {
  OpenApiConformance,
  type GeneratedCase,
  generateCases,
  type DocumentedRoute,
  listDocumentedRoutes,
  FakeStripe,
  type TestClient,
  getMediaType,
} from '@platform/testing';
import { EVENT_ID, fillRequest, kindOf, idPlacesOf } from '../testing/foreign-ids.js';
import { GatewayTest } from '../testing/gateway-test.js';
import { declaredSecret, FakeHostApps, logLine } from '../testing/fake-host-apps.js';
import { FakeHost } from '../testing/fake-host.js';
import { TenantContent } from '../testing/tenant-content.js';

/**
 * Fixed, so that runs are repeatable. `SEED` in the environment sets another seed, `CASES` more
 * inputs for each route.
 */
const SEED = Number(process.env['SEED'] ?? 18);
const CASES = Number(process.env['CASES'] ?? 6);

jest.setTimeout(600_000);

let host: FakeHost;
let stripe: FakeStripe;
let gateway: GatewayTest;
let other: TenantContent;
let own: TenantContent;
/** Administrator of the platform; a few routes are only for them. */
let operator: TestClient;
const declared = new OpenApiConformance('auth-gateway', ['registry_unavailable']); // no Registry runs here

beforeAll(async () => {
  host = await FakeHost.start();
  const content = new FakeHostApps();
  content.secrets = [declaredSecret('x', { scope: 'app' })];
  content.deliveries = ['x'];
  content.schedules = ['x'];
  content.lines = [logLine('1', 'It rains.')]; // otherwise the request would wait for a line
  content.events = [EVENT_ID];
  host.answers = (request) => content.answer(request);
  stripe = await FakeStripe.start();
  gateway = await GatewayTest.start({ EXT_WEBHOOK_HOST_URL: host.url, STRIPE_API_URL: stripe.url });
  other = await TenantContent.create(gateway, stripe);
  operator = await gateway.signIn(await gateway.user({ role: 'admin' }));
});
afterAll(async () => {
  await gateway.stop();
  await host.stop();
  await stripe.stop();
});

/** Events of a stream are tested in its own specs; webhooks of the provider are signed. */
const LEFT_OUT = new Set(['GET /v1/events/stream', 'POST /v1/webhooks/stripe']);
/** Installs need the Registry, which does not run here. */
const NO_REGISTRY = /"msg":"(POST|DELETE) 503"/;
/** Drafts are not found by these routes. */
const OF_PUBLISHED_APPS =
  /^\/v1\/(marketplace|secrets|confirmations|extensions|users\/\{user_id\}\/extensions|me\/extensions)\b/;
/** GET first, while the data exists; DELETE last. */
const ORDER = ['GET', 'PUT', 'PATCH', 'POST', 'DELETE'];
const routes = listDocumentedRoutes()
  .filter(({ method, path }) => !LEFT_OUT.has(`${method} ${path}`))
  .sort((one, another) => ORDER.indexOf(one.method) - ORDER.indexOf(another.method));

/**
 * An administrator of a tenant with data of every feature; a new one if the last was deleted or
 * signed out.
 */
async function someone(): Promise<TenantContent> {
  const isThere = (own as TenantContent | undefined) && (await own.adminClient.get('/v1/auth/me')).status === 200;
  if (!isThere) own = await TenantContent.create(gateway, stripe);
  return own;
}

/** Client with the credential that the route requires. */
function clientOf({ path, security }: DocumentedRoute, { admin, adminClient }: TenantContent): TestClient {
  if (!security.length) return gateway.client();
  if (/^\/v1\/(admin|tenants)\b/.test(path)) return operator;
  if (security.some((way) => way.join() === 'bearer')) return adminClient;
  return security.some((way) => way.includes('actingUser')) ? gateway.actingFor(admin.id) : gateway.backend();
}

const sendAs = (client: TestClient, route: DocumentedRoute, path: string, search: string, body?: unknown) =>
  client.request(route.method, search ? `${path}?${search}` : path, body);

describe(`generated requests (seed ${SEED}, ${CASES} of each route)`, () => {
  describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
    it('answers as it is documented, whatever is sent', async () => {
      await gateway.resetRateLimits();
      const content = await someone();
      const caller = {
        name: 'an administrator',
        client: clientOf(route, content),
        own: content,
        userId: content.admin.id,
      };
      if (OF_PUBLISHED_APPS.test(route.path)) await content.publish();
      const { path, search, body } = fillRequest(route, caller, { ownApps: true });
      const faults: string[] = [];
      const tryOne = async ({ description: what, body: sent, query }: GeneratedCase, at = path) => {
        const asked = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(search)), ...query }).toString();
        const answer = await sendAs(caller.client, route, at, asked, sent);
        faults.push(...declared.findFaults(route, what, sent, answer));
      };
      for (const one of generateCases(route, body, SEED).slice(0, CASES)) await tryOne(one);
      for (const place of idPlacesOf(route).filter(({ in: where }) => where === 'path')) {
        const kind = kindOf(place);
        const foreign = kind ? other.idsOf(kind).slice(0, 1) : [];
        for (const value of [...foreign, 'ä/..', '\u202e', '0', '-1', '9'.repeat(25), 'x'.repeat(300)]) {
          await tryOne({ description: `the path ${value}`, body }, fillRequest(route, caller, { place, value }).path);
        }
      }
      const fresh = await someone();
      const last = { ...caller, client: clientOf(route, fresh), own: fresh, userId: fresh.admin.id };
      if (OF_PUBLISHED_APPS.test(route.path)) await fresh.publish();
      const right = fillRequest(route, last, { ownApps: true });
      const answer = await sendAs(last.client, route, right.path, right.search, right.body);
      faults.push(...declared.findFaults(route, 'what is right', right.body, answer));
      const { status, headers, body: answered } = answer;
      const exchange = { method: route.method, path: right.path, sent: right.body, status, body: answered };
      gateway.service.examples?.record({ ...exchange, type: getMediaType(headers) }, { chosen: true });
      expect(faults).toEqual([]);
    });
  });

  it('nothing was unexpected', () => {
    expect(
      gateway.service.logLines.filter((line) => line.includes('"level":"error"') && !NO_REGISTRY.test(line)),
    ).toEqual([]);
  });
});
