import type { ReactNode } from 'react';
import { toProblem } from '../api/problem.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { ProblemNotice } from './problem-notice.js';

interface ConfirmDialogProps {
  title: string;
  /** Description of the consequences. */
  children: ReactNode;
  /** Label of the button that confirms. */
  action: string;
  /** Label of the button that cancels. */
  keep?: string;
  busy: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation of an action that cannot be undone. */
export function ConfirmDialog({
  title,
  children,
  action,
  keep = 'Cancel',
  busy,
  error,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="muted">{children}</p>
      <ProblemNotice problem={error && toProblem(error)} />
      <div className="dialog__actions">
        <Button onClick={onClose}>{keep}</Button>
        <Button look="danger" busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
