import type { TestClient } from '@platform/testing';
import { backend, createTenant, keyHolder, newApp, RegistryTest, type KeyHolder } from '../testing/registry.js';

let test: RegistryTest;
let service: TestClient;
let acme: string;
let bert: string;
let owner: KeyHolder;
let ofAcme: KeyHolder;
let ofBert: KeyHolder;
beforeAll(async () => {
  test = await RegistryTest.start();
  service = backend(test);
  [acme, bert] = await Promise.all([newTenant(), newTenant()]);
  [owner, ofAcme, ofBert] = await Promise.all([
    keyHolder(test, { tenant_id: acme }),
    keyHolder(test, { tenant_id: acme, role: 'admin' }),
    keyHolder(test, { tenant_id: bert, role: 'admin' }),
  ]);
});
afterAll(() => test.stop());

const newTenant = async () => (await createTenant(test.gateway.backend())).id;
const path = (id: string) => `/v1/apps/${id}/settings`;
const get = async (id: string, { client }: { client: TestClient }) => (await client.get(path(id))).body;
const put = (id: string, { client }: { client: TestClient }, update: unknown, headers = {}) =>
  client.put(path(id), update, { headers });

/** Creates an active app of the owner, with a value in each layer. */
async function layered(): Promise<{ id: string; all: object }> {
  const id = await newApp(service, { owner_id: owner.id, status: 'active' });
  const all = {
    mode: 'fast',
    skeleton: { ttl: 30 },
    layers: {
      platform: { limit: 1 },
      tenants: {
        [acme]: { enforced: { mode: 'safe' } },
        [bert]: { config: { home: 'private' }, enforced: { mode: 'slow' } },
      },
    },
  };
  expect((await put(id, { client: service }, all)).status).toBe(200);
  return { id, all };
}
const OF_APP = { mode: 'fast', skeleton: { ttl: 30 } };

