import { call } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';
import { moment } from '../text/times.js';

export function addUsage(program: Command, contextOf: ContextOf): void {
  program
    .command('usage')
    .description('show your usage and the limits of your plan. Accepts PLATFORM_API_KEY')
    .action((_options: object, command: Command) => usage(contextOf(command)));
}

async function usage({ keyOrSession: client, output }: Context): Promise<void> {
  const found = await call(client.GET('/v1/billing/usage', {}));
  const { plan, usage: used, limits, exceeded, resets_at } = found;
  const meters = [...new Set([...Object.keys(limits), ...Object.keys(used)])].sort();
  const rows = meters.map((meter) => [
    meter,
    String(used[meter] ?? 0),
    limits[meter] === undefined ? 'no limit' : String(limits[meter]),
    exceeded.includes(meter) ? 'reached' : '',
  ]);
  const until = `Usage resets on ${moment(resets_at)}.`;
  output.result(
    found,
    [`Your plan is ${printable(plan)}.`, table(['METER', 'USED', 'LIMIT', ''], rows), until].join('\n'),
  );
}
