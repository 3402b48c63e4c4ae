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
    .argument('[app]', 'id of one of your apps; all apps by default')
    .description('show your earnings as a developer. Accepts PLATFORM_API_KEY')
    .action((appId: string | undefined, _options: object, command: Command) =>
      appId === undefined ? ofAll(contextOf(command)) : ofApp(contextOf(command), appId),
    );
}

async function ofAll({ keyOrSession: client, output }: Context): Promise<void> {
  const earnings = await call(client.GET('/v1/developer/earnings', {}));
  const { total_earnings, paid_out, available } = earnings;
  const asked = Math.max(0, total_earnings - paid_out - available);
  const lines = [
    `You earned ${credits(total_earnings)}: ${paid_out} paid out, ${asked} requested and not paid yet, ${available} available.`,
  ];
  lines.push(await next(client, earnings));
  output.result(earnings, lines.join('\n'));
}

/** A sentence about the next possible step: a payout, a higher tier, or more earnings. */
async function next(client: PlatformClient, { available }: EarningsResponse): Promise<string> {
  if (await hasNoPayouts(client))
    return 'Your tier has no payouts. You keep your earnings and can request a payout in a higher tier: PUT /v1/developer/tier.';
  if (available >= SMALLEST_PAYOUT) return 'Request a payout with `platform payouts request <credits>`.';
  return `The smallest payout is ${credits(SMALLEST_PAYOUT)}: you cannot request one yet.`;
}

/**
 * True if the tier of the developer has no payouts: `explorer`. False if the platform refuses the
 * profile with 403, for example because an API key is not allowed to read it.
 */
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
    ? `${printable(app_id)} earned ${credits(total_earnings)} from ${calls} paid with purchased credits.`
    : `${printable(app_id)} has earned nothing.`;
  const rows = by_period.filter(({ total }) => total > 0).map(({ day, total }) => [day, String(total)]);
  const rest = rows.length ? table(['DAY', 'CREDITS'], rows) : total_earnings ? '' : whyNothing(action_count, calls);
  output.result(earnings, [line, rest].filter(Boolean).join('\n'));
}

function whyNothing(count: number, calls: string): string {
  if (count)
    return `Your ${count === 1 ? 'share' : 'shares'} of ${calls} ${count === 1 ? 'was' : 'were'} below 1 credit.`;
  return 'Calls earn nothing if they are paid with free credits.';
}
