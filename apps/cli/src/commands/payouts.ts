import { call, type PayoutResponse } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import { collected, pagesOf } from '../pages.js';
import { doInPanel, withPanelOptions, type PanelOptions } from '../panel/done-in-panel.js';
import { credits } from '../text/credits.js';
import { table } from '../text/table.js';
import { moment } from '../text/times.js';
import { wholeNumber } from '../text/whole-number.js';

/**
 * Credits: same as `MIN_PAYOUT` of the contracts. A local check for an early error message; the
 * platform decides.
 */
export const SMALLEST_PAYOUT = 10_000;

/** Same as `CREDITS_PER_CENT` of the contracts. */
const CREDITS_PER_CENT = 10;

const HELP = `
You request the payout in the panel, in a browser. Neither a login of this command nor an API key can move money.

Examples:
  $ platform payouts request 20000 --open
  $ platform payouts request 20000 --wait`;

export function addPayouts(program: Command, contextOf: ContextOf): void {
  const payouts = program.command('payouts').description('list and request your payouts as a developer');
  payouts
    .command('list', { isDefault: true })
    .description('list your payouts, newest first (the default). Accepts PLATFORM_API_KEY')
    .action((_options: object, command: Command) => list(contextOf(command)));
  const request = payouts
    .command('request')
    .argument('<credits>', `at least ${SMALLEST_PAYOUT}, and a multiple of 10`, wholeNumber);
  withPanelOptions(request)
    .description('request a payout in the panel. Accepts PLATFORM_API_KEY, for --wait')
    .addHelpText('after', HELP)
    .action((amount: number, options: PanelOptions, command: Command) =>
      requestPayout(contextOf(command), amount, options),
    );
}

async function list({ keyOrSession: client, output }: Context): Promise<void> {
  const payouts: PayoutResponse[] = await collected(
    pagesOf((query) => call(client.GET('/v1/developer/payouts', { params: { query } }))),
  );
  const rows = payouts.map(
    ({ id, status, amount_tokens, amount_usd, requested_at, processed_at, reference, admin_note }) => {
      return [
        String(id),
        status,
        String(amount_tokens),
        `$${amount_usd}`,
        moment(requested_at),
        moment(processed_at),
        reference ?? '-',
        admin_note ?? '',
      ];
    },
  );
  output.result(
    payouts,
    rows.length
      ? table(['ID', 'STATUS', 'CREDITS', 'USD', 'REQUESTED', 'DECIDED', 'REFERENCE', 'NOTE'], rows)
      : 'You have no payouts.',
  );
}

async function requestPayout(context: Context, amount: number, options: PanelOptions): Promise<void> {
  if (amount < SMALLEST_PAYOUT || amount % CREDITS_PER_CENT !== 0) {
    throw new CommandError(
      `A payout must be at least ${SMALLEST_PAYOUT} credits and a multiple of ${CREDITS_PER_CENT}.`,
      ExitCode.failure,
      {
        code: 'payout.amount',
      },
    );
  }
  const seen = new Set(options.wait ? (await newest(context)).map(({ id }) => id) : []);
  await doInPanel(
    context,
    {
      text: `Request a payout of ${credits(amount)}.`,
      facts: { credits: amount },
      page: 'earnings',
      proposal: { credits: amount },
      outcome: {
        waiting: 'Waiting for your payout request',
        ask: async () => {
          const payout = (await newest(context)).find(({ id }) => !seen.has(id));
          return payout && { payout };
        },
        text: ({ payout }) =>
          `Payout ${payout.id} of ${credits(payout.amount_tokens)} ($${payout.amount_usd}) is waiting for approval by an administrator.`,
      },
    },
    options,
  );
}

const newest = ({ keyOrSession: client }: Context): Promise<PayoutResponse[]> =>
  call(client.GET('/v1/developer/payouts', { params: { query: { limit: 50, offset: 0 } } }));
