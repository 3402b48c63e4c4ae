import type { CallResponse } from '@platform/contracts';
import { deployCode } from '../testing/code-apps.js';
import { HostTest } from '../testing/host.js';

let host: HostTest;
beforeAll(async () => (host = await HostTest.start()));
afterEach(() => {
  host.gateway.chatMessages.length = 0;
  host.gateway.answerChat = () => null;
  host.gateway.isAway = false;
});
afterAll(() => host.stop());

const deploy = (body: string) => deployCode(host, `export async function f(event, ctx) { ${body} }`);
const run = async (body: string): Promise<CallResponse> =>
  (await host.runFunction(deploy(body), { function: 'f' })).body;

it('says it to the user of the run, without what cannot be shown', async () => {
  expect(
    await run(
      `await ctx.deliverChatMessage('Two\\nlines\\u0000\\u202e'); await ctx.deliverChatMessage('Done.', { type: 'tool_result', refreshPanels: ['notes'] });`,
    ),
  ).toMatchObject({ status: 'success' });
  expect(host.gateway.chatMessages).toMatchObject([
    {
      user_id: 'usr_1',
      text: 'Two\nlines  ',
      type: 'response',
      refresh_panels: [],
      message_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
    { user_id: 'usr_1', text: 'Done.', type: 'tool_result', refresh_panels: ['notes'] },
  ]);
});

it('is one of the notifications of a run, of which it has 20', async () => {
  const answer = await run(`for (let n = 0; n < 21; n++) await ctx.deliverChatMessage('Hello');`);
  expect(answer).toMatchObject({ error_code: 'BUDGET_EXCEEDED' });
  expect(host.gateway.chatMessages).toHaveLength(20);
});

it('raises what the gateway says, and that it is away', async () => {
  host.gateway.answerChat = () => [429, { detail: 'The app has said too much.', code: 'chat_message.too_many' }];
  const body = `await ctx.deliverChatMessage('Hello');`;
  expect(await run(body)).toMatchObject({
    error_code: 'CHAT_REFUSED',
    retryable: true,
    error: expect.stringContaining('said too much'),
  });
  const app = deploy(body);
  await host.runFunction(app, { function: 'f' });
  host.gateway.isAway = true;
  expect((await host.runFunction(app, { function: 'f' })).body).toMatchObject({
    error_code: 'CHAT_UNAVAILABLE',
    retryable: true,
  });
});
