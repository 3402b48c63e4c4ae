import { call, type WebhookDelivery } from '@platform/client';
import { Option, type Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';
import { moment } from '../text/times.js';

const STATUSES = ['pending', 'running', 'succeeded', 'dead'] as const satisfies readonly WebhookDelivery['status'][];
const PAGE = 50;

interface ListOptions {
  status?: WebhookDelivery['status'];
  cursor?: string;
}

export function addWebhook(program: Command, contextOf: ContextOf): void {
  const webhook = program
    .command('webhook')
    .description('list and replay deliveries to webhooks with an inbox. Accepts PLATFORM_API_KEY');
  webhook
    .command('list')
    .argument('<app>', 'id of one of your apps')
    .addOption(new Option('--status <status>', 'only deliveries with this status').choices(STATUSES))
    .option('--cursor <cursor>', 'cursor of the next page, printed below the previous one')
    .description('list the latest deliveries')
    .addHelpText('after', '\nExample:\n  $ platform webhook list notes --status dead')
    .action((app: string, options: ListOptions, command: Command) => list(contextOf(command), app, options));
  webhook
    .command('url')
    .argument('<app>', 'id of one of your apps')
    .argument('[path]', 'path of the webhook; required if the app has several')
    .description('print the URL of a webhook, for scripts; URLs of drafts contain `/draft`')
    .addHelpText('after', '\nExample:\n  $ curl -d @event.json "$(platform webhook url notes github)"')
    .action((app: string, path: string | undefined, _options: object, command: Command) =>
      url(contextOf(command), app, path),
    );
  webhook
    .command('replay')
    .argument('<app>', 'id of one of your apps')
    .argument('<delivery>', 'id, see `platform webhook list`')
    .description('run the webhook again for a delivery')
    .action((app: string, delivery: string, _options: object, command: Command) =>
      replay(contextOf(command), app, delivery),
    );
}

async function list(
  { keyOrSession: client, output }: Context,
  appId: string,
  { status, cursor }: ListOptions,
): Promise<void> {
  const params = { path: { app_id: appId }, query: { status, cursor, limit: PAGE } };
  const answer = await call(client.GET('/v1/developer/apps/{app_id}/webhook-deliveries', { params }));
  const rows = answer.items.map(({ delivery_id, path, status: state, attempts, status_code, received_at, error }) => {
    return [delivery_id, path, state, String(attempts), String(status_code ?? '-'), moment(received_at), error ?? ''];
  });
  const headings = ['ID', 'WEBHOOK', 'STATUS', 'TRIES', 'ANSWER', 'RECEIVED', 'ERROR'];
  const lines = [rows.length ? table(headings, rows) : 'No deliveries found.'];
  if (answer.cursor !== null) lines.push(`Show more with --cursor ${printable(answer.cursor)}`);
  output.result(answer, lines.join('\n'));
}

async function url({ keyOrSession: client, output }: Context, appId: string, path?: string): Promise<void> {
  const { webhooks } = await call(client.GET('/v1/developer/apps/{app_id}', { params: { path: { app_id: appId } } }));
  const wanted = path?.replace(/^\/|\/$/g, '');
  const found = webhooks.filter((webhook) => wanted === undefined || webhook.path === wanted);
  const [one, ...others] = new Set(found.map((webhook) => webhook.url));
  if (one !== undefined && !others.length) {
    output.result({ url: one, methods: found.map(({ method }) => method) }, printable(one));
    return;
  }
  const paths = [...new Set(webhooks.map((webhook) => webhook.path))];
  if (!paths.length) throw new CommandError(`${printable(appId)} has no webhooks, or is not deployed yet.`);
  if (path !== undefined && !found.length) {
    const message = `${printable(appId)} has no webhook "${printable(path)}". It has these: ${printable(paths.join(', '))}.`;
    throw new CommandError(message, ExitCode.usage);
  }
  throw new CommandError(
    `Name one of the webhooks of ${printable(appId)}: ${printable(paths.join(', '))}.`,
    ExitCode.usage,
  );
}

async function replay({ keyOrSession: client, output }: Context, appId: string, deliveryId: string): Promise<void> {
  const params = { path: { app_id: appId, delivery_id: deliveryId } };
  const delivery = await call(
    client.POST('/v1/developer/apps/{app_id}/webhook-deliveries/{delivery_id}/replay', { params }),
  );
  const { delivery_id, path, status } = delivery;
  output.result(
    delivery,
    `The webhook ${printable(path)} handles the delivery ${printable(delivery_id)} again. Its status is ${printable(status)}.`,
  );
}
