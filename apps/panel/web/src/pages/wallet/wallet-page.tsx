import { AreaPage } from '../../components/area-page.js';
import { AutoTopUpSection } from './auto-topup-section.js';
import { BuySection } from './buy-section.js';
import { CreditsSection } from './credits-section.js';
import { HistorySection } from './history-section.js';
import { LimitsSection } from './limits-section.js';

/** The user's credits, ways to get more, and limits for automatic spending. */
export function WalletPage() {
  return (
    <AreaPage title="Wallet" intro="Your credits, purchases, and limits for automatic spending.">
      <CreditsSection />
      <BuySection />
      <AutoTopUpSection />
      <LimitsSection />
      <HistorySection />
    </AreaPage>
  );
}
