import { AreaPage } from '../../components/area-page.js';
import { AutoTopUpSection } from './auto-topup-section.js';
import { BuySection } from './buy-section.js';
import { CreditsSection } from './credits-section.js';
import { HistorySection } from './history-section.js';
import { LimitsSection } from './limits-section.js';

/** What one can spend, how more comes in, and what may be spent without one. */
export function WalletPage() {
  return (
    <AreaPage title="Wallet" intro="Your credits, how you buy more, and what may be spent without you.">
      <CreditsSection />
      <BuySection />
      <AutoTopUpSection />
      <LimitsSection />
      <HistorySection />
    </AreaPage>
  );
}
