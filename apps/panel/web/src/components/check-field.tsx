import { useId, type ReactNode } from 'react';
import './check-field.css';
import { useFieldError } from './form.js';

interface CheckFieldProps {
  name: string;
  label: string;
  hint?: ReactNode;
  defaultChecked?: boolean;
  /** The box must be checked. */
  required?: boolean;
  /** Error message if a required box is not checked. */
  missing?: string;
  onChange?: (isChecked: boolean) => void;
}

/** A checkbox, unchecked by default. */
export function CheckField({ name, label, hint, defaultChecked, required, missing, onChange }: CheckFieldProps) {
  const id = useId();
  const error = useFieldError(name);
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="check-field">
      <input
        id={id}
        name={name}
        type="checkbox"
        defaultChecked={defaultChecked}
        onChange={onChange && (({ target }) => onChange(target.checked))}
        required={required}
        data-missing={missing}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy || undefined}
      />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className="check-field__hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="check-field__error field__error">
          {error}
        </p>
      )}
    </div>
  );
}
