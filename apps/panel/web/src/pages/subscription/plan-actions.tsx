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

/**
 * Button that cancels a plan after a confirmation: at the end of its month if that is paid,
 * otherwise at once.
 */
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
        flushSync(() => setAsking(false)); // an open dialog keeps the focus, so it must close first
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
            ? 'The current month is not paid, so your plan ends at once. You keep credits that you bought.'
            : `Your plan continues until ${ends} and is not renewed. You keep credits that you bought.`}
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
        announce('Your plan continues.');
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
