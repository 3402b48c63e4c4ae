import { InvalidArgumentError, type Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { followLogs, LOGS_TIMEOUT_MS, MOST_LINES, readLogs } from '../logs/follow-logs.js';
import { lineText } from '../logs/log-lines.js';
import { printable } from '../text/printable.js';

interface LogsOptions {
  follow?: boolean;
  limit: number;
}

export function addLogs(program: Command, contextOf: ContextOf): void {
  program
    .command('logs')
    .argument('<app>', 'id of one of your apps')
    .option('-f, --follow', 'continue with new lines, until Ctrl-C; with --json one object per line')
    .option('--limit <lines>', `number of latest lines, 1 to ${MOST_LINES}`, parseLimit, 100)
    .description('show the logs of one of your apps. Accepts PLATFORM_API_KEY')
    .addHelpText('after', '\nExample:\n  $ platform logs notes --follow')
    .action((app: string, options: LogsOptions, command: Command) => logs(contextOf(command), app, options));
}

async function logs(context: Context, appId: string, { follow = false, limit }: LogsOptions): Promise<void> {
  const { output, interruption } = context;
  const client = context.keyOrSessionWithin(LOGS_TIMEOUT_MS);
  const latest = await readLogs(client, appId, { limit, wait_seconds: 0 });
  if (!follow) {
    const lines = latest.items.map((line) => lineText(line, output));
    output.result(latest, lines.length ? lines.join('\n') : 'The app has no log lines.');
    return;
  }
  for (const line of latest.items) output.line(line, lineText(line, output));
  await followLogs({
    client,
    appId,
    after: latest.next,
    onLine: (line) => output.line(line, lineText(line, output)),
    onTrouble: (reason) => output.note(`${printable(reason)} Trying again.`),
    signal: interruption.signal,
  });
}

function parseLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST_LINES) throw new InvalidArgumentError(`Use a number from 1 to ${MOST_LINES}.`);
  return limit;
}
