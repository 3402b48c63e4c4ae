import { Emblem } from '../components/emblem.js';
import { finishPayment, forgetPayments, type PaymentToMake } from '../lib/payment-handover.js';
import { Canceled, Leaving } from './outcomes.js';
import { PayLayout } from './pay-layout.js';
import { isTestPayment, getTestPaymentUrl, type Returned } from './test-payment.js';
import { StripePayment } from './stripe-payment.js';

interface PayPageProps {
  /** Null if this tab has nothing to pay. */
  payment: PaymentToMake | null;
  /** Result from the fake of Stripe. */
  returned: Returned | null;
  /** Address of the fake of Stripe; empty if there is none. */
  testPayments: string;
}

/**
 * Lets the user pay or save a card, with Stripe or for test payments with the fake of Stripe, and
 * returns to the page that they came from. Does not call the panel: its policy forbids that, since
 * Stripe's script runs here. The page that follows checks the result.
 */
export function PayPage({ payment, returned, testPayments }: PayPageProps) {
  if (!payment) {
    return (
      <PayLayout
        title="There is nothing to pay here"
        intro="It was already paid, or started in another tab."
        way={{ to: '/payments', label: 'Go to your payments', look: 'primary' }}
      />
    );
  }
  // Anyone can link here with a result of the fake, so it counts only for test payments.
  if (!isTestPayment(payment)) return <StripePayment payment={payment} />;
  if (returned === 'failed') return <Canceled payment={payment} />;
  if (returned) return <Leaving to={payment.back} because={() => finishPayment(payment)} />;
  if (testPayments) return <Leaving to={getTestPaymentUrl(testPayments, payment)} />;
  return (
    <PayLayout
      title="Payments are not set up"
      emblem={<Emblem icon="alert" tone="warning" />}
      intro="This platform uses test payments, but their address is not configured. Nothing was paid. Contact the operator of the platform."
      way={{ to: payment.back, label: 'Go back', look: 'secondary', onLeave: forgetPayments }}
    />
  );
}
