import { ApiError, call, type EventDelivery } from '@platform/client';
import { Option, type Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { CommandError } from '../failures.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';
import { moment } from '../text/times.js';
import { addEventsTail } from './events-tail.js';

const STATUSES = ['pending', 'running', 'succeeded', 'dead'] as const satisfies readonly EventDelivery['status'][];
const PAGE = 50;

interface ListOptions {
  status?: EventDelivery['status'];
  cursor?: string;
}

export function addEvents(program: Command, contextOf: ContextOf): void {
  const events = program
    .command('events')
    .description('follow your events, and list or replay events that your apps handle. Accepts PLATFORM_API_KEY');
  events
    .command('list')
    .argument('<app>', 'id of one of your apps')
    .addOption(new Option('--status <status>', 'only events with this status').choices(STATUSES))
    .option('--cursor <cursor>', 'cursor of the next page, printed below the previous one')
    .description('list the latest events of an app, with their status')
    .addHelpText('after', '\nExample:\n  $ platform events list notes --status dead')
    .action((app: string, options: ListOptions, command: Command) => list(contextOf(command), app, options));
  events
    .command('replay')
    .argument('<app>', 'id of one of your apps')
    .argument('<event>', 'id, see `platform events list`')
    .description('run the event handler of an app again for an event')
    .action((app: string, event: string, _options: object, command: Command) => replay(contextOf(command), app, event));
  addEventsTail(events, contextOf);
}

async function list(
  { keyOrSession: client, output }: Context,
  appId: string,
  { status, cursor }: ListOptions,
): Promise<void> {
  const params = { path: { app_id: appId }, query: { status, cursor, limit: PAGE } };
  const answer = await call(client.GET('/v1/developer/apps/{app_id}/event-deliveries', { params }));
  const rows = answer.items.map(({ event_id, type, source, status: state, attempts, timestamp, error }) => {
    return [event_id, type, source, state, String(attempts), moment(timestamp), error ?? ''];
  });
  const lines = [
    rows.length ? table(['ID', 'TYPE', 'FROM', 'STATUS', 'TRIES', 'HAPPENED', 'ERROR'], rows) : 'No events found.',
  ];
  if (answer.cursor !== null) lines.push(`Show more with --cursor ${printable(answer.cursor)}`);
  output.result(answer, lines.join('\n'));
}

async function replay({ keyOrSession: client, output }: Context, appId: string, eventId: string): Promise<void> {
  const params = { path: { app_id: appId, event_id: eventId } };
  const delivery = await call(
    client.POST('/v1/developer/apps/{app_id}/event-deliveries/{event_id}/replay', { params }),
  ).catch((error: unknown) => {
    // The id is malformed. The validation message has a regular expression, which does not help
    // people.
    const isNoId = error instanceof ApiError && error.issues.some(({ loc }) => loc.at(-1) === 'event_id');
    if (!isNoId) throw error;
    throw new CommandError(
      `The event "${printable(eventId)}" does not exist. Run \`platform events list ${printable(appId)}\` for the ids.`,
    );
  });
  const { type, status } = delivery;
  output.result(delivery, `The app handles the ${printable(type)} event again. Its status is ${printable(status)}.`);
}
