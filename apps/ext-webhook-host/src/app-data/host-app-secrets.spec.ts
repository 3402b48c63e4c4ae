import type { DeclaredSecret } from '@platform/contracts';
import { functionOf, HostTest, step, userNamed } from '../testing/host.js';

let host: HostTest;
beforeAll(async () => {
  host = await HostTest.start();
});
afterAll(() => host.stop());

const deploy = () =>
  host.deploy({
    secrets: [
      { name: 'api_key', description: 'Of the provider.', scope: 'app', max_bytes: 10 },
      { name: 'token', scope: 'user' },
      { name: 'issued', scope: 'user', write_mode: 'extension' },
    ],
    steps: [
      functionOf('both', [
        step('a', 'secret.get', { name: 'api_key' }),
        step('b', 'secret.get', { name: 'token' }),
        step('known', 'control.if', {
          if: {
            and: [
              { field: '{{ steps.a.value }}', eq: 'app-key' },
              { field: '{{ steps.b.value }}', eq: 'of-ada' },
            ],
          },
          then: [step('yes', 'control.return', { data: true })],
          else: [step('no', 'control.return', { data: false })],
        }),
      ]),
    ],
  });

const OF_APP = '?scope=app';
const OF_ADA = '?scope=user&user_id=usr_ada&tenant_id=acme';
const OF_BOB = '?scope=user&user_id=usr_bob&tenant_id=acme';
const at = (appId: string, path = '') => `/v1/internal/apps/${appId}/secrets${path}`;
const put = (appId: string, name: string, owner: string, value: string) =>
  host.backend().put(at(appId, `/${name}${owner}`), { value });

describe('secrets of an app', () => {
  it('are set, listed without their values, read by runs, and deleted', async () => {
    const app = deploy();
    const id = app.app_id;
    expect(await put(id, 'api_key', OF_APP, 'app-key')).toMatchObject({ status: 204 });
    expect(await put(id, 'token', OF_ADA, 'of-ada')).toMatchObject({ status: 204 });
    const listed = (await host.backend().get<DeclaredSecret[]>(at(id, OF_APP))).body;
    expect(listed).toEqual([
      {
        ...{ name: 'api_key', description: 'Of the provider.', scope: 'app', write_mode: 'user', is_set: true },
        ...{ updated_at: expect.any(String), last_accessed_at: null },
      },
    ]);
    expect((await host.backend().get<DeclaredSecret[]>(at(id, OF_ADA))).body).toMatchObject([
      { name: 'token', is_set: true },
      { name: 'issued', is_set: false, updated_at: null },
    ]);
    expect((await host.backend().get(at(id, `/token${OF_ADA}`))).body).toEqual({ value: 'of-ada' });
    expect((await host.runFunction(app, { function: 'both', user: userNamed('usr_ada') })).body.data).toBe(true);
    expect((await host.runFunction(app, { function: 'both', user: userNamed('usr_bob') })).body.data).toBe(false);
    for (const owner of [OF_APP, OF_ADA]) {
      const [secret] = (await host.backend().get<DeclaredSecret[]>(at(id, owner))).body;
      expect(Date.parse(secret?.last_accessed_at ?? '')).toBeGreaterThanOrEqual(Date.parse(secret?.updated_at ?? ''));
    }
    expect((await host.backend().get<DeclaredSecret[]>(at(id, OF_BOB))).body).toMatchObject([
      { is_set: false, last_accessed_at: null },
      {},
    ]);
    expect((await host.backend().delete(at(id, `/token${OF_ADA}`))).body).toEqual({ was_set: true });
    expect((await host.backend().delete(at(id, `/token${OF_ADA}`))).body).toEqual({ was_set: false });
    expect(await host.backend().get(at(id, `/token${OF_ADA}`))).toMatchObject({
      status: 404,
      body: { code: 'secret.not_set' },
    });
  });

  it('are those that the running version declares, of the scope that was asked for', async () => {
    const { app_id: id } = deploy();
    for (const answer of [
      await put(id, 'other', OF_APP, 'x'),
      await put(id, 'token', OF_APP, 'x'),
      await host.backend().get(at(id, `/api_key${OF_ADA}`)),
      await host.backend().delete(at(id, `/other${OF_APP}`)),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'secret.not_declared' } });
    }
    expect(await host.backend().get(at('nobody-has-this', OF_APP))).toMatchObject({
      status: 404,
      body: { code: 'app.not_found' },
    });
  });

  it('are refused when they are too long, another’s to set, or nobody’s', async () => {
    const { app_id: id } = deploy();
    const long = await put(id, 'api_key', OF_APP, '12345678901');
    expect(long).toMatchObject({ status: 400, body: { code: 'secret.invalid' } });
    expect(JSON.stringify(long.body)).not.toContain('1234567890');
    expect(await put(id, 'issued', OF_ADA, 'x')).toMatchObject({ status: 403, body: { code: 'secret.read_only' } });
    expect(await put(id, 'token', '?scope=user', 'x')).toMatchObject({
      status: 400,
      body: { code: 'secret.user_missing' },
    });
    expect((await put(id, 'token', OF_ADA, '')).status).toBe(422);
    expect((await host.service.client().get(at(id, OF_APP))).status).toBe(401);
  });
});
