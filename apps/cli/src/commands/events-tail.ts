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
      'only those of these sources, separated by commas: what their types begin with, or `extension` for those of apps',
    )
    .option('--type <list>', 'only those of these types, separated by commas; * stands for anything', parseTypes)
    .option('--since <id>', 'what came after this one, too: an `id` that --json shows, of the last 24 hours', wholeNumber)
    .option('--limit <n>', 'end after so many', parseLimit)
    .description('show your events as they happen, until Ctrl-C; with --json one object a line')
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
        output.note('You missed more than the platform can tell, which is what came within 24 hours. This is what happens from now on.');
      else if (!type || type.test(event.type)) {
        output.line(event, text.of(event));
        if (++shown === limit) return;
      }
    }
  } catch (error) {
    if (!(error instanceof SignedOutError) || !settings.apiKey) throw error;
    throw new CommandError('The API key of PLATFORM_API_KEY is good no more, or its user may no longer sign in.', ExitCode.notSignedIn);
  }
}

/** Says when it begins, when the connection is lost, and when it is back. */
function connectionNotes(output: Output): Pick<FollowOptions, 'onOpen' | 'onTrouble'> {
  let note: string | undefined = 'These are your events from now on. Ctrl-C ends it.';
  return {
    onOpen: () => {
      if (note !== undefined) output.note(note);
      note = undefined;
    },
    onTrouble: ({ message }) => {
      output.note(`${printable(message)} Trying again.`);
      note = 'The connection is back, and goes on where it was.';
    },
  };
}

/** `billing.*,deploy.changed` */
function parseTypes(list: string): RegExp {
  const patterns = list.split(',').map((each) => each.trim());
  if (!patterns.every((each) => /^[\w.*-]{1,128}$/.test(each)))
    throw new InvalidArgumentError("Use types like 'billing.*', separated by commas.");
  const anyOf = patterns.map((each) => each.replaceAll('.', '\\.').replace(/\*+/g, '.*'));
  return new RegExp(`^(?:${anyOf.join('|')})$`);
}

function parseLimit(text: string): number {
  const limit = wholeNumber(text);
  if (limit < 1) throw new InvalidArgumentError('It must be at least 1.');
  return limit;
}
