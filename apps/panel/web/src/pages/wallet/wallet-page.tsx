import { AreaPage } from '../../components/area-page.js';
import { CreditsSection } from './credits-section.js';
import { HistorySection } from './history-section.js';
import { LimitsSection } from './limits-section.js';
import { UsageSection } from './usage-section.js';

/** What one can spend, what one used, and what may be spent without one. */
export function WalletPage() {
  return (
    <AreaPage title="Wallet" intro="Your credits, what you used of your plan, and what may be spent without you.">
      <CreditsSection />
      <UsageSection />
      <LimitsSection />
      <HistorySection />
    </AreaPage>
  );
}
