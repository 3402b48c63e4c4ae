import { useState } from 'react';
import { flushSync } from 'react-dom';
import { toProblem } from '../../api/problem.js';
import { useCancelPlan, useResumePlan } from '../../api/subscription.js';
import { useAnnounce } from '../../components/announcer.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { focusSection } from '../../components/section.js';
import { Attempt } from '../../lib/attempt.js';

/** Of a plan whose month is paid: when that ends. Of one whose month is not: at once. */
export function CancelPlan({ ends, isUnpaid }: { ends: string; isUnpaid: boolean }) {
  const [asking, setAsking] = useState(false);
  const [attempt] = useState(() => new Attempt());
  const cancel = useCancelPlan();
  const announce = useAnnounce();
  const confirm = () => {
    const key = attempt.begin('cancel');
    if (key === null) return;
    cancel.mutate(key, {
      onSuccess: () => {
        flushSync(() => setAsking(false)); // nothing behind an open dialog takes the focus
        focusSection('plan');
        announce(isUnpaid ? 'Your plan has ended.' : `Your plan ends on ${ends}.`);
      },
      onSettled: (_answer, error) => attempt.answered(error),
    });
  };
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        Cancel plan
      </Button>
      {asking && (
        <ConfirmDialog
          title="Cancel your plan?"
          action="Cancel plan"
          keep="Keep plan"
          busy={cancel.isPending}
          error={cancel.error}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          {isUnpaid
            ? 'Its month is not paid, so it ends at once. Credits that you bought stay yours.'
            : `It stays as it is until ${ends}, and is not renewed. Credits that you bought stay yours.`}
        </ConfirmDialog>
      )}
    </>
  );
}

export function ResumePlan() {
  const [attempt] = useState(() => new Attempt());
  const resume = useResumePlan();
  const announce = useAnnounce();
  const confirm = () => {
    const key = attempt.begin('resume');
    if (key === null) return;
    resume.mutate(key, {
      onSuccess: () => {
        focusSection('plan');
        announce('Your plan goes on.');
      },
      onSettled: (_answer, error) => attempt.answered(error),
    });
  };
  return (
    <>
      <ProblemNotice problem={resume.error && toProblem(resume.error)} />
      <Button size="small" look="primary" busy={resume.isPending} onClick={confirm}>
        Keep plan
      </Button>
    </>
  );
}
