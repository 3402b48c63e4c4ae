import { call, type PaymentHistoryItem, type TopUpConfigResponse } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import { doInPanel, withPanelOptions, type PanelOptions } from '../panel/done-in-panel.js';
import { credits } from '../text/credits.js';
import { dollars, inMoney } from '../text/money.js';
import { table } from '../text/table.js';
import { wholeNumber } from '../text/whole-number.js';

interface TopUpOptions extends PanelOptions {
  credits?: number;
}

const HELP = `
You pay in the panel, in a browser. Neither a login of this command nor an API key can move money.

Examples:
  $ platform topup                  show prices
  $ platform topup 10 --open        pay 10 dollars
  $ platform topup --credits 5000 --wait`;

export function addTopup(program: Command, contextOf: ContextOf): void {
  const topup = program
    .command('topup')
    .argument('[dollars]', 'amount to pay, such as 10 or 10.50; without an amount, shows the prices', dollars)
    .option('--credits <number>', 'number of credits to buy, a multiple of 10', wholeNumber);
  withPanelOptions(topup)
    .description('buy credits; you pay in the panel. Accepts PLATFORM_API_KEY, for --wait')
    .addHelpText('after', HELP)
    .action((cents: number | undefined, options: TopUpOptions, command: Command) =>
      buy(contextOf(command), cents, options),
    );
}

async function buy(
  context: Context,
  cents: number | undefined,
  { credits: wanted, ...options }: TopUpOptions,
): Promise<void> {
  if (cents !== undefined && wanted !== undefined)
    throw new CommandError('Pass either dollars or --credits, not both.', ExitCode.usage);
  const offer = await call(context.anonymous.GET('/v1/billing/topup-config'));
  if (cents === undefined && wanted === undefined) {
    prices(context, offer);
    return;
  }
  const amount = wanted ?? (cents ?? 0) * offer.token_rate;
  const price = amount / offer.token_rate;
  assertSold(price, offer);
  const before = options.wait ? await readPayments(context) : [];
  const over = new Set(before.filter(({ status }) => status !== 'pending').map(({ payment_intent_id: id }) => id));
  await doInPanel(
    context,
    {
      text: `${credits(amount)} cost ${inMoney(price)}.`,
      facts: { credits: amount, price_cents: price, currency: 'usd' },
      page: 'wallet',
      proposal: { credits: amount },
      outcome: {
        waiting: 'Waiting for your payment',
        ask: async () => {
          const payment = (await readPayments(context)).find(
            (each) => isPaid(each) && !over.has(each.payment_intent_id),
          );
          return (
            payment && { payment, balance: (await call(context.keyOrSession.GET('/v1/billing/wallet', {}))).balance }
          );
        },
        text: ({ payment, balance }) =>
          `You have bought ${credits(payment.tokens)} for ${inMoney(payment.amount_cents, payment.currency)}. You have ${credits(balance)} available.`,
      },
    },
    options,
  );
}

function prices({ output }: Context, offer: TopUpConfigResponse): void {
  const rows = offer.tiers.map(({ tokens, price_cents }) => [String(tokens), inMoney(price_cents)]);
  const { custom_min_cents: least, custom_max_cents: most } = offer;
  const any = `Or pay any amount from ${inMoney(least)} to ${inMoney(most)}: \`platform topup <dollars>\`.`;
  output.result(offer, `${table(['CREDITS', 'PRICE'], rows)}\n${any}`);
}

/**
 * Checks the price of a top-up in cents before the panel does, with the same codes as the platform.
 *
 * @throws CommandError `topup.not_by_tens` if it is not a whole number of cents,
 * `topup.out_of_range` if it is below the least or above the highest amount of the offer.
 */
function assertSold(
  price: number,
  { token_rate: rate, custom_min_cents: least, custom_max_cents: most }: TopUpConfigResponse,
): void {
  if (!Number.isInteger(price)) {
    throw new CommandError(`Credits are sold in multiples of ${rate}.`, ExitCode.failure, {
      code: 'topup.not_by_tens',
    });
  }
  if (price >= least && price <= most) return;
  throw new CommandError(`A top-up must cost from ${inMoney(least)} to ${inMoney(most)}.`, ExitCode.failure, {
    code: 'topup.out_of_range',
    details: { min_cents: least, max_cents: most },
  });
}

/** Reads the 50 newest payments, including purchases made elsewhere in the meantime. */
const readPayments = ({ keyOrSession: client }: Context): Promise<PaymentHistoryItem[]> =>
  call(client.GET('/v1/billing/payments', { params: { query: { limit: 50, offset: 0 } } }));

/**
 * True for a successful purchase of credits by hand. An automatic top-up is not the payment that
 * the command waits for.
 */
const isPaid = ({ purpose, status }: PaymentHistoryItem): boolean => purpose === 'topup' && status === 'succeeded';
