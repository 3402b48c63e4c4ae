import { useEffect, useState } from 'react';
import { useUser } from '../components/require-session.js';
import { storePayment, type PaymentToMake } from './payment-handover.js';

/** Another document, with a policy of its own, so this is no route of the pages here. */
const PAY_PAGE = '/pay';

/** The way to `/pay`. */
export function usePayPage() {
  const { email } = useUser();
  const [state, setState] = useState<'here' | 'leaving' | 'refused'>('here');

  useEffect(() => {
    // Who comes back by the browser's button may find this page as it was.
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
