import { AreaPage } from '../../components/area-page.js';
import { useUser } from '../../components/require-session.js';
import { CardsSection } from './cards-section.js';
import { InvoicesSection } from './invoices-section.js';
import { PaymentsSection } from './payments-section.js';
import { ProfileSection } from './profile-section.js';

/** Cards, invoices, payments and the billing profile. Mails about payments link here. */
export function PaymentsPage() {
  const user = useUser();
  return (
    <AreaPage title="Payments" intro="Your cards, invoices and payments.">
      <CardsSection />
      <InvoicesSection />
      <PaymentsSection />
      <ProfileSection user={user} />
    </AreaPage>
  );
}
