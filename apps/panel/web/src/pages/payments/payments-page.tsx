import { AreaPage } from '../../components/area-page.js';
import { useUser } from '../../components/require-session.js';
import { CardsSection } from './cards-section.js';
import { InvoicesSection } from './invoices-section.js';
import { PaymentsSection } from './payments-section.js';
import { ProfileSection } from './profile-section.js';

/** What pays, what was paid, and to whom it is made out. Mails about payments lead here. */
export function PaymentsPage() {
  const user = useUser();
  return (
    <AreaPage title="Payments" intro="Your cards, your invoices, and what you paid.">
      <CardsSection />
      <InvoicesSection />
      <PaymentsSection />
      <ProfileSection user={user} />
    </AreaPage>
  );
}
