import type { TaskResponse } from '@platform/contracts';
import { until, type TestClient } from '@platform/testing';
import { ExtensionPlatform } from '../../testing/extension-platform.js';
import type { TestUser } from '../../testing/gateway-test.js';

let platform: ExtensionPlatform;
let user: TestUser;
let client: TestClient;
let appId: string;
beforeAll(async () => {
  platform = await ExtensionPlatform.start();
  const { test } = platform;
  const developer = await test.developer();
  appId = await test.app(developer);
  user = await test.gateway.user();
  client = await test.gateway.signIn(user);
  const main = `
    const pause = () => new Promise((done) => setTimeout(done, 300));
    export async function quick(event, ctx) { await ctx.progress(50, 'Half'); return { n: event.n + 1 }; }
    export async function endless(event, ctx) {
      await ctx.deliverChatMessage('It begins.', { refreshPanels: ['work'] });
      for (let n = 1; ; n++) { await ctx.progress(Math.min(n, 99), 'Step ' + n); await pause(); }
    }`;
  const fn = (name: string) => ({
    ...{ id: name, kind: 'function', action: name },
    params: {
      description: `Does ${name} as it is told.`,
      params_schema: { type: 'object' },
      code: { module: 'main', entry: name },
    },
  });
  const ir_dict = {
    app_id: appId,
    version: '1.0.0',
    name: 'Work',
    modules: { main },
    steps: [fn('quick'), fn('endless')],
  };
  const { status, error_message } = await test.deployAndWait(developer, appId, { version: '1.0.0', ir_dict });
  expect([status, error_message]).toEqual(['success', '']);
  await test.query("UPDATE apps SET status = 'active', published_at = now() WHERE app_id = $1", [appId]);
  expect((await client.post(`/v1/marketplace/apps/${appId}/install`, {})).status).toBe(200);
});
afterAll(() => platform.stop());

const start = async (name: string, params: object = {}): Promise<string> => {
  const body = { user_id: user.id, function: name, params };
  const answer = await client.post<TaskResponse>(`/v1/extensions/${appId}/call`, body, {
    headers: { Prefer: 'respond-async' },
  });
  expect(answer.status).toBe(202);
  return answer.body.task_id;
};
const read = async (id: string) => (await client.get<TaskResponse>(`/v1/tasks/${id}`)).body;

it('a function of an app goes on after its request, and says how far it is', async () => {
  const id = await start('quick', { n: 1 });
  const task = await until(async () => {
    const found = await read(id);
    return found.finished_at && found;
  });
  expect(task).toMatchObject({
    status: 'succeeded',
    message: 'Half',
    progress: 100,
    result: { status: 'success', data: { n: 2 } },
  });
});

it('speaks to its user meanwhile, and ends when that user cancels it', async () => {
  const id = await start('endless');
  await until(async () => (await read(id)).progress > 1);
  const said = await platform.test.query(
    "SELECT payload FROM platform_events WHERE type = 'chat_message' AND user_id = $1",
    [user.id],
  );
  expect(said).toMatchObject([
    { payload: { text: 'It begins.', type: 'response', app_id: appId, refresh_panels: ['work'] } },
  ]);
  expect((await client.post(`/v1/tasks/${id}/cancel`)).status).toBe(200);
  await until(async () => (await read(id)).status === 'cancelled');
});
