import { Emblem } from '../components/emblem.js';
import { finishPayment, forgetPayments, type PaymentToMake } from '../lib/payment-handover.js';
import { Canceled, Leaving } from './outcomes.js';
import { PayLayout } from './pay-layout.js';
import { isTestPayment, standInPage, type Returned } from './stand-in.js';
import { StripePayment } from './stripe-payment.js';

interface PayPageProps {
  /** Null where there is nothing to pay in this tab. */
  payment: PaymentToMake | null;
  /** From the stand-in. */
  returned: Returned | null;
  /** Where the stand-in is; empty where there is none. */
  testPayments: string;
}

/**
 * Has somebody pay, or leave a card, and leads back to where they came from. It asks nothing of the panel: its policy forbids it, since
 * Stripe's script runs here. The page that it leads back to finds out what came of it.
 */
export function PayPage({ payment, returned, testPayments }: PayPageProps) {
  if (!payment) {
    return (
      <PayLayout
        title="There is nothing to pay here"
        intro="It was paid already, or begun in another tab."
        way={{ to: '/payments', label: 'Go to your payments', look: 'primary' }}
      />
    );
  }
  // Anybody can lead here with what the stand-in says: of a real payment Stripe is asked.
  if (!isTestPayment(payment)) return <StripePayment payment={payment} />;
  if (returned === 'failed') return <Canceled payment={payment} />;
  if (returned) return <Leaving to={payment.back} because={() => finishPayment(payment)} />;
  if (testPayments) return <Leaving to={standInPage(testPayments, payment)} />;
  return (
    <PayLayout
      title="Payments are not set up"
      emblem={<Emblem icon="alert" tone="warning" />}
      intro="This platform takes test payments, but does not say where. Nothing was paid. Tell those who run it."
      way={{ to: payment.back, label: 'Go back', look: 'secondary', onLeave: forgetPayments }}
    />
  );
}
