import { defineExtension, ExtensionError, type WebhookContext } from '@platform/extension-sdk';

/** The parts of Slack's request that this bot reads. */
type SlackRequest =
  | { type: 'url_verification'; challenge: string }
  | { type: 'event_callback'; event_id: string; event: { type: string; channel: string; user: string; text: string } };

const HELP = 'I keep a list for this channel: `add <text>`, `list`, `done <number>`.';

export default defineExtension({
  id: 'slack-bot',
  version: '1.0.0',
  name: 'Slack to-do bot',
  description: 'Keeps a to-do list for each Slack channel that it is mentioned in.',
  secrets: {
    signing_secret: {
      description: 'Basic Information, App Credentials, Signing Secret.',
      scope: 'app',
      required: true,
    },
    bot_token: { description: 'OAuth & Permissions, Bot User OAuth Token: xoxb-…', scope: 'app', required: true },
  },
  webhooks: {
    events: {
      description: 'The Request URL of Event Subscriptions.',
      secretHeader: 'x-slack-signature',
      async run(request, ctx) {
        const { valid } = ctx.webhook.verify({ scheme: 'slack', secret: await secret(ctx, 'signing_secret') });
        if (!valid) return { status_code: 401, body: 'The signature is not from Slack.' };

        const sent = request.json as SlackRequest;
        if (sent.type === 'url_verification') return { body: { challenge: sent.challenge } };
        if (sent.event.type !== 'app_mention') return { body: 'Ignored: the event does not mention this bot.' };
        // Slack sends an event again if it gets no answer within three seconds.
        if (!(await ctx.once(sent.event_id))) return { body: 'Already handled.' };

        const { channel, user, text } = sent.event;
        const command = text.replace(/^\s*<@\w+>\s*/, '');
        await reply(ctx, channel, await answer(ctx, command, { id: sent.event_id, channel, user }));
        return { body: 'Done.' };
      },
    },
  },
});

interface Asked {
  id: string;
  channel: string;
  user: string;
}

async function answer(ctx: WebhookContext, command: string, { id, channel, user }: Asked): Promise<string> {
  const [, verb = '', rest = ''] = /^(\w+)\s*(.*)$/s.exec(command) ?? [];
  const open = { where: { channel, done: false }, orderBy: 'created_at' };
  if (verb === 'add' && rest) {
    // Stores the item under the event's id: a repeated run after a failure stores the same item
    // again.
    await ctx.store.set(`todos/${id}`, { channel, text: rest, by: user, done: false });
    return `Added: ${rest}`;
  }
  const { data: todos } = await ctx.store.query('todos', open);
  if (verb === 'list')
    return todos.map(({ data }, at) => `${at + 1}. ${String(data['text'])}`).join('\n') || 'Nothing to do.';
  if (verb === 'done') {
    const todo = todos[Number(rest) - 1];
    if (!todo) return `There is no number ${rest}. ${HELP}`;
    await ctx.store.update('todos', todo.id, { done: true });
    return `Done: ${String(todo.data['text'])}`;
  }
  return HELP;
}

async function reply(ctx: WebhookContext, channel: string, text: string): Promise<void> {
  const { body } = await ctx.http.post('https://slack.com/api/chat.postMessage', {
    headers: { authorization: `Bearer ${await secret(ctx, 'bot_token')}` },
    json: { channel, text },
  });
  const { ok, error = 'no reason given' } = body as { ok?: boolean; error?: string };
  // An error makes the answer 500, so that Slack sends the event again.
  if (!ok) throw new ExtensionError('SLACK_REFUSED', `Slack did not accept the reply: ${error}.`, { retryable: true });
}

async function secret(ctx: WebhookContext, name: string): Promise<string> {
  const value = await ctx.secrets.get(name);
  if (value === null) throw new ExtensionError('NOT_SET_UP', `The secret ${name} is not set.`);
  return value;
}
