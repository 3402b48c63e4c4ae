import { call, type PlanChangePreview, type SubscriptionResponse } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import { doInPanel, withPanelOptions, type DoneInPanel, type PanelOptions } from '../panel/done-in-panel.js';
import { credits } from '../text/credits.js';
import { inMoney } from '../text/money.js';
import { printable } from '../text/printable.js';
import { moment } from '../text/times.js';

const PLAN = 'id of a plan, see `platform plans`';

export function addSubscription(program: Command, contextOf: ContextOf): void {
  const subscription = program
    .command('subscription')
    .description('show and change your plan; payments are made in the panel');
  subscription
    .command('show', { isDefault: true })
    .description('show your plan and its end date (the default). Accepts PLATFORM_API_KEY')
    .action((_options: object, command: Command) => show(contextOf(command)));
  subscription
    .command('preview')
    .argument('<plan>', PLAN)
    .description('show the cost of another plan now, and its start date')
    .action((plan: string, _options: object, command: Command) => preview(contextOf(command), plan));
  const ofPlan = (
    name: string,
    description: string,
    run: (context: Context, plan: string, options: PanelOptions) => Promise<void>,
  ) =>
    withPanelOptions(subscription.command(name).argument('<plan>', PLAN).description(description)).action(
      (plan: string, options: PanelOptions, command: Command) => run(contextOf(command), plan, options),
    );
  const ofOwn = (name: string, description: string, run: (context: Context, options: PanelOptions) => Promise<void>) =>
    withPanelOptions(subscription.command(name).description(`${description}. Accepts PLATFORM_API_KEY`)).action(
      (options: PanelOptions, command: Command) => run(contextOf(command), options),
    );
  ofPlan('checkout', 'start your first paid plan', checkout);
  ofPlan('change', 'change to a larger plan now, or to a smaller one at the end of the period', change);
  ofOwn('cancel', 'cancel your plan at the end of its period', cancel);
  ofOwn('resume', 'undo a cancellation or a change to a smaller plan', resume);
  ofOwn('renew', 'pay the next period of a plan that was not renewed automatically', renew);
}

async function show(context: Context): Promise<void> {
  const subscription = await read(context);
  context.output.result(subscription, inWords(subscription));
}

async function preview(context: Context, plan: string): Promise<void> {
  const change = await previewOf(context, plan);
  context.output.result(change, changeInWords(change));
}

async function checkout(context: Context, id: string, options: PanelOptions): Promise<void> {
  const plan = (await call(context.anonymous.GET('/v1/billing/plans'))).find((each) => each.id === id);
  if (!plan)
    throw new CommandError('This plan does not exist. Run `platform plans` for a list.', ExitCode.failure, {
      code: 'plan.not_found',
    });
  if (plan.price === 0) {
    const why =
      id === 'free'
        ? 'The free plan costs nothing. You return to it when a paid plan ends.'
        : 'This plan is available only by contract.';
    throw new CommandError(why, ExitCode.failure, { code: 'plan.not_for_sale' });
  }
  const { plan: current } = await read(context);
  if (current !== 'free') {
    const how =
      id === current
        ? 'You already have this plan.'
        : `You already have a paid plan. Change it with \`platform subscription change ${id}\` instead.`;
    throw refused(how, id === current ? 'subscription.same_plan' : 'subscription.exists');
  }
  const text = `The plan ${printable(plan.name)} costs $${plan.price} per ${printable(plan.interval)} and includes ${credits(plan.included_tokens)}.`;
  const facts = { plan: id, price: plan.price, interval: plan.interval, included_tokens: plan.included_tokens };
  await doInPanel(context, { text, facts, ...choiceOf(id), outcome: until(context, hasPlan(id)) }, options);
}

async function change(context: Context, id: string, options: PanelOptions): Promise<void> {
  const planned = await previewOf(context, id);
  const outcome = until(context, planned.action === 'upgrade' ? hasPlan(id) : isToBecome(id));
  await doInPanel(context, { text: changeInWords(planned), facts: { ...planned }, ...choiceOf(id), outcome }, options);
}

async function cancel(context: Context, options: PanelOptions): Promise<void> {
  const { plan, period_ends_at: ends } = await readPaid(context);
  const text = `Your plan ${printable(plan)} would end on ${moment(ends)}. You keep the credits that you bought.`;
  const isDone = (now: SubscriptionResponse) => now.cancel_at_period_end || now.plan !== plan;
  await doInPanel(
    context,
    { text, facts: { plan, ends_at: ends }, page: 'subscription', outcome: until(context, isDone) },
    options,
  );
}

async function resume(context: Context, options: PanelOptions): Promise<void> {
  const { plan, cancel_at_period_end: ends, pending_plan: pending } = await readPaid(context);
  if (!ends && pending === null)
    throw refused('Your plan continues unchanged: there is nothing to undo.', 'subscription.goes_on');
  const text = `Your plan ${printable(plan)} would continue unchanged.`;
  const isKept = (now: SubscriptionResponse) => !now.cancel_at_period_end && now.pending_plan === null;
  await doInPanel(context, { text, facts: { plan }, page: 'subscription', outcome: until(context, isKept) }, options);
}

