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
                    done="It is paid. This is your plan now; the invoice is under Payments."
                    late="The plan changes by itself, and you find the payment under Payments."
                  />
                  <CurrentPlan current={current} plan={all.find(({ id }) => id === current.plan)} />
                </div>
                {current.billing_mode === 'card' && <PlanFoot current={current} />}
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </Section>
  );
}

function CurrentPlan({ current, plan }: { current: SubscriptionResponse; plan: PlanResponse | undefined }) {
  const ends = date(new Date(current.period_ends_at));
  const isFree = current.plan === FREE_PLAN;
  return (
    <>
      {current.status === 'past_due' && <UnpaidPlan />}
      <Facts
        facts={[
          [
            'Plan',
            <span className="list__title" key="name">
              {plan?.name ?? current.plan}
              {current.cancel_at_period_end && <Badge tone="warning">Ends {ends}</Badge>}
              {current.status === 'past_due' && <Badge tone="warning">Not paid</Badge>}
            </span>,
          ],
          ['Price', current.billing_mode === 'manual' ? 'By contract' : plan ? priceOf(plan) : '…'],
          ['Included each month', plan ? credits(plan.included_tokens) : '…'],
          [isFree || current.billing_mode === 'manual' ? 'Month ends' : current.cancel_at_period_end ? 'Ends' : 'Next payment', ends],
        ]}
      />
    </>
  );
}

/** What one can do with a plan that a card pays. */
function PlanFoot({ current }: { current: SubscriptionResponse }) {
  const ends = date(new Date(current.period_ends_at));
  return (
    <div className="section__foot">
      {current.cancel_at_period_end ? (
        <>
          <span>It ends on {ends}. Until then nothing changes.</span>
          <ResumePlan />
        </>
      ) : (
        <>
          <span>You can cancel at any time, and keep what you have paid for.</span>
          <CancelPlan ends={ends} isUnpaid={current.status === 'past_due'} />
        </>
      )}
    </div>
  );
}
