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
    .option('--limit <number>', 'how many, up to 200; 50 unless told', wholeNumber)
    .option('--offset <number>', 'how many of the newest to leave out', wholeNumber)
    .description('what you paid, the newest first, with what is under way. Takes PLATFORM_API_KEY too')
    .action((options: PageOptions, command: Command) => payments(contextOf(command), options));
}

async function payments({ keyOrSession: client, output }: Context, { limit, offset }: PageOptions): Promise<void> {
  const found = await call(client.GET('/v1/billing/payments', { params: { query: { limit, offset } } }));
  const rows = found.map((payment) => {
    const { created_at, amount_cents, refunded_cents, currency, status, purpose, plan, tokens, failure_reason, receipt_url } = payment;
    const what = plan === null ? `${tokens} credits` : plan;
    const amount = inMoney(amount_cents, currency);
    const returned = refunded_cents > 0 && status !== 'refunded' ? `${inMoney(refunded_cents, currency)} went back` : '';
    return [moment(created_at), amount, status, purpose, what, returned || (status === 'failed' ? (failure_reason ?? '') : receipt_url)];
  });
  output.result(found, rows.length ? table(['WHEN', 'AMOUNT', 'STATUS', 'FOR', 'WHAT', 'NOTE'], rows) : 'There are no payments.');
}
