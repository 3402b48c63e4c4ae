import type { PlanChangePreview, PlanChangeResponse, PlanResponse } from '@platform/client';
import { useState } from 'react';
import { toProblem } from '../../api/problem.js';
import { useChangePlan, usePlanChangePreview } from '../../api/subscription.js';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { StorageRefused } from '../../components/settling-notice.js';
import { Attempt } from '../../lib/attempt.js';
import { credits } from '../../lib/credits.js';
import { inMoney } from '../../lib/money.js';
import { date } from '../../lib/time.js';
import { usePayPage } from '../../lib/use-pay-page.js';
import { PLAN_BACK } from './plan-payment.js';

interface ChangePlanDialogProps {
  plan: PlanResponse;
  onClose: () => void;
  /** @param text description of the change */
  onDone: (text: string) => void;
}

/**
 * Dialog that shows the cost and date of a plan change, and makes it. If the user must still pay,
 * it leads to `/pay`.
 */
export function ChangePlanDialog({ plan, onClose, onDone }: ChangePlanDialogProps) {
  const preview = usePlanChangePreview(plan.id);
  const change = useChangePlan();
  const { pay, isLeaving, isRefused } = usePayPage();
  const [attempt] = useState(() => new Attempt());

  const goOn = (answer: PlanChangeResponse) => {
    if (!answer.requires_action || !answer.client_secret || !answer.payment_intent_id) {
      onDone(saidOf(plan, answer));
      return;
    }
    pay({
      kind: 'payment',
      purpose: 'plan',
      intentId: answer.payment_intent_id,
      clientSecret: answer.client_secret,
      publishableKey: answer.publishable_key,
      title: `Change to the plan ${plan.name}`,
      amountCents: answer.amount_cents,
      back: PLAN_BACK,
      known: [],
    });
  };
  const confirm = () => {
    const body = { plan_id: plan.id, period: 'monthly' as const };
    const key = attempt.begin(body);
    if (key === null) return;
    change.mutate({ key, body }, { onSuccess: goOn, onSettled: (_answer, error) => attempt.answered(error) });
  };

  const error = change.error ?? preview.error;
  return (
    <Dialog title={`Change to ${plan.name}?`} onClose={onClose}>
      <div role="status">
        {preview.data ? (
          <Preview plan={plan} preview={preview.data} />
        ) : (
          !error && <p className="muted">Loading the price…</p>
        )}
      </div>
      <ProblemNotice problem={error && toProblem(error)} />
      {isRefused && <StorageRefused />}
      <div className="dialog__actions">
        <Button onClick={onClose}>Not now</Button>
        <Button look="primary" busy={change.isPending || isLeaving} aria-disabled={!preview.data} onClick={confirm}>
          {preview.data?.amount_cents ? `Pay ${inMoney(preview.data.amount_cents)}` : 'Change plan'}
        </Button>
      </div>
    </Dialog>
  );
}

const monthly = ({ price }: PlanResponse): string => inMoney(Math.round(price * 100));

function Preview({ plan, preview }: { plan: PlanResponse; preview: PlanChangePreview }) {
  const { action, amount_cents: cents, tokens, effective_at: at } = preview;
  if (action === 'downgrade') {
    return (
      <p className="muted">
        You pay nothing now. From {date(new Date(at))} on, your plan is {plan.name}, for {monthly(plan)} per month.
        Until then nothing changes.
      </p>
    );
  }
  return (
    <p className="muted">
      You pay {inMoney(cents)} now for the rest of this month, then {monthly(plan)} per month. {plan.name} starts at
      once, with {credits(tokens)} more.
    </p>
  );
}

function saidOf(
  { name }: PlanResponse,
  { action, succeeded, amount_cents: cents, effective_at: at }: PlanChangeResponse,
): string {
  if (action === 'downgrade') return `Your plan changes to ${name} on ${date(new Date(at))}.`;
  if (!succeeded) return 'The payment is being processed. Your plan changes automatically when it is complete.';
  return cents ? `You paid ${inMoney(cents)}. Your plan is now ${name}.` : `Your plan is now ${name}.`;
}
