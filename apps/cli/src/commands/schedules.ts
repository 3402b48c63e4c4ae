import { call, type AppSchedule } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';
import { moment } from '../text/times.js';

export function addSchedules(program: Command, contextOf: ContextOf): void {
  const schedules = program
    .command('schedules')
    .description('list and run scheduled handlers. Accepts PLATFORM_API_KEY');
  schedules
    .command('list')
    .argument('<app>', 'id of one of your apps')
    .description('list the schedules of the running version, with their next and last run')
    .addHelpText('after', '\nExample:\n  $ platform schedules list notes')
    .action((app: string, _options: object, command: Command) => list(contextOf(command), app));
  schedules
    .command('run')
    .argument('<app>', 'id of one of your apps')
    .argument('<schedule>', 'name of the schedule')
    .description('run a schedule now, in addition to its times')
    .addHelpText('after', '\nExample:\n  $ platform schedules run notes daily_digest')
    .action((app: string, name: string, _options: object, command: Command) => run(contextOf(command), app, name));
}

async function list({ keyOrSession: client, output }: Context, appId: string): Promise<void> {
  const answer = await call(
    client.GET('/v1/developer/apps/{app_id}/schedules', { params: { path: { app_id: appId } } }),
  );
  const rows = answer.items.map(rowOf);
  const headings = ['SCHEDULE', 'TIMES (UTC)', 'NEXT RUN', 'LAST RUN', 'STATUS', 'ERROR'];
  output.result(answer, rows.length ? table(headings, rows) : 'The app has no schedules.');
}

function rowOf({ name, cron, next_run_at: nextRunAt, recent_runs: [last] }: AppSchedule): string[] {
  return [name, cron, moment(nextRunAt), moment(last?.scheduled_for ?? null), last?.status ?? '-', last?.error ?? ''];
}

async function run({ keyOrSession: client, output }: Context, appId: string, name: string): Promise<void> {
  const params = { path: { app_id: appId, name } };
  const started = await call(client.POST('/v1/developer/apps/{app_id}/schedules/{name}/run', { params }));
  output.result(
    started,
    `${printable(name)} has started. Run \`platform schedules list ${printable(appId)}\` to see its status.`,
  );
}
