import { newId } from '@platform/platform';
import {
  OpenApiConformance,
  generateCases,
  type DocumentedRoute,
  listDocumentedRoutes,
  createSample,
  type TestClient,
} from '@platform/testing';
import {
  backend,
  createTenant,
  keyHolder,
  newApp,
  push,
  RegistryTest,
  tool,
  type KeyHolder,
} from './testing/registry.js';

/** Fixed seed; set `SEED` to try others, and `CASES` for more cases of each route. */
const SEED = Number(process.env['SEED'] ?? 18);
const CASES = Number(process.env['CASES'] ?? 25);

let test: RegistryTest;
let service: TestClient;
/** Owner of the tested app. */
let owner: KeyHolder;
/** User of another tenant, with an own app. */
let stranger: KeyHolder;
let foreign: string;
const declared = new OpenApiConformance('registry');
beforeAll(async () => {
  test = await RegistryTest.start();
  service = backend(test);
  const { id: tenant_id } = await createTenant(test.gateway.backend());
  [owner, stranger] = [await keyHolder(test), await keyHolder(test, { tenant_id })];
  foreign = await ownedApp(stranger, 'draft');
});
afterAll(() => test.stop());

/** Creates an app with a manifest of one version. */
async function ownedApp({ id }: KeyHolder, status = 'active'): Promise<string> {
  const app = await newApp(service, { owner_id: id, status });
  await push(service, app, [tool('send')]);
  return app;
}

/** Bodies with more content than a sample of their schema. */
const BODIES: Record<string, (app: string) => Record<string, unknown>> = {
  'PUT /v1/apps/{app_id}/tools': () => ({ tools: [tool('send')], skeleton_sections: [], version: '1.0.0' }),
  'PUT /v1/apps/{app_id}/settings': () => ({ theme: 'dark' }),
  'POST /v1/users/{user_id}/extensions': (app_id) => ({ app_id, config: { theme: 'dark' } }),
};
const bodyOf = ({ method, path, schema }: DocumentedRoute, app: string): Record<string, unknown> | undefined => {
  const sample = schema ? (createSample(schema) as Record<string, unknown>) : undefined;
  return BODIES[`${method} ${path}`]?.(app) ?? sample;
};

/** Order of methods: first the reads, because they need data; deletions last. */
const ORDER = ['GET', 'PUT', 'PATCH', 'POST', 'DELETE'];
const routes = listDocumentedRoutes('registry').sort(
  (one, other) => ORDER.indexOf(one.method) - ORDER.indexOf(other.method),
);

/** Changes of the usual request. */
interface Sending<Body> {
  client?: TestClient;
  sent?: Body;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Values of path parameters, by name. */
  place?: Record<string, string>;
}

describe(`generated requests (seed ${SEED}, ${CASES} of each route)`, () => {
  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s: answers as it is documented',
    async (_name, route) => {
      const ids = { app_id: await ownedApp(owner), user_id: owner.id };
      await service.post(`/v1/users/${owner.id}/extensions`, { app_id: ids.app_id });
      const body = bodyOf(route, ids.app_id);
      const needed = Object.fromEntries(
        route.query.flatMap(({ name, required }) => (required || name === 'user_id' ? [[name, owner.id]] : [])),
      );
      const faults: string[] = [];
      const send = async (
        what: string,
        { client = service, sent = body, query = {}, headers = {}, place }: Sending<typeof body> = {},
      ) => {
        const path = route.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
          encodeURIComponent(place?.[name] ?? ids[name as keyof typeof ids]),
        );
        const search = new URLSearchParams({ ...needed, ...query }).toString();
        const answer = await client.request(route.method, `${path}${search && '?'}${search}`, sent, { headers });
        faults.push(...declared.findFaults(route, what, sent, answer));
      };
      await send('what is right');
      for (const { description: what, body: sent, query } of generateCases(route, body, SEED).slice(0, CASES)) {
        await send(what, { ...(sent !== undefined && { sent: sent as typeof body }), ...(query && { query }) });
      }
      for (const name of [...route.path.matchAll(/\{(\w+)\}/g)].map(([, found = '']) => found)) {
        const others = name === 'app_id' ? [foreign, newId('app')] : [stranger.id, newId('usr')];
        for (const value of [...others, 'ä/..', '\u202e', '0', '-1', '9'.repeat(25), 'x'.repeat(300)]) {
          for (const client of [service, owner.client])
            await send(`${name}: ${value}`, { client, place: { [name]: value } });
        }
      }
      for (const [name, value] of [
        ['If-Match', '"x"'],
        ['If-Match', 'x'],
        ['If-Match', '*'],
        ['If-None-Match', '*'],
      ] as const) {
        await send(`${name}: ${value}`, { headers: { [name]: value } });
      }
      for (const [what, client] of Object.entries({
        owner: owner.client,
        stranger: stranger.client,
        nobody: test.registry.client(),
      }))
        await send(what, { client });
      expect(faults).toEqual([]);
    },
  );

  it('nothing was unexpected', () =>
    expect(test.registry.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]));
});
