import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { usePayouts, useRequestPayout } from '../../api/billing.js';
import { toProblem } from '../../api/problem.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Field } from '../../components/field.js';
import { Form } from '../../components/form.js';
import { List } from '../../components/list.js';
import { Notice } from '../../components/notice.js';
import { Section } from '../../components/section.js';
import { Time } from '../../components/time.js';
import { Attempt } from '../../lib/attempt.js';
import { credits, SMALLEST_PAYOUT } from '../../lib/credits.js';
import { proposedPayout } from '../../lib/proposal.js';

const STATUS: Record<string, string> = { pending: 'Pending', approved: 'Approved', paid: 'Paid', rejected: 'Rejected' };

export function PayoutsSection({ available }: { available: number }) {
  const payouts = usePayouts();
  return (
    <Section
      id="payouts"
      title="Payouts"
      intro="The operator of the platform approves and pays payouts, in US dollars."
    >
      <RequestForm available={available} />
      <List
        query={payouts}
        empty={
          <>
            <strong>No payouts yet</strong>
            <span>The smallest payout is {credits(SMALLEST_PAYOUT)}.</span>
          </>
        }
      >
        {({ id, status, amount_tokens, amount_usd, requested_at, admin_note }) => (
          <li className="list__item" key={id}>
            <div className="list__text">
              <div className="list__title">
                ${amount_usd}
                <Badge tone={status === 'rejected' ? 'warning' : 'neutral'}>{STATUS[status] ?? status}</Badge>
              </div>
              <div className="list__note">
                <span>{credits(amount_tokens)}</span>
                <span>
                  Requested <Time at={requested_at} />
                </span>
                {admin_note && <span>{admin_note}</span>}
              </div>
            </div>
          </li>
        )}
      </List>
    </Section>
  );
}

function RequestForm({ available }: { available: number }) {
  const request = useRequestPayout();
  const [attempt] = useState(() => new Attempt());
  const [query] = useSearchParams();
  const submit = ({ amount_tokens = '' }: Record<string, string>) => {
    const body = { amount_tokens: Number(amount_tokens) };
    const key = attempt.begin(body);
    if (key === null) return;
    request.mutate({ key, body }, { onSettled: (_payout, error) => attempt.answered(error) });
  };
  return (
    <div className="section__body">
      <Form
        key={request.data?.id}
        label="Request a payout"
        busy={request.isPending}
        problem={request.error && toProblem(request.error, ['amount_tokens'])}
        onSubmit={submit}
      >
        {request.isSuccess && (
          <Notice tone="success" role="status">
            <p>Your payout of ${request.data.amount_usd} is waiting for approval.</p>
          </Notice>
        )}
        <Field
          name="amount_tokens"
          label="Credits"
          type="number"
          min={SMALLEST_PAYOUT}
          defaultValue={proposedPayout(query) ?? undefined}
          step={10}
          required
          missing="Enter the number of credits to pay out."
          hint={`At least ${credits(SMALLEST_PAYOUT)}, and a multiple of 10. Available: ${credits(available)}.`}
        />
        <div className="section__foot section__foot--inside">
          <span>The amount in dollars is fixed when you send the request.</span>
          <Button type="submit" look="primary" busy={request.isPending}>
            Request payout
          </Button>
        </div>
      </Form>
    </div>
  );
}
