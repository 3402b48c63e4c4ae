import { followEvents, SignedOutError, type FollowOptions } from '@platform/client';
import { InvalidArgumentError, type Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { EventText } from '../events/event-text.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import type { Output } from '../output.js';
import { printable } from '../text/printable.js';
import { wholeNumber } from '../text/whole-number.js';

interface TailOptions {
  source?: string;
  type?: RegExp;
  since?: number;
  limit?: number;
}

const HELP = `
Examples:
  $ platform events tail
  $ platform events tail --source billing,marketplace
  $ platform events tail --type 'billing.*' --json | jq .payload`;

export function addEventsTail(events: Command, contextOf: ContextOf): void {
  events
    .command('tail')
    .option(
      '--source <list>',
      'only events of these sources, separated by commas: first parts of event types, or `extension` for events of apps',
    )
    .option('--type <list>', 'only events of these types, separated by commas; * matches any text', parseTypes)
    .option('--since <id>', 'begin after the event with this `id` (see --json), at most 24 hours ago', wholeNumber)
    .option('--limit <n>', 'stop after this number of events', parseLimit)
    .description('show your events as they happen, until Ctrl-C; with --json one object per line')
    .addHelpText('after', HELP)
    .action((options: TailOptions, command: Command) => tail(contextOf(command), options));
}

async function tail(context: Context, { source, type, since, limit = Infinity }: TailOptions): Promise<void> {
  const { output, interruption, settings } = context;
  const text = new EventText(output);
  let shown = 0;
  const events = followEvents(context.keyOrSession, {
    sources: source?.split(','),
    after: since?.toString(),
    signal: interruption.signal,
    ...connectionNotes(output),
  });
  try {
    for await (const event of events) {
      if (event.id === null && event.type === 'stream.reset')
        output.note(
          'You missed events that are older than 24 hours, which the platform no longer has. New events follow.',
        );
      else if (!type || type.test(event.type)) {
        output.line(event, text.of(event));
        if (++shown === limit) return;
      }
    }
  } catch (error) {
    if (!(error instanceof SignedOutError) || !settings.apiKey) throw error;
    throw new CommandError(
      'The API key in PLATFORM_API_KEY is no longer valid, or its user can no longer sign in.',
      ExitCode.notSignedIn,
    );
  }
}

/**
 * Returns callbacks that print a note when the first connection is open, when the connection is
 * lost, and when it is back.
 */
function connectionNotes(output: Output): Pick<FollowOptions, 'onOpen' | 'onTrouble'> {
  let note: string | undefined = 'Showing new events. Press Ctrl-C to stop.';
  return {
    onOpen: () => {
      if (note !== undefined) output.note(note);
      note = undefined;
    },
    onTrouble: ({ message }) => {
      output.note(`${printable(message)} Trying again.`);
      note = 'Reconnected; no events were missed.';
    },
  };
}

/**
 * Converts a list of event types such as `billing.*,deploy.changed` to a pattern of whole types,
 * where `*` matches any text.
 *
 * @throws InvalidArgumentError if a type is empty, has more than 128 characters, or other
 * characters than `*`, letters, digits, `.`, `_` and `-`.
 */
function parseTypes(list: string): RegExp {
  const patterns = list.split(',').map((each) => each.trim());
  if (!patterns.every((each) => /^[\w.*-]{1,128}$/.test(each)))
    throw new InvalidArgumentError("Use event types such as 'billing.*', separated by commas.");
  const anyOf = patterns.map((each) => each.replaceAll('.', '\\.').replace(/\*+/g, '.*'));
  return new RegExp(`^(?:${anyOf.join('|')})$`);
}

function parseLimit(text: string): number {
  const limit = wholeNumber(text);
  if (limit < 1) throw new InvalidArgumentError('It must be at least 1.');
  return limit;
}
