import type { PlanResponse } from '@platform/client';
import { useState } from 'react';
import { toProblem } from '../../api/problem.js';
import { useCheckout } from '../../api/subscription.js';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { StorageRefused } from '../../components/settling-notice.js';
import { Attempt } from '../../lib/attempt.js';
import { credits } from '../../lib/credits.js';
import { inMoney } from '../../lib/money.js';
import { usePayPage } from '../../lib/use-pay-page.js';
import { PLAN_BACK } from './plan-payment.js';

/** Dialog to buy the first month of a plan. */
export function CheckoutDialog({ plan, onClose }: { plan: PlanResponse; onClose: () => void }) {
  const checkout = useCheckout();
  const { pay, isLeaving, isRefused } = usePayPage();
  const [attempt] = useState(() => new Attempt());
  const price = inMoney(Math.round(plan.price * 100));
  const begin = () => {
    const body = { plan_id: plan.id, period: 'monthly' as const, save_payment_method: true };
    const key = attempt.begin(body);
    if (key === null) return;
    checkout.mutate(
      { key, body },
      {
        onSuccess: ({ client_secret, payment_intent_id, publishable_key, amount_cents }) =>
          pay({
            kind: 'payment',
            purpose: 'plan',
            intentId: payment_intent_id,
            clientSecret: client_secret,
            publishableKey: publishable_key,
            title: `First month of the plan ${plan.name}`,
            amountCents: amount_cents,
            back: PLAN_BACK,
            known: [],
          }),
        onSettled: (_answer, error) => attempt.answered(error),
      },
    );
  };
  return (
    <Dialog title={`Choose ${plan.name}?`} onClose={onClose}>
      <p className="muted">
        You pay {price} now, then {price} per month until you cancel. Your card is saved for this. Each month includes
        {credits(plan.included_tokens)}; unused credits expire at the end of the month.
      </p>
      <ProblemNotice problem={checkout.error && toProblem(checkout.error)} />
      {isRefused && <StorageRefused />}
      <div className="dialog__actions">
        <Button onClick={onClose}>Not now</Button>
        <Button look="primary" busy={checkout.isPending || isLeaving} onClick={begin}>
          Continue to payment
        </Button>
      </div>
    </Dialog>
  );
}
