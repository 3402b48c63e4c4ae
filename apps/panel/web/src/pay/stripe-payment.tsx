import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { Button } from '../components/button.js';
import { Emblem } from '../components/emblem.js';
import '../components/form.css';
import { Notice } from '../components/notice.js';
import { Waiting } from '../components/waiting.js';
import { inMoney } from '../lib/money.js';
import { finishPayment, forgetPayments, type PaymentToMake } from '../lib/payment-handover.js';
import { CardForm } from './card-form.js';
import { Canceled, Leaving } from './outcomes.js';
import { PayLayout } from './pay-layout.js';
import './stripe-payment.css';

type Phase = 'loading' | 'ready' | 'confirming' | 'over' | 'canceled' | 'unavailable';

/**
 * Lets the user pay or save a card with Stripe's form, in frames of Stripe: this page never has
 * access to card numbers. Returns to the page of the panel that started it.
 */
export function StripePayment({ payment }: { payment: PaymentToMake }) {
  const place = useRef<HTMLDivElement>(null);
  const form = useRef<CardForm>(null);
  const [phase, setPhase] = useState<Phase>('loading');
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    let isGone = false;
    const begin = async (): Promise<Phase> => {
      const loaded = await CardForm.load(payment);
      const state = await loaded.look();
      if (state !== 'open') return state;
      if (isGone || !place.current) return 'loading';
      form.current = loaded;
      await loaded.mount(place.current);
      return 'ready';
    };
    begin().then(
      (reached) => isGone || setPhase(reached),
      () => isGone || setPhase('unavailable'),
    );
    return () => {
      isGone = true;
      form.current?.destroy();
    };
  }, [payment]);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (phase !== 'ready' || !form.current) return;
    setPhase('confirming');
    setProblem(null);
    const why = await form.current
      .confirm()
      .catch(() => 'The answer of the bank was lost. Try again. You will not pay twice.');
    setProblem(why);
    setPhase(why === null ? 'over' : 'ready');
  };

  const isSetup = payment.kind === 'setup';
  const back = {
    to: payment.back,
    label: 'Go back without paying',
    look: 'secondary' as const,
    onLeave: forgetPayments,
  };
  if (phase === 'over') return <Leaving to={payment.back} because={() => finishPayment(payment)} />;
  if (phase === 'canceled') return <Canceled payment={payment} />;
  if (phase === 'unavailable') {
    return (
      <PayLayout
        title="The payment form did not load"
        emblem={<Emblem icon="alert" tone="warning" />}
        intro="Nothing was paid. Check your connection, and that your browser does not block stripe.com."
        way={{ ...back, label: 'Go back' }}
      >
        <Button look="primary" wide onClick={() => window.location.reload()}>
          Try again
        </Button>
      </PayLayout>
    );
  }
  const amount = payment.amountCents === null ? null : inMoney(payment.amountCents);
  return (
    <PayLayout
      title={isSetup ? 'Save a card' : amount ? `Pay ${amount}` : 'Pay'}
      intro={
        <>
          <p>{isSetup ? 'You pay nothing now. The card is saved for later payments.' : payment.title}</p>
          <p>
            Account: <strong>{payment.payer}</strong>
          </p>
        </>
      }
      way={{ ...back, label: isSetup ? 'Go back without a card' : 'Go back without paying' }}
    >
      <form
        className="form"
        method="post"
        aria-label={isSetup ? 'Card' : 'Payment'}
        onSubmit={(event) => void submit(event)}
      >
        {problem !== null && (
          <Notice tone="destructive" role="alert">
            <p>{problem}</p>
          </Notice>
        )}
        <div className="pay-fields">
          {phase === 'loading' && <Waiting label="Loading the payment form" />}
          <div ref={place} />
        </div>
        <Button type="submit" look="primary" wide busy={phase === 'confirming'} aria-disabled={phase === 'loading'}>
          {isSetup ? 'Save card' : amount ? `Pay ${amount}` : 'Pay'}
        </Button>
      </form>
    </PayLayout>
  );
}
