import { AreaPage } from '../../components/area-page.js';
import { PlanSection } from './plan-section.js';
import { PlansSection } from './plans-section.js';
import { UsageSection } from './usage-section.js';

/** Which plan one has, what one used of it, and the others. */
export function SubscriptionPage() {
  return (
    <AreaPage title="Subscription" intro="Your plan, what you used of it, and the plans that you can change to.">
      <PlanSection />
      <UsageSection />
      <PlansSection />
    </AreaPage>
  );
}
