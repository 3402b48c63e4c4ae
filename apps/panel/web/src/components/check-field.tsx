import { useId, type ReactNode } from 'react';
import './check-field.css';

interface CheckFieldProps {
  name: string;
  label: string;
  hint?: ReactNode;
}

/** A choice that is off until somebody makes it. */
export function CheckField({ name, label, hint }: CheckFieldProps) {
  const id = useId();
  return (
    <div className="check-field">
      <input id={id} name={name} type="checkbox" aria-describedby={hint ? `${id}-hint` : undefined} />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className="check-field__hint">
          {hint}
        </p>
      )}
    </div>
  );
}
