import { call, type SpendingResponse } from '@platform/client';
import { InvalidArgumentError, type Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { doInPanel, withPanelOptions, type PanelOptions } from '../panel/done-in-panel.js';
import { credits } from '../text/credits.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';
import { moment } from '../text/times.js';
import { wholeNumber } from '../text/whole-number.js';

interface HistoryOptions {
  limit?: number;
  offset?: number;
}

const NOT_COUNTED = 'Automations that you created yourself do not count, unless an app or an API key triggered them.';

/** `none` instead of null, which Commander would turn into an empty text. */
type Limit = number | 'none';

interface SpendingOptions extends PanelOptions {
  otherApps?: Limit;
  unattended?: Limit;
}

export function addWallet(program: Command, contextOf: ContextOf): void {
  const wallet = program
    .command('wallet')
    .description('show your credits and spending limits. Accepts PLATFORM_API_KEY');
  wallet
    .command('show', { isDefault: true })
    .description('show your balance (the default)')
    .action((_options: object, command: Command) => show(contextOf(command)));
  wallet
    .command('history')
    .option('--limit <number>', 'number of entries, up to 200; 50 by default', wholeNumber)
    .option('--offset <number>', 'number of newest entries to skip', wholeNumber)
    .description('list credits received and spent, newest first')
    .action((options: HistoryOptions, command: Command) => history(contextOf(command), options));
  const limitsCommand = wallet
    .command('limits')
    .option(
      '--other-apps <credits>',
      'monthly limit for apps that call other paid apps, or "none" for no limit',
      limitOf,
    )
    .option(
      '--unattended <credits>',
      'monthly limit for schedules, events and webhooks, or "none" for no limit',
      limitOf,
    );
  withPanelOptions(limitsCommand)
    .description('show your monthly limits for automatic spending; with options, change them in the panel')
    .addHelpText('after', `\n${NOT_COUNTED}\n\nExample:\n  $ platform wallet limits --unattended 500 --open`)
    .action((options: SpendingOptions, command: Command) => limits(contextOf(command), options));
}

async function show({ keyOrSession: client, output }: Context): Promise<void> {
  const wallet = await call(client.GET('/v1/billing/wallet', {}));
  const { balance, held, debt, plan } = wallet;
  const lines = [`You have ${credits(balance)} available. Your plan is ${printable(plan)}.`];
  if (held) lines.push(`${credits(held)} more are reserved for running calls.`);
  if (debt)
    lines.push(`You owe ${credits(debt)}. You cannot spend credits until the debt is paid. New credits pay it first.`);
  output.result(wallet, lines.join('\n'));
}

async function history({ keyOrSession: client, output }: Context, { limit, offset }: HistoryOptions): Promise<void> {
  const entries = await call(client.GET('/v1/billing/wallet/history', { params: { query: { limit, offset } } }));
  const rows = entries.map(({ id, created_at, amount, balance_after, reason, app_id, description }) => {
    const signed = amount > 0 ? `+${amount}` : String(amount);
    return [String(id), moment(created_at), signed, String(balance_after), reason, app_id ?? '-', description ?? ''];
  });
  output.result(
    entries,
    rows.length ? table(['ID', 'DATE', 'CREDITS', 'LEFT', 'FOR', 'APP', 'NOTE'], rows) : 'There are no entries yet.',
  );
}

async function limits(context: Context, { otherApps, unattended, ...options }: SpendingOptions): Promise<void> {
  const wanted = {
    ...(otherApps !== undefined && { other_apps_limit: otherApps }),
    ...(unattended !== undefined && { unattended_limit: unattended }),
  };
  if (Object.keys(wanted).length === 0) {
    const spending = await read(context);
    context.output.result(spending, linesOf(spending));
    return;
  }
  const isDone = ({ other_apps_limit, unattended_limit }: SpendingResponse) =>
    (otherApps === undefined || other_apps_limit === orNull(otherApps)) &&
    (unattended === undefined || unattended_limit === orNull(unattended));
  await doInPanel(
    context,
    {
      text: 'Change your limits in the panel.',
      facts: wanted,
      page: 'wallet',
      proposal: wanted,
      outcome: {
        waiting: 'Waiting until you change your limits',
        ask: async () => {
          const spending = await read(context);
          return isDone(spending) ? { spending } : undefined;
        },
        text: ({ spending }) => linesOf(spending),
      },
    },
    options,
  );
}

const read = ({ keyOrSession: client }: Context): Promise<SpendingResponse> => call(client.GET('/v1/me/spending', {}));

function linesOf(spending: SpendingResponse): string {
  const line = (name: string, limit: number | null, spent: number) =>
    `${name}: ${limit === null ? 'no limit' : `at most ${credits(limit)} a month`}, ${credits(spent)} spent this month.`;
  return [
    line('Apps that call other apps', spending.other_apps_limit, spending.other_apps_spent),
    line('Schedules, events and webhooks', spending.unattended_limit, spending.unattended_spent),
    NOT_COUNTED,
  ].join('\n');
}

const orNull = (limit: Limit): number | null => (limit === 'none' ? null : limit);

function limitOf(text: string): Limit {
  if (text !== 'none' && !/^\d{1,12}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number, 0 or more, or "none".');
  return text === 'none' ? text : Number(text);
}
