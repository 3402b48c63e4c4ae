import { newUuid } from '@platform/platform';
import { EventStreamClient, until } from '@platform/testing';
import { createApp, installApp } from '../../testing/apps.js';
import { GatewayTest, type TestUser } from '../../testing/gateway-test.js';
import { createRunGrant } from '../../testing/run-grants.js';

let gateway: GatewayTest;
let user: TestUser;
let appId: string;
beforeAll(async () => (gateway = await GatewayTest.start({ EVENT_QUOTA_MB: '1' })));
beforeEach(async () => {
  user = await gateway.user();
  ({ app_id: appId } = await createApp(gateway, { document: {} }));
  await installApp(gateway, appId, user.id);
});
afterAll(() => gateway.stop());

const query = <Row>(sql: string, values: unknown[] = []) => gateway.service.query<Row>(sql, values);
async function say(text: string, changes: object = {}, userId: string | null = user.id) {
  const grant = await createRunGrant(gateway.service, appId, { userId });
  return gateway.backend().post<{ code?: string }>('/v1/internal/chat-messages', {
    grant,
    message_id: newUuid(),
    text,
    type: 'response',
    ...changes,
  });
}
const said = (id = user.id) =>
  query<{ payload: Record<string, unknown>; source_type: string; source: string }>(
    "SELECT payload, source_type, source FROM platform_events WHERE type = 'chat_message' AND user_id = $1 ORDER BY insert_number",
    [id],
  );

it('is heard by the user of the run on their stream, and by nobody else', async () => {
  const other = await gateway.user();
  const follow = async (one: TestUser) =>
    EventStreamClient.open(`${gateway.service.url}/v1/events/stream?source_types=chat`, {
      Authorization: `Bearer ${(await gateway.login(one)).access_token}`,
    });
  const [mine, theirs] = await Promise.all([follow(user), follow(other)]);
  try {
    const message_id = newUuid();
    expect((await say('Done.', { message_id, type: 'tool_result', refresh_panels: ['notes'] })).status).toBe(204);
    await until(() => mine.events.length);
    expect(mine.events).toMatchObject([
      {
        type: 'chat_message',
        payload: { message_id, text: 'Done.', type: 'tool_result', app_id: appId, refresh_panels: ['notes'] },
      },
    ]);
    expect(theirs.events).toEqual([]);
  } finally {
    mine.close();
    theirs.close();
  }
  const [event] = await query<{ id: string }>(
    "SELECT id FROM platform_events WHERE type = 'chat_message' AND user_id = $1",
    [user.id],
  );
  expect(await query('SELECT FROM outbox WHERE payload ->> $1 = $2', ['event_id', event?.id])).toEqual([]);
});

it('is said once, however often the host says it, and counts once', async () => {
  const message_id = newUuid();
  await Promise.all(Array.from({ length: 5 }, () => say('Hello', { message_id })));
  expect((await said()).map(({ payload }) => payload['text'])).toEqual(['Hello']);
});

it('is said by a run of a user, of a size, and of a type', async () => {
  expect(await say('Hello', {}, null)).toMatchObject({ status: 403, body: { code: 'run_grant.no_user' } });
  expect((await say('x'.repeat(65_536))).status).toBe(204);
  expect((await say('x'.repeat(65_537))).status).toBe(422);
  // The JSON text is twice as long.
  expect(await say('"'.repeat(65_536))).toMatchObject({ status: 400, body: { code: 'chat_message.too_large' } });
  for (const changes of [
    { type: 'shout' },
    { message_id: 'x' },
    { refresh_panels: Array<string>(21).fill('a') },
    { user_id: user.id },
  ])
    expect((await say('Hello', changes)).status).toBe(422);
  expect((await say('\u0007')).status).toBe(422);
  expect(await said()).toHaveLength(1);
});

it('floods no user: 30 of an app in a minute', async () => {
  const answers = [];
  for (let at = 0; at < 45; at++) answers.push(await say(`${at}`));
  const refused = answers.filter(({ status }) => status !== 204);
  expect(refused.length).toBeGreaterThan(5);
  for (const answer of refused) expect(answer).toMatchObject({ status: 429, body: { code: 'chat_message.too_many' } });
  expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await said()).toHaveLength(45 - refused.length);
  // Another app is not affected.
  ({ app_id: appId } = await createApp(gateway, { document: {} }));
  await installApp(gateway, appId, user.id);
  expect((await say('Hello')).status).toBe(204);
});

it('is no more in a day than the apps of its developer may publish', async () => {
  const answers = [];
  for (let at = 0; at < 6; at++) answers.push(await say('x'.repeat(60_000)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.slice(0, 4)).toEqual([204, 204, 204, 204]);
  expect(answers.at(-1)).toMatchObject({ status: 429, body: { code: 'event.quota_exceeded' } });
  expect(await said()).toHaveLength(statuses.filter((status) => status === 204).length);
});

it('is not for everybody to say', async () => {
  const grant = await createRunGrant(gateway.service, appId, { userId: user.id });
  const body = { grant, message_id: newUuid(), text: 'Hello', type: 'response' };
  expect((await gateway.client().post('/v1/internal/chat-messages', body)).status).toBe(401);
  await query('UPDATE installs SET removed_at = now() WHERE user_id = $1 AND app_id = $2', [user.id, appId]);
  expect(await say('Hello')).toMatchObject({ status: 403, body: { code: 'run_grant.refused' } });
});
