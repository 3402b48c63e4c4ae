import type { UserResponse } from '@platform/client';
import { useState } from 'react';
import { billingProfileOf, useChangeProfile } from '../../api/payments.js';
import { toProblem } from '../../api/problem.js';
import { fullName } from '../../components/avatar.js';
import { Button } from '../../components/button.js';
import { Field } from '../../components/field.js';
import { Form } from '../../components/form.js';
import { Notice } from '../../components/notice.js';
import { Section } from '../../components/section.js';

const FIELDS = ['name', 'company', 'vat', 'country'];

export function ProfileSection({ user }: { user: UserResponse }) {
  const change = useChangeProfile();
  const [savedAt, setSavedAt] = useState(0);
  const profile = billingProfileOf(user);
  const submit = ({ name = '', company = '', vat = '', country = '' }: Record<string, string>) =>
    change.mutate(
      { name, company, vat, country: country.trim().toUpperCase() },
      { onSuccess: () => setSavedAt(savedAt + 1) },
    );
  return (
    <Section
      id="profile"
      title="Billing profile"
      intro="Recipient of your next invoices. Existing invoices do not change."
    >
      <div className="section__body">
        <Form
          key={savedAt}
          label="Billing profile"
          busy={change.isPending}
          problem={change.error && toProblem(change.error, FIELDS)}
          onSubmit={submit}
        >
          {change.isSuccess && (
            <Notice tone="success" role="status">
              <p>The billing profile was saved.</p>
            </Notice>
          )}
          <div className="form__row">
            <Field
              name="name"
              label="Name"
              autoComplete="name"
              maxLength={100}
              defaultValue={profile.name ?? ''}
              hint={`If empty: ${fullName(user) || user.email}`}
            />
            <Field
              name="company"
              label="Company"
              autoComplete="organization"
              maxLength={150}
              defaultValue={profile.company ?? ''}
            />
            <Field
              name="vat"
              label="VAT number"
              autoComplete="off"
              maxLength={20}
              spellCheck={false}
              defaultValue={profile.vat ?? ''}
            />
            <Field
              name="country"
              label="Country"
              autoComplete="country"
              maxLength={2}
              autoCapitalize="characters"
              spellCheck={false}
              defaultValue={profile.country ?? ''}
              hint="Two letters, such as DE."
            />
          </div>
          <div className="section__foot section__foot--inside">
            <span>Shown only to you and on invoices.</span>
            <Button type="submit" look="primary" busy={change.isPending}>
              Save profile
            </Button>
          </div>
        </Form>
      </div>
    </Section>
  );
}
