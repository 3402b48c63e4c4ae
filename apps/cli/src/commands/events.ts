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
    .description('your events as they happen, and those that your apps have a handler for. Takes PLATFORM_API_KEY too');
  events
    .command('list')
    .argument('<app>', 'the id of one of your apps')
    .addOption(new Option('--status <status>', 'only those').choices(STATUSES))
    .option('--cursor <cursor>', 'of the next page, as the page before tells it')
    .description('list the latest events, and what became of them')
    .addHelpText('after', '\nExample:\n  $ platform events list notes --status dead')
    .action((app: string, options: ListOptions, command: Command) => list(contextOf(command), app, options));
  events
    .command('replay')
    .argument('<app>', 'the id of one of your apps')
    .argument('<event>', 'as shown by `platform events list`')
    .description('have the app handle an event once more')
    .action((app: string, event: string, _options: object, command: Command) => replay(contextOf(command), app, event));
  addEventsTail(events, contextOf);
}

async function list({ keyOrSession: client, output }: Context, appId: string, { status, cursor }: ListOptions): Promise<void> {
  const params = { path: { app_id: appId }, query: { status, cursor, limit: PAGE } };
  const answer = await call(client.GET('/v1/developer/apps/{app_id}/event-deliveries', { params }));
  const rows = answer.items.map(({ event_id, type, source, status: state, attempts, timestamp, error }) => {
    return [event_id, type, source, state, String(attempts), moment(timestamp), error ?? ''];
  });
  const lines = [rows.length ? table(['ID', 'TYPE', 'FROM', 'STATUS', 'TRIES', 'HAPPENED', 'ERROR'], rows) : 'There are no such events.'];
  if (answer.cursor !== null) lines.push(`There are more: add --cursor ${printable(answer.cursor)}`);
  output.result(answer, lines.join('\n'));
}

async function replay({ keyOrSession: client, output }: Context, appId: string, eventId: string): Promise<void> {
  const params = { path: { app_id: appId, event_id: eventId } };
  const delivery = await call(client.POST('/v1/developer/apps/{app_id}/event-deliveries/{event_id}/replay', { params })).catch(
    (error: unknown) => {
      // Such an id is none, and its pattern is for programs.
      const isNoId = error instanceof ApiError && error.issues.some(({ loc }) => loc.at(-1) === 'event_id');
      if (!isNoId) throw error;
      throw new CommandError(`There is no event "${printable(eventId)}". \`platform events list ${printable(appId)}\` shows them.`);
    },
  );
  const { type, status } = delivery;
  output.result(delivery, `The app gets the ${printable(type)} once more. It is ${printable(status)}.`);
}
