import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import './dialog.css';

interface DialogProps {
  title: string;
  /** Called on Escape, or by a button of the dialog. */
  onClose: () => void;
  /** Ignores Escape, for content that is shown only once. */
  staysOpen?: boolean;
  children: ReactNode;
}

/**
 * A modal dialog, open while it is rendered. The rest of the page cannot be used. When it closes,
 * the browser restores the focus.
 */
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
    // Browsers close a dialog at the second Escape even if `cancel` is prevented, unless the key
    // itself is prevented.
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
