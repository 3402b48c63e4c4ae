import type { PaymentHistoryItem } from '@platform/client';
import { useContinuePayment } from '../../api/payments.js';
import { toProblem } from '../../api/problem.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { StorageRefused } from '../../components/settling-notice.js';
import { Time } from '../../components/time.js';
import { credits } from '../../lib/credits.js';
import { inMoney } from '../../lib/money.js';
import { usePayPage } from '../../lib/use-pay-page.js';

const PURPOSES: Record<string, string> = {
  topup: 'Credits',
  auto_topup: 'Automatic top-up',
  checkout: 'First month of a plan',
  upgrade: 'Change to a larger plan',
  renewal: 'Plan renewal',
};

const STATUS: Record<PaymentHistoryItem['status'], { text: string; tone: 'neutral' | 'success' | 'warning' }> = {
  pending: { text: 'Pending', tone: 'neutral' },
  succeeded: { text: 'Paid', tone: 'success' },
  failed: { text: 'Failed', tone: 'warning' },
  refunded: { text: 'Refunded', tone: 'neutral' },
};

export function PaymentItem({ payment }: { payment: PaymentHistoryItem }) {
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
  const name = PURPOSES[purpose] ?? purpose;
  const goOn = useContinuePayment();
  const { pay, isLeaving, isRefused } = usePayPage();
  const payNow = () =>
    goOn.mutate(payment.payment_intent_id, {
      onSuccess: ({ client_secret, publishable_key }) => {
        if (client_secret === null) return;
        pay({
          kind: 'payment',
          purpose: 'left',
          intentId: payment.payment_intent_id,
          clientSecret: client_secret,
          publishableKey: publishable_key,
          title: tokens > 0 ? `${name}: ${credits(tokens)}` : name,
          amountCents: amount_cents,
          back: '/payments#payments',
          known: [],
        });
      },
    });
  return (
    <li className="list__item">
      <div className="list__text">
        <div className="list__title">
          {name}
          <Badge tone={STATUS[status].tone}>{STATUS[status].text}</Badge>
        </div>
        <div className="list__note">
          <span>
            <Time at={created_at} />
          </span>
          {plan && <span>Plan {plan}</span>}
          {tokens > 0 && <span>{credits(tokens)}</span>}
          {backCents > 0 && status !== 'refunded' && <span>{inMoney(backCents, currency)} refunded</span>}
          {failure_reason && status !== 'succeeded' && <span>{failure_reason}</span>}
          {isWebAddress(receipt_url) && (
            <span>
              <a href={receipt_url} target="_blank" rel="noopener noreferrer">
                Receipt
              </a>
            </span>
          )}
        </div>
        <ProblemNotice problem={goOn.error && toProblem(goOn.error)} />
        {isRefused && <StorageRefused />}
      </div>
      <strong>{inMoney(amount_cents, currency)}</strong>
      {payment.requires_action && (
        <Button
          size="small"
          busy={goOn.isPending || isLeaving}
          aria-label={`Pay ${inMoney(amount_cents, currency)} now: ${name}`}
          onClick={payNow}
        >
          Pay now
        </Button>
      )}
    </li>
  );
}

/** True for an https address. No other text of the payment provider becomes a link. */
const isWebAddress = (url: string): boolean => url.startsWith('https://');
