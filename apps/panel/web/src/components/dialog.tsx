import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import './dialog.css';

interface DialogProps {
  title: string;
  /** Escape, or a button inside that says so. */
  onClose: () => void;
  /** Escape does not close it, for what is shown once. */
  staysOpen?: boolean;
  children: ReactNode;
}

/** Open while it is there. The rest of the page cannot be reached meanwhile, and the focus comes back when it goes. */
export function Dialog({ title, onClose, staysOpen = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  useEffect(() => {
    if (!staysOpen) return undefined;
    // Browsers close a dialog at the second Escape although `cancel` is prevented, unless the key itself is.
    const keepOpen = (event: KeyboardEvent) => {
      if (event.key === 'Escape') event.preventDefault();
    };
    document.addEventListener('keydown', keepOpen);
    return () => document.removeEventListener('keydown', keepOpen);
  }, [staysOpen]);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!staysOpen) onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
