import { useEffect } from 'react';
import { Emblem } from '../components/emblem.js';
import { forgetPayments, type PaymentToMake } from '../lib/payment-handover.js';
import { PayLayout } from './pay-layout.js';

/** Another payment took its place, or nobody paid it for a day. */
export function Canceled({ payment }: { payment: PaymentToMake }) {
  return (
    <PayLayout
      title="This cannot be paid any more"
      emblem={<Emblem icon="info" tone="warning" />}
      intro="It was begun anew elsewhere, or too long ago. Nothing was paid."
      way={{ to: payment.back, label: 'Go back', look: 'primary', onLeave: forgetPayments }}
    />
  );
}

/** In place of this page in the history, so that nobody comes back to it by the browser's button. */
export function Leaving({ to, because }: { to: string; because?: () => void }) {
  useEffect(() => {
    because?.();
    window.location.replace(to);
    // Once: what it depends on does not change.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return <PayLayout title="One moment" intro="You are being led on." />;
}
