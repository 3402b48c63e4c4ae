import { useEffect, useState } from 'react';
import { useUser } from '../components/require-session.js';
import { storePayment, type PaymentToMake } from './payment-handover.js';

/** A separate document with its own policy, so it is not a route of this application. */
const PAY_PAGE = '/pay';

/**
 * Returns `pay`, which stores a payment in this tab and opens `/pay`. `isRefused` becomes true if
 * the browser refuses storage: then nothing can be paid.
 */
export function usePayPage() {
  const { email } = useUser();
  const [state, setState] = useState<'here' | 'leaving' | 'refused'>('here');

  useEffect(() => {
    // The browser's back button can restore this page in its old state.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && setState('here');
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);

  const pay = (payment: Omit<PaymentToMake, 'payer'>): void => {
    const isKept = storePayment({ ...payment, payer: email });
    setState(isKept ? 'leaving' : 'refused');
    if (isKept) window.location.assign(PAY_PAGE);
  };
  return { pay, isLeaving: state === 'leaving', isRefused: state === 'refused' };
}
