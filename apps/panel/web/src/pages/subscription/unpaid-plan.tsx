import { useState } from 'react';
import { Link } from 'react-router';
import { toProblem } from '../../api/problem.js';
import { useRenewPlan } from '../../api/subscription.js';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { StorageRefused } from '../../components/settling-notice.js';
import { Attempt } from '../../lib/attempt.js';
import { usePayPage } from '../../lib/use-pay-page.js';
import { PLAN_BACK } from './plan-payment.js';

/** What to do when the month of now is not paid. `hasFailed`: its payment was tried. */
export function UnpaidPlan({ hasFailed }: { hasFailed: boolean }) {
  const renew = useRenewPlan();
  const { pay, isLeaving, isRefused } = usePayPage();
  const [attempt] = useState(() => new Attempt());
  const payNow = () => {
    const key = attempt.begin('renew');
    if (key === null) return;
    renew.mutate(key, {
      onSuccess: ({ requires_action, client_secret, payment_intent_id, publishable_key, plan }) => {
        if (!requires_action || !client_secret || !payment_intent_id) return;
        pay({
          kind: 'payment',
          purpose: 'plan',
          intentId: payment_intent_id,
          clientSecret: client_secret,
          publishableKey: publishable_key,
          title: `The next month of the plan ${plan}`,
          amountCents: null,
          back: PLAN_BACK,
          known: [],
        });
      },
      onSettled: (_answer, error) => attempt.answered(error),
    });
  };
  return (
    <>
      <ProblemNotice problem={renew.error && toProblem(renew.error)} />
      {isRefused && <StorageRefused />}
      {renew.data?.pending && (
        <Notice tone="info" role="status">
          <p>The payment is under way. This page shows it once it is made.</p>
        </Notice>
      )}
      <Notice tone="warning" title={hasFailed ? 'Your last payment did not go through' : 'A new month has begun, and is not paid yet'}>
        {hasFailed ? (
          <p>
            Your plan goes on for seven days from the end of its month, and your card is tried again until then. Pay now, or{' '}
            <Link to="/payments#cards">choose another card</Link> first.
          </p>
        ) : (
          <p>Your card pays it within the hour. The credits of the month come with the payment. You need not wait: pay now.</p>
        )}
        <div>
          <Button size="small" look="primary" busy={renew.isPending || isLeaving} onClick={payNow}>
            Pay now
          </Button>
        </div>
      </Notice>
    </>
  );
}
