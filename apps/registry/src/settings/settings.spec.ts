import type { TestClient } from '@platform/testing';
import { backend, keyHolder, newApp, RegistryTest, type KeyHolder } from '../testing/registry.js';

let test: RegistryTest;
let service: TestClient;
let owner: KeyHolder;
let stranger: KeyHolder;
beforeAll(async () => {
  test = await RegistryTest.start();
  service = backend(test);
  [owner, stranger] = await Promise.all([keyHolder(test), keyHolder(test)]);
});
afterAll(() => test.stop());

const refusal = (status: number, code: string) => ({ status, body: { code } });
const settings = (id: string) => `/v1/apps/${id}/settings`;
const get = async (id: string) => (await service.get(settings(id))).body;
const put = (id: string, update: unknown, headers = {}) => service.put(settings(id), update, { headers });

describe('the settings of an app', () => {
  it('are empty at first, and merged at any depth', async () => {
    const id = await newApp(service);
    expect(await service.get(settings(id))).toMatchObject({ status: 200, body: {} });
    await put(id, { skeleton: { ttl: 300, sections: [{ section_name: 'open', ttl: 60 }] }, mode: 'fast' });
    const changed = { skeleton: { ttl: 30, sections: [{ section_name: 'open', ttl: 10 }] }, mode: 'fast' };
    expect(await put(id, { skeleton: { ttl: 30, sections: [{ section_name: 'open', ttl: 10 }] } })).toMatchObject({
      status: 200,
      body: changed,
    });
    expect(await put(id, { mode: null, skeleton: { sections: null, deep: { er: null } } })).toMatchObject({
      status: 200,
    });
    expect(await get(id)).toEqual({ skeleton: { ttl: 30, deep: {} } });
  });

  it('lose none of many updates that come at once', async () => {
    const id = await newApp(service);
    await put(id, { counters: {}, last: 0 });
    const beside = await test.startSecondRegistry();
    const other = beside.client().withHeaders({ 'X-Service-Token': 'test-service-token-0123456789' });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_value, at) =>
        (at % 2 ? service : other).put(settings(id), { counters: { [`at_${at}`]: at }, last: at }),
      ),
    );
    await beside.stop();
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
    expect(Object.keys((await get(id)) as { counters: object })).toEqual(expect.arrayContaining(['counters', 'last']));
    expect(Object.keys(((await get(id)) as { counters: object }).counters)).toHaveLength(40);
  });

  it('answer 304 until they change, and refuse a change that was meant for another state', async () => {
    const id = await newApp(service);
    const etag = (await put(id, { a: 1 })).headers.get('etag') as string;
    const again = () => stranger.client.get(settings(id), { headers: { 'If-None-Match': etag } });
    expect(await again()).toMatchObject({ status: 304, body: '' });
    const answers = await Promise.all([2, 3, 4].map((a) => put(id, { a }, { 'If-Match': etag })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    expect((await again()).status).toBe(200);
  });

  it.each([
    ['{"__proto__":{"polluted":true}}', ['__proto__']],
    ['{"skeleton":{"__proto__":{"polluted":true}}}', ['skeleton', '__proto__']],
    ['{"skeleton":{"constructor":{"prototype":{"polluted":true}}}}', ['skeleton', 'constructor']],
    ['{"list":[{"deep":[{"prototype":{"polluted":true}}]}]}', ['list', 0, 'deep', 0, 'prototype']],
    ['{"\\u005f_proto__":{"polluted":true}}', ['__proto__']],
  ])('refuse %s, which would reach a prototype', async (raw, path) => {
    const id = await newApp(service);
    const answer = await service.put(settings(id), undefined, { raw, headers: { 'Content-Type': 'application/json' } });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', ...path], type: 'extra_forbidden' }] },
    });
    expect(await get(id)).toEqual({});
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each([
    ['[]', [], 'dict_type'],
    ['{"a":1e400}', ['a'], 'finite_number'],
    ['{"smtp":{"password":"x"}}', ['smtp', 'password'], 'value_error'],
    ['{"a":[{"API-Key":"x"}]}', ['a', 0, 'API-Key'], 'value_error'],
  ])('refuse %s', async (raw, path, type) => {
    const id = await newApp(service);
    const answer = await service.put(settings(id), undefined, { raw, headers: { 'Content-Type': 'application/json' } });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', ...path], type }] } });
  });

  it('are changed by an object alone', async () => {
    const id = await newApp(service);
    for (const raw of ['"text"', 'null', '1']) {
      expect(
        (await service.put(settings(id), undefined, { raw, headers: { 'Content-Type': 'application/json' } })).status,
      ).toBe(422);
    }
    expect((await service.put(settings(id))).status).toBe(422);
  });

  it('have 64 KiB at most, all together', async () => {
    const id = await newApp(service);
    const half = 'x'.repeat(40_000);
    expect((await put(id, { a: half })).status).toBe(200);
    expect(await put(id, { b: half })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body'], type: 'too_long' }] },
    });
    expect(await get(id)).toEqual({ a: half });
    expect((await put(id, { a: null, b: half })).status).toBe(200);
  });

  it('are the owner’s to change, and read with the app', async () => {
    const id = await newApp(service, { owner_id: owner.id });
    expect((await owner.client.put(settings(id), { a: 1 })).status).toBe(200);
    expect(await stranger.client.put(settings(id), { a: 2 })).toMatchObject(refusal(403, 'app.not_yours'));
    expect((await stranger.client.get(settings(id))).body).toEqual({ a: 1 });
    await service.put(`/v1/apps/${id}`, { status: 'suspended' });
    expect(await stranger.client.get(settings(id))).toMatchObject(refusal(404, 'app.not_found'));
    expect(await service.put(settings('no-such-app'), {})).toMatchObject(refusal(404, 'app.not_found'));
  });
});
