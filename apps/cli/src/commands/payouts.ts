import { ApiError, call, ConnectionError, type PayoutResponse } from '@platform/client';
import type { Command } from 'commander';
import { randomUUID } from 'node:crypto';
import type { Context, ContextOf } from '../context.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import { collected, pagesOf } from '../pages.js';
import { credits } from '../text/credits.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';
import { moment } from '../text/times.js';
import { wholeNumber } from '../text/whole-number.js';

/** Credits: `MIN_PAYOUT` of the contracts. The platform decides; this is to say it before. */
export const SMALLEST_PAYOUT = 10_000;

interface RequestOptions {
  idempotencyKey?: string;
}

export function addPayouts(program: Command, contextOf: ContextOf): void {
  const payouts = program.command('payouts').description('what is paid out to you as a developer');
  payouts
    .command('list', { isDefault: true })
    .description('list your payouts, the newest first (the default). Takes PLATFORM_API_KEY too')
    .action((_options: object, command: Command) => list(contextOf(command)));
  payouts
    .command('request')
    .argument('<credits>', `at least ${SMALLEST_PAYOUT}, and a multiple of 10`, wholeNumber)
    .option('--idempotency-key <key>', 'of a request whose answer was lost, which is then not made twice')
    .description('ask for a payout; what it is in dollars counts from now on')
    .addHelpText('after', '\nExample:\n  $ platform payouts request 20000')
    .action((amount: number, options: RequestOptions, command: Command) => request(contextOf(command), amount, options));
}

async function list({ keyOrSession: client, output }: Context): Promise<void> {
  const payouts: PayoutResponse[] = await collected(pagesOf((query) => call(client.GET('/v1/developer/payouts', { params: { query } }))));
  const rows = payouts.map(({ id, status, amount_tokens, amount_usd, requested_at, processed_at, reference, admin_note }) => {
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
  });
  output.result(
    payouts,
    rows.length ? table(['ID', 'STATUS', 'CREDITS', 'USD', 'ASKED FOR', 'DECIDED', 'REFERENCE', 'NOTE'], rows) : 'There are no payouts.',
  );
}

async function request(context: Context, amount_tokens: number, { idempotencyKey: key = randomUUID() }: RequestOptions): Promise<void> {
  const { output } = context;
  const session = await context.session();
  try {
    const options = { body: { amount_tokens }, headers: { 'Idempotency-Key': key } };
    // `call` returns the data alone; whether it is an old answer says a header of it.
    const pending = session.POST('/v1/developer/payouts/request', options);
    const payout = await call(pending);
    const { response } = await pending;
    const what = `Payout ${payout.id} of ${credits(payout.amount_tokens)} ($${payout.amount_usd})`;
    const isReplayed = response.headers.get('Idempotency-Replayed') === 'true';
    if (isReplayed && context.settings.json) output.note('This key was used before: the answer is the one of then.');
    output.result(
      payout,
      isReplayed
        ? `${what} was asked for before with this key, so there is no second one. \`platform payouts\` says what became of it.`
        : `${what} waits for an administrator.`,
    );
  } catch (error) {
    if (mayBeDone(error)) {
      output.note(
        'The payout may have been requested. Run the same command again within 24 hours with this option, and there is no second one:',
      );
      output.note(`  --idempotency-key '${key}'`);
    }
    throw error instanceof ApiError && error.issues.length ? reasonOf(error) : error;
  }
}

/** The first of them, without the name that the platform has for what was typed. */
function reasonOf({ issues, code, status, requestId }: ApiError): CommandError {
  const [issue] = issues;
  const what = issue?.loc[0] === 'header' ? 'The key ' : 'The credits ';
  const reason = printable(issue?.msg ?? '').replace(/^Input /, what);
  return new CommandError(`${reason}.`, ExitCode.failure, { code, details: { status, request_id: requestId, issues } });
}

/** Whether nobody knows what became of a request. */
const mayBeDone = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && (error.status >= 500 || error.code === 'idempotency.in_progress'));
