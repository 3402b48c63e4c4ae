import type { PaymentHistoryItem } from '@platform/client';
import { useState } from 'react';
import { usePayments } from '../../api/payments.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { List } from '../../components/list.js';
import { focusSection, Section } from '../../components/section.js';
import { Time } from '../../components/time.js';
import { credits } from '../../lib/credits.js';
import { inMoney } from '../../lib/money.js';

const PAGE = 20;

const PURPOSES: Record<string, string> = {
  topup: 'Credits',
  auto_topup: 'Automatic top-up',
  checkout: 'First month of a plan',
  upgrade: 'Change to a larger plan',
  renewal: 'Month of a plan',
};

const STATUS: Record<PaymentHistoryItem['status'], { text: string; tone: 'neutral' | 'success' | 'warning' }> = {
  pending: { text: 'Not finished', tone: 'neutral' },
  succeeded: { text: 'Paid', tone: 'success' },
  failed: { text: 'Not paid', tone: 'warning' },
  refunded: { text: 'Given back', tone: 'neutral' },
};

export function PaymentsSection() {
  const [offset, setOffset] = useState(0);
  const payments = usePayments(PAGE, offset);
  const hasOlder = (payments.data?.length ?? 0) > PAGE;
  const go = (to: number) => {
    setOffset(to);
    focusSection('payments');
  };
  return (
    <Section id="payments" title="Payments" intro="Also those that were declined, or not finished.">
      <List
        query={{ ...payments, data: payments.data?.slice(0, PAGE) } as typeof payments}
        empty={
          <>
            <strong>{offset ? 'No older payments' : 'No payments yet'}</strong>
            {!offset && <span>What you pay for credits and plans shows here.</span>}
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
            <Button size="small" aria-disabled={!hasOlder || payments.isPlaceholderData} onClick={() => go(offset + PAGE)}>
              Older
            </Button>
          </span>
        </div>
      )}
    </Section>
  );
}

function PaymentItem({ payment }: { payment: PaymentHistoryItem }) {
  const {
    purpose,
    plan,
    tokens,
    status,
    created_at,
    failure_reason,
    receipt_url,
    refunded_cents: backCents,
    amount_cents,
    currency,
  } = payment;
  return (
    <li className="list__item">
      <div className="list__text">
        <div className="list__title">
          {PURPOSES[purpose] ?? purpose}
          <Badge tone={STATUS[status].tone}>{STATUS[status].text}</Badge>
        </div>
        <div className="list__note">
          <span>
            <Time at={created_at} />
          </span>
          {plan && <span>Plan {plan}</span>}
          {tokens > 0 && <span>{credits(tokens)}</span>}
          {backCents > 0 && status !== 'refunded' && <span>{inMoney(backCents, currency)} given back</span>}
          {failure_reason && status !== 'succeeded' && <span>{failure_reason}</span>}
          {isWebAddress(receipt_url) && (
            <span>
              <a href={receipt_url} target="_blank" rel="noopener noreferrer">
                Receipt
              </a>
            </span>
          )}
        </div>
      </div>
      <strong>{inMoney(amount_cents, currency)}</strong>
    </li>
  );
}

/** An address of the provider. Nothing else becomes a link. */
const isWebAddress = (url: string): boolean => url.startsWith('https://');
