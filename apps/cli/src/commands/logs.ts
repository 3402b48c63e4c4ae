import { ApiError, call, isTransient, type AppLogLine, type AppLogsResponse, type PlatformClient } from '@platform/client';
import { InvalidArgumentError, type Command } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import type { Context, ContextOf } from '../context.js';
import { printable } from '../text/printable.js';
import { moment } from '../text/times.js';

const WAIT_SECONDS = 20;
const TIMEOUT_MS = 30_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
const MOST_LINES = 500;

interface LogsOptions {
  follow?: boolean;
  limit: number;
}

export function addLogs(program: Command, contextOf: ContextOf): void {
  program
    .command('logs')
    .argument('<app>', 'the id of one of your apps')
    .option('-f, --follow', 'go on with what is logged from now on, until Ctrl-C; with --json one object a line')
    .option('--limit <lines>', `how many of the latest lines, 1 to ${MOST_LINES}`, parseLimit, 100)
    .description('show what an app of yours has logged. Takes PLATFORM_API_KEY too')
    .addHelpText('after', '\nExample:\n  $ platform logs notes --follow')
    .action((app: string, options: LogsOptions, command: Command) => logs(contextOf(command), app, options));
}

async function logs(context: Context, appId: string, { follow = false, limit }: LogsOptions): Promise<void> {
  const { output } = context;
  const client = context.keyOrSessionWithin(TIMEOUT_MS);
  const latest = await read(client, appId, { limit, wait_seconds: 0 });
  if (follow) return goOn(context, client, appId, latest);
  output.result(latest, latest.items.length ? latest.items.map(lineText).join('\n') : 'The app has logged nothing.');
}

/** Until the command is ended. What may pass is said and tried again. */
async function goOn({ output, settings, interruption }: Context, client: PlatformClient, appId: string, latest: AppLogsResponse) {
  let { items, next } = latest;
  let pauseMs = 0;
  for (;;) {
    for (const line of items) process.stdout.write(`${settings.json ? JSON.stringify(line) : lineText(line)}\n`);
    items = [];
    if (pauseMs) await delay(pauseMs, undefined, { signal: interruption.signal });
    const started = Date.now();
    try {
      ({ items, next } = await read(client, appId, { after: next ?? undefined, limit: MOST_LINES, wait_seconds: WAIT_SECONDS }));
      // A platform that does not wait is not asked without end.
      pauseMs = !items.length && Date.now() - started < FIRST_PAUSE_MS ? FIRST_PAUSE_MS : 0;
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (!pauseMs) output.note(`${printable((error as Error).message)} Trying again.`);
      const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
      pauseMs = Math.max(asked, Math.min(pauseMs * 2 || FIRST_PAUSE_MS, LONGEST_PAUSE_MS));
    }
  }
}

function read(client: PlatformClient, appId: string, query: { after?: string | undefined; limit: number; wait_seconds: number }) {
  return call(client.GET('/v1/developer/apps/{app_id}/logs', { params: { path: { app_id: appId }, query } }));
}

/** A message of several lines keeps them, indented. */
function lineText({ at, level, kind, handler, message }: AppLogLine): string {
  const [first = '', ...rest] = message.split(/\r?\n/).map(printable);
  const head = `${moment(at)}:${at.slice(17, 19)}  ${level.padEnd(7)}  ${printable(kind)} ${printable(handler)}`;
  return [`${head}  ${first}`, ...rest.map((line) => `    ${line}`)].join('\n');
}

function parseLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST_LINES) throw new InvalidArgumentError(`Use a number from 1 to ${MOST_LINES}.`);
  return limit;
}
