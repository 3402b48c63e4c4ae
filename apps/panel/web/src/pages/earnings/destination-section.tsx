import type { PayoutDestinationResponse } from '@platform/client';
import { useState } from 'react';
import { useChangePayoutDestination, usePayoutDestination } from '../../api/billing.js';
import { toProblem } from '../../api/problem.js';
import { Button } from '../../components/button.js';
import { CurrentPasswordField, wrongPassword } from '../../components/current-password-field.js';
import { Facts } from '../../components/facts.js';
import { Field } from '../../components/field.js';
import { Form } from '../../components/form.js';
import { Loaded } from '../../components/loaded.js';
import { Notice } from '../../components/notice.js';
import { Section } from '../../components/section.js';
import { Time } from '../../components/time.js';

/** The account that receives payouts. */
export function DestinationSection() {
  const destination = usePayoutDestination();
  return (
    <Section
      id="destination"
      title="Payout account"
      intro="Payouts go to this account. Without one, you are paid as agreed with the operator of the platform."
    >
      <Loaded query={destination}>
        {(kept) => (
          <div className="section__body">
            {kept.changed_at && (
              <Facts
                facts={[
                  ['Payment method', kept.method],
                  ['Account', kept.details],
                  ['Changed', <Time key="changed" at={kept.changed_at} />],
                ]}
              />
            )}
            <DestinationForm kept={kept} />
          </div>
        )}
      </Loaded>
    </Section>
  );
}

function DestinationForm({ kept }: { kept: PayoutDestinationResponse }) {
  const change = useChangePayoutDestination();
  const [sent, setSent] = useState(0);
  const submit = ({ method = '', details = '', current_password = '' }: Record<string, string>) =>
    change.mutate({ method, details, current_password }, { onSuccess: () => setSent(sent + 1) });
  return (
    <Form
      key={sent}
      label="Change your payout account"
      busy={change.isPending}
      problem={
        change.error &&
        (wrongPassword(change.error) ?? toProblem(change.error, ['method', 'details', 'current_password']))
      }
      onSubmit={submit}
    >
      {change.isSuccess && (
        <Notice tone="success" role="status">
          <p>Your payout account was saved. You also get a mail about it.</p>
        </Notice>
      )}
      <Field
        name="method"
        label="Payment method"
        maxLength={50}
        defaultValue={kept.method ?? ''}
        required
        missing="Enter a payment method, such as bank transfer."
      />
      <Field
        name="details"
        label="Account"
        maxLength={500}
        autoComplete="off"
        required
        missing="Enter the account, such as IBAN and account holder."
        hint="Payouts that you have already requested still go to the previous account."
      />
      <CurrentPasswordField />
      <div className="section__foot section__foot--inside">
        <span>Your password confirms the change.</span>
        <Button type="submit" look="primary" busy={change.isPending}>
          Save account
        </Button>
      </div>
    </Form>
  );
}
