import type { SpendingResponse } from '@platform/client';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useChangeSpending, useSpending } from '../../api/billing.js';
import { toProblem } from '../../api/problem.js';
import { Button } from '../../components/button.js';
import { CheckField } from '../../components/check-field.js';
import { Field } from '../../components/field.js';
import { Form } from '../../components/form.js';
import { Loaded } from '../../components/loaded.js';
import { Notice } from '../../components/notice.js';
import { Section } from '../../components/section.js';
import { Time } from '../../components/time.js';
import { credits } from '../../lib/credits.js';
import { limitOf, noLimit } from '../../lib/limits.js';
import { proposedLimit } from '../../lib/proposal.js';

export function LimitsSection() {
  const spending = useSpending();
  return (
    <Section id="limits" title="Limits" intro="Monthly limits for credits that are spent without a call by you.">
      <Loaded query={spending}>{(found) => <LimitsForm spending={found} />}</Loaded>
    </Section>
  );
}

function LimitsForm({ spending }: { spending: SpendingResponse }) {
  const change = useChangeSpending();
  const [savedAt, setSavedAt] = useState(0);
  const [query] = useSearchParams();
  const proposed = (name: string, limit: number | null): number | null => {
    const wanted = savedAt === 0 ? proposedLimit(query, name) : undefined;
    return wanted === undefined ? limit : wanted;
  };
  const submit = (values: Record<string, string>) =>
    change.mutate(
      { other_apps_limit: limitOf(values, 'other_apps_limit'), unattended_limit: limitOf(values, 'unattended_limit') },
      { onSuccess: () => setSavedAt(savedAt + 1) },
    );
  return (
    <div className="section__body">
      <Form
        key={savedAt}
        label="Limits"
        busy={change.isPending}
        problem={change.error && toProblem(change.error, ['other_apps_limit', 'unattended_limit'])}
        onSubmit={submit}
      >
        {change.isSuccess && (
          <Notice tone="success" role="status">
            <p>The limits were saved.</p>
          </Notice>
        )}
        <LimitField
          name="other_apps_limit"
          label="Apps that call other apps"
          limit={proposed('other_apps_limit', spending.other_apps_limit)}
          hint={`For apps that call others during your use. ${credits(spending.other_apps_spent)} spent this month.`}
        />
        <LimitField
          name="unattended_limit"
          label="Schedules, events and webhooks"
          limit={proposed('unattended_limit', spending.unattended_limit)}
          hint={`For calls in your absence. ${credits(spending.unattended_spent)} spent this month. Automations that you created yourself do not count, unless an app or an API key triggered them.`}
        />
        <div className="section__foot section__foot--inside">
          <span>
            Resets <Time at={spending.resets_at} />
          </span>
          <Button type="submit" look="primary" busy={change.isPending}>
            Save limits
          </Button>
        </div>
      </Form>
    </div>
  );
}

interface LimitFieldProps {
  name: string;
  label: string;
  hint: string;
  limit: number | null;
}

/** A limit with a checkbox for no limit: an empty field does not mean no limit. */
function LimitField({ name, label, hint, limit }: LimitFieldProps) {
  const [isNone, setNone] = useState(limit === null);
  return (
    <>
      <Field
        name={name}
        label={label}
        inputMode="numeric"
        defaultValue={limit ?? ''}
        hint={hint}
        required
        disabled={isNone}
        missing="Enter a number of credits, or choose no limit."
      />
      <CheckField
        name={noLimit(name)}
        label={`No limit: ${label.toLowerCase()}`}
        defaultChecked={isNone}
        onChange={setNone}
      />
    </>
  );
}
