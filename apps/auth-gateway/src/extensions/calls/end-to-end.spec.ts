import type { ActionPageResponse, CallResponse, NotificationsResponse, OperateResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import type { TestDeveloper } from '../../testing/deploy-test.js';
import { ExtensionPlatform } from '../../testing/extension-platform.js';
import type { TestUser } from '../../testing/gateway-test.js';

let platform: ExtensionPlatform;
let developer: TestDeveloper;
let user: TestUser;
let client: TestClient;
let notes: string;
let shelf: string;
beforeAll(async () => {
  platform = await ExtensionPlatform.start();
  const { test } = platform;
  developer = await test.developer();
  [notes, shelf] = [await test.app(developer), await test.app(developer)];
  user = await test.gateway.user({ scopes: [`${notes}:*`] });
  client = await test.gateway.signIn(user);
  await publish(notes, [
    fn('add', 'write', [
      { id: 'note', kind: 'store', action: 'create', params: { kind: 'notes', data: { text: '{{event.text}}' } } },
      { id: 'tell', kind: 'notify', action: 'send', params: { message: 'Noted: {{event.text}}' } },
      { id: 'answer', kind: 'control', action: 'return', params: { data: '{{steps.note}}', summary: 'Noted.' } },
    ]),
    fn('list', 'read', [{ id: 'notes', kind: 'store', action: 'list', params: { kind: 'notes' } }]),
    fn('break', 'read', [
      { id: 'no', kind: 'control', action: 'fail', params: { error: 'No paper.', code: 'NO_PAPER', retryable: true } },
    ]),
    fn('sender', 'read', [{ id: 'sender', kind: 'config', action: 'get', params: { key: 'mail.sender' } }]),
  ]);
  const ofShelf = [
    fn('peek', 'read', [{ id: 'found', kind: 'call', action: `${notes}.list`, params: {} }]),
    fn('poke', 'read', [{ id: 'made', kind: 'call', action: `${notes}.add`, params: { params: { text: 'x' } } }]),
  ];
  await publish(shelf, ofShelf, [`${notes}:read`]);
});
afterAll(() => platform.stop());

const fn = (name: string, action_type: string, steps: object[]) => ({
  id: name,
  kind: 'function',
  action: name,
  params: { description: `Does ${name} as it is told.`, action_type, params_schema: { type: 'object' }, steps },
});

/** Deploys the app, publishes it and installs it for the user. */
async function publish(appId: string, steps: object[], capabilities: string[] = []): Promise<void> {
  const settings = [{ name: 'mail.sender', type: 'string', title: 'Sender', default: 'nobody' }];
  const ir_dict = { app_id: appId, version: '1.0.0', name: 'Notes', capabilities, settings, steps };
  const { status, error_message } = await platform.test.deployAndWait(developer, appId, { version: '1.0.0', ir_dict });
  expect([status, error_message]).toEqual(['success', '']);
  await platform.test.query("UPDATE apps SET status = 'active', published_at = now() WHERE app_id = $1", [appId]);
  expect((await client.post(`/v1/marketplace/apps/${appId}/install`, {})).status).toBe(200);
}

const call = async (name: string, params: object = {}, appId = notes) =>
  (await client.post<CallResponse>(`/v1/extensions/${appId}/call`, { user_id: user.id, function: name, params })).body;

it('an app that was deployed keeps, lists and tells what it is told', async () => {
  const added = await call('add', { text: 'Hello' });
  expect(added).toMatchObject({ status: 'success', data: { id: expect.any(String) }, summary: 'Noted.' });
  expect(await call('list')).toMatchObject({
    status: 'success',
    data: { count: 1, docs: [expect.objectContaining({})] },
  });
  const { body } = await client.get<NotificationsResponse>('/v1/me/notifications');
  expect(body.items).toMatchObject([{ app_id: notes, message: 'Noted: Hello' }]);
  expect(await call('sender')).toMatchObject({ data: { value: 'nobody' } });
});

it('a batch answers each call by itself, and each is among the actions', async () => {
  const calls = [{ function: 'list' }, { function: 'break' }, { function: 'unknown' }];
  const { body } = await client.post<CallResponse[]>(`/v1/extensions/${notes}/batch`, { user_id: user.id, calls });
  expect(body).toMatchObject([
    { status: 'success' },
    { status: 'error', error_code: 'NO_PAPER', error: expect.stringContaining('No paper.'), retryable: true },
    { error_code: 'UNKNOWN_SUB_FUNCTION' },
  ]);
  const { body: actions } = await client.get<ActionPageResponse>(`/v1/actions?app_id=${notes}&status=error`);
  expect(actions.items.map(({ error_code }) => error_code).sort()).toEqual(['NO_PAPER', 'UNKNOWN_SUB_FUNCTION']);
});

it('an app reaches another one as its user has let it, and no further', async () => {
  expect(await call('peek', {}, shelf)).toMatchObject({ status: 'success', data: expect.objectContaining({}) });
  expect(await call('poke', {}, shelf)).toMatchObject({ status: 'error', error: expect.stringContaining('made') });
  const { body } = await client.get<ActionPageResponse>(`/v1/actions?app_id=${notes}&search=add`);
  expect(body.items.map(({ error_code }) => error_code)).toContain('PERMISSION_DENIED');
});

it('what writes is done when its user agrees, who wants to be asked', async () => {
  expect((await client.patch('/v1/me/settings', { confirmation_enabled: true })).status).toBe(200);
  const asked = await client.post<OperateResponse>(`/v1/extensions/${notes}/operate`, {
    user_id: user.id,
    function: 'add',
    params: { text: 'Agreed' },
  });
  expect(asked.body.kind).toBe('confirmation');
  const { body } = await client.post(`/v1/confirmations/${asked.body.confirmation_id}/confirm`);
  expect(body).toMatchObject({ status: 'confirmed', result: { status: 'success', summary: 'Noted.' } });
});

it('a host that is away is an error inside the answer, and is found again', async () => {
  await platform.wire.cut();
  expect(await call('list')).toMatchObject({ status: 'error', error_code: 'BACKEND_5XX', retryable: true });
  await platform.wire.restore();
  expect(await call('list')).toMatchObject({ status: 'success' });
});
