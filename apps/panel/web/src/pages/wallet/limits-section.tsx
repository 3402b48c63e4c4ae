import type { SpendingResponse } from '@platform/client';
import { useState } from 'react';
import { useChangeSpending, useSpending } from '../../api/billing.js';
import { toProblem } from '../../api/problem.js';
import { Button } from '../../components/button.js';
import { Field } from '../../components/field.js';
import { Form } from '../../components/form.js';
import { Loaded } from '../../components/loaded.js';
import { Notice } from '../../components/notice.js';
import { Section } from '../../components/section.js';
import { Time } from '../../components/time.js';
import { credits } from '../../lib/credits.js';

export function LimitsSection() {
  const spending = useSpending();
  return (
    <Section id="limits" title="Limits" intro="How many credits may be spent in a month when you do not call a function yourself.">
      <Loaded query={spending}>{(found) => <LimitsForm spending={found} />}</Loaded>
    </Section>
  );
}

function LimitsForm({ spending }: { spending: SpendingResponse }) {
  const change = useChangeSpending();
  const [savedAt, setSavedAt] = useState(0);
  const submit = ({ other_apps_limit = '', unattended_limit = '' }: Record<string, string>) =>
    change.mutate(
      { other_apps_limit: limitOf(other_apps_limit), unattended_limit: limitOf(unattended_limit) },
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
            <p>The limits are saved.</p>
          </Notice>
        )}
        <Field
          name="other_apps_limit"
          label="Apps that call other apps"
          inputMode="numeric"
          defaultValue={spending.other_apps_limit ?? ''}
          hint={`While you use the first app. ${credits(spending.other_apps_spent)} spent this month. Empty: no limit.`}
        />
        <Field
          name="unattended_limit"
          label="Schedules, events and webhooks"
          inputMode="numeric"
          defaultValue={spending.unattended_limit ?? ''}
          hint={`While you are not there. ${credits(spending.unattended_spent)} spent this month. Empty: no limit.`}
        />
        <div className="section__foot section__foot--inside">
          <span>
            Counted anew <Time at={spending.resets_at} />
          </span>
          <Button type="submit" look="primary" busy={change.isPending}>
            Save limits
          </Button>
        </div>
      </Form>
    </div>
  );
}

/** What is no number goes to the platform as it is, which says what is wrong with it. */
const limitOf = (text: string): number | null => {
  const typed = text.trim();
  if (typed === '') return null;
  return /^\d+$/.test(typed) ? Number(typed) : (typed as unknown as number);
};
