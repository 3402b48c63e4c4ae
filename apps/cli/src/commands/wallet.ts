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

const NOT_COUNTED = 'Automations that you wrote yourself are not counted, unless an app or an API key led to what they do.';

/** Not null for none: Commander would make an empty text of it. */
type Limit = number | 'none';

interface SpendingOptions extends PanelOptions {
  otherApps?: Limit;
  unattended?: Limit;
}

export function addWallet(program: Command, contextOf: ContextOf): void {
  const wallet = program.command('wallet').description('your credits. Takes PLATFORM_API_KEY too');
  wallet
    .command('show', { isDefault: true })
    .description('what you can spend (the default)')
    .action((_options: object, command: Command) => show(contextOf(command)));
  wallet
    .command('history')
    .option('--limit <number>', 'how many entries, up to 200; 50 unless told', wholeNumber)
    .option('--offset <number>', 'how many of the newest to leave out', wholeNumber)
    .description('what came in and what was spent, the newest first')
    .action((options: HistoryOptions, command: Command) => history(contextOf(command), options));
  const limitsCommand = wallet
    .command('limits')
    .option('--other-apps <credits>', 'what apps may spend in other apps in a month, or "none" for no limit', limitOf)
    .option('--unattended <credits>', 'what schedules, events and webhooks may spend in a month, or "none" for no limit', limitOf);
  withPanelOptions(limitsCommand)
    .description('show what may be spent without you in a month; with options, change it in the panel')
    .addHelpText('after', `\n${NOT_COUNTED}\n\nExample:\n  $ platform wallet limits --unattended 500 --open`)
    .action((options: SpendingOptions, command: Command) => limits(contextOf(command), options));
}

async function show({ keyOrSession: client, output }: Context): Promise<void> {
  const wallet = await call(client.GET('/v1/billing/wallet', {}));
  const { balance, held, debt, plan } = wallet;
  const lines = [`${credits(balance)} can be spent. Your plan is ${printable(plan)}.`];
  if (held) lines.push(`${credits(held)} more are promised to calls that are under way.`);
  if (debt) lines.push(`You owe ${credits(debt)}. Nothing can be spent until they are paid; what comes in pays them first.`);
  output.result(wallet, lines.join('\n'));
}

async function history({ keyOrSession: client, output }: Context, { limit, offset }: HistoryOptions): Promise<void> {
  const entries = await call(client.GET('/v1/billing/wallet/history', { params: { query: { limit, offset } } }));
  const rows = entries.map(({ id, created_at, amount, balance_after, reason, app_id, description }) => {
    const signed = amount > 0 ? `+${amount}` : String(amount);
    return [String(id), moment(created_at), signed, String(balance_after), reason, app_id ?? '-', description ?? ''];
  });
  output.result(entries, rows.length ? table(['ID', 'WHEN', 'CREDITS', 'LEFT', 'FOR', 'APP', 'NOTE'], rows) : 'There are no entries.');
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
        waiting: 'Waiting until your limits are changed',
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
    line('Apps in other apps', spending.other_apps_limit, spending.other_apps_spent),
    line('Schedules, events and webhooks', spending.unattended_limit, spending.unattended_spent),
    NOT_COUNTED,
  ].join('\n');
}

const orNull = (limit: Limit): number | null => (limit === 'none' ? null : limit);

function limitOf(text: string): Limit {
  if (text !== 'none' && !/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('It must be 0 or more, whole, or "none".');
  return text === 'none' ? text : Number(text);
}
