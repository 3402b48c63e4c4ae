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

/**
 * Notice for an unpaid current month, with a button to pay.
 *
 * @param hasFailed true if a payment was tried.
 */
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
          title: `Next month of the plan ${plan}`,
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
          <p>The payment is being processed. This page updates when it is complete.</p>
        </Notice>
      )}
      <Notice tone="warning" title={hasFailed ? 'Your last payment failed' : 'Your new month is not paid yet'}>
        {hasFailed ? (
          <p>
            Your plan continues for seven days after the end of its month. We retry your card until then. Pay now, or{' '}
            <Link to="/payments#cards">choose another card</Link> first.
          </p>
        ) : (
          <p>
            Your card will be charged within the hour, and you get the credits of the month then. To get them sooner,
            pay now.
          </p>
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
