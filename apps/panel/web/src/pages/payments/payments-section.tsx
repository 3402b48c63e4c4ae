import { useState } from 'react';
import { usePayments } from '../../api/payments.js';
import { useSettling } from '../../api/settling.js';
import { Button } from '../../components/button.js';
import { List } from '../../components/list.js';
import { focusSection, Section } from '../../components/section.js';
import { SettlingNotice } from '../../components/settling-notice.js';
import { PaymentItem } from './payment-item.js';

const PAGE = 20;

export function PaymentsSection() {
  const [offset, setOffset] = useState(0);
  const payments = usePayments(PAGE, offset);
  const settling = useSettling('left');
  const hasOlder = (payments.data?.length ?? 0) > PAGE;
  const go = (to: number) => {
    setOffset(to);
    focusSection('payments');
  };
  return (
    <Section id="payments" title="Payments" intro="Includes declined and pending payments.">
      {settling.phase !== 'none' && (
        <div className="section__body">
          <SettlingNotice
            settling={settling}
            done="The payment is complete. You find the invoice above."
            late="Your purchase will arrive automatically."
          />
        </div>
      )}
      <List
        query={{ ...payments, data: payments.data?.slice(0, PAGE) } as typeof payments}
        empty={
          <>
            <strong>{offset ? 'No older payments' : 'No payments yet'}</strong>
            {!offset && <span>Payments for credits and plans appear here.</span>}
          </>
        }
      >
        {(payment) => <PaymentItem key={payment.payment_intent_id || payment.created_at} payment={payment} />}
      </List>
      {(hasOlder || offset > 0) && (
        <div className="section__foot">
          <span>
            {offset + 1} to {offset + Math.min(PAGE, payments.data?.length ?? 0)}
          </span>
          <span className="form__actions">
            <Button size="small" aria-disabled={offset === 0} onClick={() => go(Math.max(0, offset - PAGE))}>
              Newer
            </Button>
            <Button
              size="small"
              aria-disabled={!hasOlder || payments.isPlaceholderData}
              onClick={() => go(offset + PAGE)}
            >
              Older
            </Button>
          </span>
        </div>
      )}
    </Section>
  );
}
