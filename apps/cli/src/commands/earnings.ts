import { ApiError, call, type EarningsResponse, type PlatformClient } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { credits } from '../text/credits.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';
import { SMALLEST_PAYOUT } from './payouts.js';

export function addEarnings(program: Command, contextOf: ContextOf): void {
  program
    .command('earnings')
    .argument('[app]', 'one of your apps; all of them unless told')
    .description('what you earned as a developer. Takes PLATFORM_API_KEY too')
    .action((appId: string | undefined, _options: object, command: Command) =>
      appId === undefined ? ofAll(contextOf(command)) : ofApp(contextOf(command), appId),
    );
}

async function ofAll({ keyOrSession: client, output }: Context): Promise<void> {
  const earnings = await call(client.GET('/v1/developer/earnings', {}));
  const { total_earnings, paid_out, available } = earnings;
  const asked = Math.max(0, total_earnings - paid_out - available);
  const lines = [`You earned ${credits(total_earnings)}: ${paid_out} paid out, ${asked} asked for and not paid yet, ${available} left.`];
  lines.push(await next(client, earnings));
  output.result(earnings, lines.join('\n'));
}

/** What can be done with what is left. */
async function next(client: PlatformClient, { available }: EarningsResponse): Promise<string> {
  if (await hasNoPayouts(client))
    return 'Your tier has no payouts. What you earned stays yours, and can be paid out in a higher tier: PUT /v1/developer/tier.';
  if (available >= SMALLEST_PAYOUT) return 'What is left can be paid out: `platform payouts request <credits>`.';
  return `The smallest payout is ${credits(SMALLEST_PAYOUT)}, so nothing can be paid out yet.`;
}

/** An API key may not be allowed to look. */
async function hasNoPayouts(client: PlatformClient): Promise<boolean> {
  try {
    return (await call(client.GET('/v1/developer/profile'))).tier === 'explorer';
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return false;
    throw error;
  }
}

async function ofApp({ keyOrSession: client, output }: Context, app_id: string): Promise<void> {
  const earnings = await call(client.GET('/v1/developer/earnings/{app_id}', { params: { path: { app_id } } }));
  const { total_earnings, action_count, by_period } = earnings;
  const calls = `${action_count} ${action_count === 1 ? 'call' : 'calls'}`;
  const line = total_earnings
    ? `${printable(app_id)} earned ${credits(total_earnings)} by ${calls} paid with credits that earn.`
    : `${printable(app_id)} has earned nothing.`;
  const rows = by_period.filter(({ total }) => total > 0).map(({ day, total }) => [day, String(total)]);
  const rest = rows.length ? table(['DAY', 'CREDITS'], rows) : total_earnings ? '' : whyNothing(action_count, calls);
  output.result(earnings, [line, rest].filter(Boolean).join('\n'));
}

function whyNothing(count: number, calls: string): string {
  if (count) return `The ${count === 1 ? 'share' : 'shares'} of ${calls} ${count === 1 ? 'was' : 'were'} below 1 credit.`;
  return 'Calls paid with credits that nobody paid for earn nothing.';
}
