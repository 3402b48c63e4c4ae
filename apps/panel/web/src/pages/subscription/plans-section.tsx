import type { PlanResponse, SubscriptionResponse } from '@platform/client';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { flushSync } from 'react-dom';
import { usePlans, useSubscription } from '../../api/subscription.js';
import { useAnnounce } from '../../components/announcer.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Loaded } from '../../components/loaded.js';
import { Notice } from '../../components/notice.js';
import { focusSection, Section } from '../../components/section.js';
import { contentsOf, isSold, priceOf } from '../../lib/plans.js';
import { proposedPlan } from '../../lib/proposal.js';
import { ChangePlanDialog } from './change-plan-dialog.js';
import { CheckoutDialog } from './checkout-dialog.js';

export function PlansSection() {
  const plans = usePlans();
  const subscription = useSubscription();
  return (
    <Section
      id="plans"
      title="All plans"
      intro="Billed monthly. Upgrades start at once; a change to a smaller plan starts when your month ends."
    >
      <Loaded query={plans}>
        {(all) => <Loaded query={subscription}>{(current) => <PlanList plans={all} current={current} />}</Loaded>}
      </Loaded>
    </Section>
  );
}

function PlanList({ plans, current }: { plans: readonly PlanResponse[]; current: SubscriptionResponse }) {
  const mayTake = (plan: PlanResponse) => isSold(plan) && plan.id !== current.plan && current.billing_mode !== 'manual';
  const [query] = useSearchParams();
  const proposed = proposedPlan(query, plans);
  const [chosen, setChosen] = useState<PlanResponse | null>(proposed && mayTake(proposed) ? proposed : null);
  const [said, setSaid] = useState('');
  const announce = useAnnounce();
  const done = (text: string) => {
    flushSync(() => setChosen(null)); // an open dialog keeps the focus, so it must close first
    setSaid(text);
    announce(text);
    focusSection('plans');
  };
  const rank = (id: string) => plans.findIndex((plan) => plan.id === id);
  const verb = (plan: PlanResponse) =>
    current.billing_mode === 'free' ? 'Choose' : rank(plan.id) > rank(current.plan) ? 'Upgrade to' : 'Change to';
  return (
    <>
      {said && (
        <div className="section__body">
          <Notice tone="success">
            <p>{said}</p>
          </Notice>
        </div>
      )}
      <ul className="list">
        {plans.map((plan) => (
          <li className="list__item" key={plan.id}>
            <div className="list__text">
              <div className="list__title">
                {plan.name}
                {plan.id === current.plan && <Badge tone="success">Your plan</Badge>}
              </div>
              <div className="list__note">
                {contentsOf(plan).map((what) => (
                  <span key={what}>{what}</span>
                ))}
              </div>
            </div>
            <strong>{priceOf(plan)}</strong>
            {mayTake(plan) && (
              <Button size="small" onClick={() => setChosen(plan)}>
                {verb(plan)} {plan.name}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {chosen &&
        (current.billing_mode === 'free' ? (
          <CheckoutDialog plan={chosen} onClose={() => setChosen(null)} />
        ) : (
          <ChangePlanDialog plan={chosen} onClose={() => setChosen(null)} onDone={done} />
        ))}
    </>
  );
}
