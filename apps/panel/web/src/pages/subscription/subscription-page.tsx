import { AreaPage } from '../../components/area-page.js';
import { PlanSection } from './plan-section.js';
import { PlansSection } from './plans-section.js';
import { UsageSection } from './usage-section.js';

/** The user's plan, its usage, and the other plans. */
export function SubscriptionPage() {
  return (
    <AreaPage title="Subscription" intro="Your plan, your usage, and other plans.">
      <PlanSection />
      <UsageSection />
      <PlansSection />
    </AreaPage>
  );
}
