import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import './dialog.css';

interface DialogProps {
  title: string;
  /** Escape, or a button inside that says so. */
  onClose: () => void;
  children: ReactNode;
}

/** Open while it is there. The rest of the page cannot be reached meanwhile, and the focus comes back when it goes. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
