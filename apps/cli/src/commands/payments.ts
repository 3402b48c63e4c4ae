import { call } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { inMoney } from '../text/money.js';
import { table } from '../text/table.js';
import { moment } from '../text/times.js';
import { wholeNumber } from '../text/whole-number.js';

interface PageOptions {
  limit?: number;
  offset?: number;
}

export function addPayments(program: Command, contextOf: ContextOf): void {
  program
    .command('payments')
    .option('--limit <number>', 'number of payments, up to 200; 50 by default', wholeNumber)
    .option('--offset <number>', 'number of newest payments to skip', wholeNumber)
    .description('list your payments, newest first, including pending ones. Accepts PLATFORM_API_KEY')
    .action((options: PageOptions, command: Command) => payments(contextOf(command), options));
}

async function payments({ keyOrSession: client, output }: Context, { limit, offset }: PageOptions): Promise<void> {
  const found = await call(client.GET('/v1/billing/payments', { params: { query: { limit, offset } } }));
  const rows = found.map((payment) => {
    const {
      created_at,
      amount_cents,
      refunded_cents,
      currency,
      status,
      purpose,
      plan,
      tokens,
      failure_reason,
      receipt_url,
    } = payment;
    const what = plan === null ? `${tokens} credits` : plan;
    const amount = inMoney(amount_cents, currency);
    const returned =
      refunded_cents > 0 && status !== 'refunded' ? `${inMoney(refunded_cents, currency)} was refunded` : '';
    return [
      moment(created_at),
      amount,
      status,
      purpose,
      what,
      returned || (status === 'failed' ? (failure_reason ?? '') : receipt_url),
    ];
  });
  output.result(
    found,
    rows.length ? table(['DATE', 'AMOUNT', 'STATUS', 'FOR', 'ITEM', 'NOTE'], rows) : 'You have no payments.',
  );
}
