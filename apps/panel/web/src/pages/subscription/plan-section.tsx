import type { PlanResponse, SubscriptionResponse } from '@platform/client';
import { usePlans, useSubscription } from '../../api/subscription.js';
import { useSettling } from '../../api/settling.js';
import { Badge } from '../../components/badge.js';
import { Facts } from '../../components/facts.js';
import { Loaded } from '../../components/loaded.js';
import { Section } from '../../components/section.js';
import { SettlingNotice } from '../../components/settling-notice.js';
import { credits } from '../../lib/credits.js';
import { FREE_PLAN, priceOf } from '../../lib/plans.js';
import { date } from '../../lib/time.js';
import { CancelPlan, ResumePlan } from './plan-actions.js';
import { UnpaidPlan } from './unpaid-plan.js';

export function PlanSection() {
  const subscription = useSubscription();
  const plans = usePlans();
  const settling = useSettling('plan');
  return (
    <Section id="plan" title="Your plan">
      <Loaded query={subscription}>
        {(current) => (
          <Loaded query={plans}>
            {(all) => (
              <>
                <div className="section__body form">
                  <SettlingNotice
                    settling={settling}
                    done="The payment is complete and your plan is active. You find the invoice under Payments."
                    late="Your plan changes automatically. You find the payment under Payments."
                  />
                  <CurrentPlan
                    current={current}
                    plan={all.find(({ id }) => id === current.plan)}
                    next={nameOfNext(current, all)}
                  />
                </div>
                {current.billing_mode === 'card' && <PlanFoot current={current} next={nameOfNext(current, all)} />}
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </Section>
  );
}

/**
 * True if the current month of a plan paid by card is unpaid: its payment failed, or is still to be
 * made, so the paid time ends before the month begins. False for a cancelled plan, which is not
 * charged.
 */
const isUnpaid = ({
  billing_mode: mode,
  cancel_at_period_end: ends,
  expires_at: paidUntil,
  period_starts_at: begins,
}: SubscriptionResponse): boolean =>
  mode === 'card' && !ends && paidUntil !== null && Date.parse(paidUntil) <= Date.parse(begins);

/**
 * End date of the plan's period, as text. A cancelled plan that has not been removed yet may have
 * ended before the current month.
 */
const endOf = ({
  cancel_at_period_end: isCancelled,
  expires_at: paidUntil,
  period_ends_at: ends,
}: SubscriptionResponse): string => date(new Date(isCancelled && paidUntil !== null ? paidUntil : ends));

/** Name of the plan that follows at the end of the month; null if the plan stays. */
const nameOfNext = ({ pending_plan: pending }: SubscriptionResponse, all: PlanResponse[]): string | null =>
  pending && (all.find(({ id }) => id === pending)?.name ?? pending);

interface CurrentPlanProps {
  current: SubscriptionResponse;
  plan: PlanResponse | undefined;
  next: string | null;
}

function CurrentPlan({ current, plan, next }: CurrentPlanProps) {
  const ends = endOf(current);
  const isFree = current.plan === FREE_PLAN;
  return (
    <>
      {isUnpaid(current) && <UnpaidPlan hasFailed={current.status === 'past_due'} />}
      <Facts
        facts={[
          [
            'Plan',
            <span className="list__title" key="name">
              {plan?.name ?? current.plan}
              {current.cancel_at_period_end && <Badge tone="warning">Ends {ends}</Badge>}
              {next !== null && (
                <Badge tone="warning">
                  {next} from {ends}
                </Badge>
              )}
              {isUnpaid(current) && <Badge tone="warning">Not paid</Badge>}
            </span>,
          ],
          ['Price', current.billing_mode === 'manual' ? 'By contract' : plan ? priceOf(plan) : '…'],
          ['Included each month', plan ? credits(plan.included_tokens) : '…'],
          [
            isFree || current.billing_mode === 'manual'
              ? 'Month ends'
              : current.cancel_at_period_end
                ? 'Ends'
                : 'Next payment',
            ends,
          ],
        ]}
      />
    </>
  );
}

/** Actions for a plan that is paid by card. */
function PlanFoot({ current, next }: { current: SubscriptionResponse; next: string | null }) {
  const ends = endOf(current);
  return (
    <div className="section__foot">
      {current.cancel_at_period_end ? (
        <>
          <span>Your plan ends on {ends}. Until then nothing changes.</span>
          <ResumePlan />
        </>
      ) : next !== null ? (
        <>
          <span>
            Your plan changes to {next} on {ends}. Until then nothing changes.
          </span>
          <ResumePlan />
          <CancelPlan ends={ends} isUnpaid={isUnpaid(current)} />
        </>
      ) : (
        <>
          <span>You can cancel at any time and keep your plan until the end of the paid month.</span>
          <CancelPlan ends={ends} isUnpaid={isUnpaid(current)} />
        </>
      )}
    </div>
  );
}
