import { useEffect } from 'react';
import { Emblem } from '../components/emblem.js';
import { forgetPayments, type PaymentToMake } from '../lib/payment-handover.js';
import { PayLayout } from './pay-layout.js';

/** Shown if a payment was cancelled: another one replaced it, or it was not paid within a day. */
export function Canceled({ payment }: { payment: PaymentToMake }) {
  return (
    <PayLayout
      title="This payment is no longer possible"
      emblem={<Emblem icon="info" tone="warning" />}
      intro="Another payment has replaced it, or it was started too long ago. Nothing was paid."
      way={{ to: payment.back, label: 'Go back', look: 'primary', onLeave: forgetPayments }}
    />
  );
}

/**
 * Leads to another address. That replaces this page in the history, so that the back button does
 * not return to it.
 *
 * @param because called before the page is left.
 */
export function Leaving({ to, because }: { to: string; because?: () => void }) {
  useEffect(() => {
    because?.();
    window.location.replace(to);
    // Runs once: its values do not change.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return <PayLayout title="One moment" intro="You are being redirected." />;
}