describe('of an app’s settings', () => {
  it('nobody sees what tenants or the platform say, but the tenant’s administrators theirs and the platform all', async () => {
    const { id, all } = await layered();
    const [stranger, narrow, root] = await Promise.all([
      keyHolder(test),
      keyHolder(test, { tenant_id: acme, role: 'admin' }, 'users:read,apps:*'),
      keyHolder(test, { role: 'admin' }),
    ]);
    for (const reader of [owner, stranger, narrow]) expect(await get(id, reader)).toEqual(OF_APP);
    expect(await get(id, ofAcme)).toEqual({
      ...OF_APP,
      layers: { tenants: { [acme]: { enforced: { mode: 'safe' } } } },
    });
    expect(await get(id, root)).toEqual(all);
    expect(await get(id, { client: service })).toEqual(all);
  });

  it('the tag says nothing of what one does not see', async () => {
    const { id } = await layered();
    const tag = async (of: KeyHolder) => (await of.client.get(path(id))).headers.get('etag') as string;
    const before = [await tag(owner), await tag(ofAcme)];
    const changed = { layers: { platform: { limit: 2 }, tenants: { [bert]: { config: { home: 'other' } } } } };
    expect((await put(id, { client: service }, changed)).status).toBe(200);
    expect([await tag(owner), await tag(ofAcme)]).toEqual(before);
    expect((await put(id, owner, { mode: 'slow' }, { 'If-Match': before[0] })).status).toBe(200);
    expect(await put(id, owner, { mode: 'x' }, { 'If-Match': before[0] })).toMatchObject({ status: 412 });
    const mine = await tag(owner);
    expect((await put(id, ofAcme, { layers: { tenants: { [acme]: { config: { a: 1 } } } } })).status).toBe(200);
    expect(await tag(owner)).toBe(mine);
  });

  it('the developer changes all but the layers, and keeps what they do not see', async () => {
    const { id, all } = await layered();
    const answer = await put(id, owner, { mode: null, colour: 'red' });
    expect(answer).toMatchObject({ status: 200, body: { skeleton: { ttl: 30 }, colour: 'red' } });
    expect(answer.body).not.toHaveProperty('layers');
    const { mode: _removed, ...kept } = all as { mode: string };
    expect(await get(id, { client: service })).toEqual({ ...kept, colour: 'red' });
  });

  it.each([
    ['all of them', null],
    ['none', {}],
    ['the platform’s', { platform: { limit: 9 } }],
    ['all tenants’', { tenants: null }],
    ['no list of tenants', { tenants: [] }],
    ['one’s own and another’s', 'both'],
    ['another’s', 'other'],
    ['one’s own and the platform’s', 'platform'],
    ['text', 'text'],
  ])(
    'layers that are not theirs are changed by no developer and no administrator of a tenant: %s',
    async (_what, given) => {
      const { id, all } = await layered();
      const own = { [acme]: { enforced: { mode: 'mine' } } };
      const other = { [bert]: null };
      const layers =
        given === 'both'
          ? { tenants: { ...own, ...other } }
          : given === 'other'
            ? { tenants: other }
            : given === 'platform'
              ? { tenants: own, platform: null }
              : given;
      for (const writer of [owner, ofAcme]) {
        for (const update of [{ layers }, { mode: 'x', layers }]) {
          expect(await put(id, writer, update)).toMatchObject({
            status: 403,
            body: { code: expect.stringMatching(/app\.(other_layer|not_yours)/) },
          });
        }
      }
      expect(await get(id, { client: service })).toEqual(all);
    },
  );

  it('a tenant’s administrator changes what the tenant says, and nothing of the app', async () => {
    const { id, all } = await layered();
    const update = { layers: { tenants: { [acme]: { enforced: { mode: null }, config: { a: 1 } } } } };
    const mine = { ...OF_APP, layers: { tenants: { [acme]: { enforced: {}, config: { a: 1 } } } } };
    expect(await put(id, ofAcme, update)).toMatchObject({ status: 200, body: mine });
    expect(await get(id, ofBert)).toMatchObject({ layers: { tenants: { [bert]: { enforced: { mode: 'slow' } } } } });
    for (const more of [{ mode: 'x' }, {}, { ...update, mode: 'x' }, { skeleton: null }]) {
      expect(await put(id, ofAcme, more)).toMatchObject({ status: 403, body: { code: 'app.not_yours' } });
    }
    for (const writer of [owner, ofBert, await keyHolder(test, { tenant_id: acme, role: 'admin' }, 'apps:*')]) {
      expect(await put(id, writer, update)).toMatchObject({ status: 403, body: { code: 'app.other_layer' } });
    }
    expect((await put(id, ofAcme, { layers: { tenants: { [acme]: null } } })).body).toEqual(OF_APP);
    const { layers } = all as { layers: { platform: object; tenants: Record<string, object> } };
    expect(await get(id, { client: service })).toEqual({
      ...all,
      layers: { ...layers, tenants: { [bert]: layers.tenants[bert] } },
    });
  });

  it('one’s own app, as the administrator of one’s tenant, has both parts', async () => {
    const id = await newApp(service, { owner_id: ofAcme.id, status: 'draft' });
    const update = { mode: 'x', layers: { tenants: { [acme]: { config: { a: 1 } } } } };
    expect(await put(id, ofAcme, update)).toMatchObject({ status: 200, body: update });
    expect(await ofBert.client.get(path(id))).toMatchObject({ status: 404 });
    expect(await put(id, ofBert, { layers: { tenants: { [bert]: {} } } })).toMatchObject({ status: 404 });
  });

  it('a tenant takes no room from the developer or another tenant', async () => {
    const { id } = await layered();
    const of = (tenant: string, length: number) => ({
      layers: { tenants: { [tenant]: { config: { a: 'x'.repeat(length) } } } },
    });
    expect(await put(id, ofAcme, of(acme, 17_000))).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'too_long' }] },
    });
    expect((await put(id, ofAcme, of(acme, 15_000))).status).toBe(200);
    expect((await put(id, owner, { text: 'x'.repeat(60_000) })).status).toBe(200);
    expect((await put(id, ofBert, of(bert, 15_000))).status).toBe(200);
    expect((await put(id, owner, { text: 'x'.repeat(70_000) })).status).toBe(422);
  });
});
