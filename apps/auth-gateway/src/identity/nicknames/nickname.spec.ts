import type { KeyResponse } from '@platform/contracts';
import { GatewayTest } from '../../testing/gateway-test.js';
import { auditEntriesOf } from '../../testing/developers.js';
import { expectNothingStored } from '../../testing/stored-rows.js';

let gateway: GatewayTest;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  await gateway.user({ nickname: 'taken-one' });
});
afterAll(() => gateway.stop());

const PATH = '/v1/me/nickname';
const newClient = async (changes = {}) => gateway.actingFor((await gateway.user(changes)).id);

it('is none at first, then the one that was taken, then another', async () => {
  const user = await gateway.user();
  const client = await gateway.signIn(user);
  expect(await client.get(PATH)).toMatchObject({ status: 200, body: { nickname: null } });
  expect(await client.put(PATH, { nickname: 'ada_lovelace-1815' })).toMatchObject({
    status: 200,
    body: { nickname: 'ada_lovelace-1815' },
  });
  expect((await client.get(PATH)).body).toEqual({ nickname: 'ada_lovelace-1815' });
  expect((await client.put(PATH, { nickname: 'countess' })).status).toBe(200);
  expect((await client.put(PATH, { nickname: 'countess' })).status).toBe(200);
  expect((await client.get(PATH)).body).toEqual({ nickname: 'countess' });
  const other = await newClient();
  expect((await other.put(PATH, { nickname: 'ada_lovelace-1815' })).status).toBe(200);
  const history = await auditEntriesOf(gateway, user.id);
  expect(history.map(({ action }) => action)).toEqual(['user.nickname_set', 'user.nickname_set']);
  expect(JSON.stringify(history)).not.toContain('countess');
});

it('belongs to whoever calls, by whatever credential', async () => {
  const user = await gateway.user({ nickname: 'grace' });
  const session = await gateway.signIn(user);
  const { key } = (await session.post<KeyResponse>('/v1/keys', { name: 'a key' })).body;
  const clients = [
    session,
    gateway.client().withHeaders({ 'x-api-key': key }),
    gateway.client().withToken(key),
    gateway.actingFor(user.id),
  ];
  for (const client of clients) expect((await client.get(PATH)).body).toEqual({ nickname: 'grace' });
  expect((await gateway.backend().get(`${PATH}?user_id=${user.id}`)).body).toEqual({ nickname: 'grace' });
  expect((await gateway.backend().put(PATH, { nickname: 'hopper', user_id: user.id })).body).toEqual({
    nickname: 'hopper',
  });
  const other = await gateway.user();
  expect(await session.put(PATH, { nickname: 'mine', user_id: other.id })).toMatchObject({
    status: 403,
    body: { code: 'other_user' },
  });
  expect((await gateway.client().get(PATH)).status).toBe(401);
  expect((await gateway.backend().get(PATH)).status).toBe(422);
});

it.each([
  ['one that somebody has', { nickname: 'taken-one' }, 409, { code: 'nickname.taken' }],
  ['one that is reserved', { nickname: 'support' }, 400, { code: 'nickname.reserved' }],
  [
    'one of two characters',
    { nickname: 'ad' },
    422,
    { detail: [{ loc: ['body', 'nickname'], type: 'string_pattern_mismatch' }] },
  ],
  [
    'one with capitals',
    { nickname: 'Ada' },
    422,
    { detail: [{ loc: ['body', 'nickname'], type: 'string_pattern_mismatch' }] },
  ],
  ['none', {}, 422, { detail: [{ loc: ['body', 'nickname'], type: 'missing' }] }],
  ['null', { nickname: null }, 422, { detail: [{ loc: ['body', 'nickname'], type: 'string_type' }] }],
])('refuses %s', async (_what, body, status, expected) => {
  const client = await newClient();
  await expectNothingStored(gateway.service, async () => {
    expect(await client.put(PATH, body)).toMatchObject({ status, body: expected });
  });
});

it('is got by one of 50 who want it at once, of whatever tenant', async () => {
  const clients = await Promise.all(Array.from({ length: 50 }, () => newClient()));
  const answers = await Promise.all(clients.map((client) => client.put(PATH, { nickname: 'wanted' })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
});