async function renew(context: Context, options: PanelOptions): Promise<void> {
  const before = await read(context);
  const isPaid = before.billing_mode === 'card' && before.status === 'active' && !isUnpaid(before);
  if (isPaid)
    throw refused(
      `Your plan is paid until ${moment(before.period_ends_at)}. There is nothing to pay now.`,
      'subscription.not_due',
    );
  const text = 'The next period of your plan will be paid with your saved card.';
  const isDone = (now: SubscriptionResponse) => now.status === 'active' && now.plan !== 'free' && !isUnpaid(now);
  await doInPanel(
    context,
    { text, facts: { plan: before.plan }, page: 'subscription', outcome: until(context, isDone) },
    options,
  );
}

const read = ({ keyOrSession: client }: Context): Promise<SubscriptionResponse> =>
  call(client.GET('/v1/billing/subscription', {}));

/**
 * Reads the subscription of the user.
 *
 * @throws CommandError `subscription.none` if the user has no paid plan.
 */
async function readPaid(context: Context): Promise<SubscriptionResponse> {
  const subscription = await read(context);
  if (subscription.plan === 'free') {
    throw new CommandError(
      'You have no paid plan. Start one with `platform subscription checkout <plan>`.',
      ExitCode.failure,
      {
        code: 'subscription.none',
      },
    );
  }
  return subscription;
}

async function previewOf(context: Context, plan: string): Promise<PlanChangePreview> {
  const session = await context.session();
  return call(session.POST('/v1/billing/change-plan/preview', { body: { plan_id: plan, period: 'monthly' } }));
}

/**
 * True if the current period is not paid yet: the paid time ends before it begins. False without a
 * paid time.
 */
const isUnpaid = ({
  expires_at: paidUntil,
  period_starts_at: begins,
}: Pick<SubscriptionResponse, 'expires_at' | 'period_starts_at'>): boolean =>
  paidUntil !== null && Date.parse(paidUntil) <= Date.parse(begins);

const refused = (message: string, code: string): CommandError => new CommandError(message, ExitCode.failure, { code });

const hasPlan =
  (id: string) =>
  ({ plan, status }: SubscriptionResponse): boolean =>
    plan === id && status === 'active';

/**
 * Returns a test of a subscription: true if its plan is already `id`, or changes to it at the end
 * of the period. A cancelled plan changes to `free`.
 */
const isToBecome =
  (id: string) =>
  ({ plan, pending_plan: pending, cancel_at_period_end: ends }: SubscriptionResponse): boolean =>
    plan === id || pending === id || (id === 'free' && ends);

const choiceOf = (plan: string) => ({ page: 'subscription', proposal: { plan } }) as const;

function until(
  context: Context,
  isDone: (subscription: SubscriptionResponse) => boolean,
): DoneInPanel<{ subscription: SubscriptionResponse }>['outcome'] {
  return {
    waiting: 'Waiting until you finish in the panel',
    ask: async () => {
      const subscription = await read(context);
      return isDone(subscription) ? { subscription } : undefined;
    },
    text: ({ subscription }) => inWords(subscription),
  };
}

function inWords({
  plan,
  status,
  billing_mode,
  cancel_at_period_end,
  pending_plan,
  period_ends_at,
  ...times
}: SubscriptionResponse): string {
  const yours = `Your plan is ${printable(plan)}`;
  if (billing_mode === 'free')
    return `${yours}. Its credits and limits are per month; this month ends on ${moment(period_ends_at)}.`;
  if (billing_mode === 'manual') return `${yours}, by contract.`;
  if (status === 'past_due')
    return `${yours}. Its next period is not paid. Pay it with \`platform subscription renew\`.`;
  if (!cancel_at_period_end && isUnpaid(times))
    return `${yours}. A new period has begun and will be paid within the hour, or now with \`platform subscription renew\`.`;
  if (pending_plan !== null) return `${yours}. It changes to ${printable(pending_plan)} on ${moment(period_ends_at)}.`;
  return cancel_at_period_end
    ? `${yours}. It ends on ${moment(times.expires_at ?? period_ends_at)}.`
    : `${yours}, paid until ${moment(period_ends_at)}.`;
}

function changeInWords({ action, plan, amount_cents: cents, tokens, effective_at: at }: PlanChangePreview): string {
  if (action === 'downgrade')
    return `The plan ${printable(plan)} would begin on ${moment(at)}, at the end of the period.`;
  const cost = cents === 0 ? 'has no extra cost' : `costs ${inMoney(cents)} now`;
  return `The plan ${printable(plan)} ${cost}, for the rest of the period, and includes ${credits(tokens)}.`;
}
