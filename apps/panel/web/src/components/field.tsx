import { useId, type ComponentProps, type ReactNode } from 'react';
import './field.css';
import { useFieldError } from './form.js';

type FieldProps = Omit<ComponentProps<'input'>, 'id' | 'className'> & {
  name: string;
  label: string;
  /** Shown at the end of the label's line. */
  aside?: ReactNode;
  hint?: string;
  /** Error message if a required field is empty. */
  missing?: string;
  /** Shown inside the field, at its end. */
  trailing?: ReactNode;
};

/** A text field with label, hint and error. */
export function Field({ name, label, aside, hint, missing, trailing, required, ...input }: FieldProps) {
  const id = useId();
  const error = useFieldError(name);
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <div className="field__head">
        <label className="field__label" htmlFor={id}>
          {label}
          {required === undefined && <span className="field__optional"> (optional)</span>}
        </label>
        {aside}
      </div>
      <div className="field__box">
        <input
          {...input}
          id={id}
          name={name}
          className="field__input"
          required={required}
          data-missing={missing}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy || undefined}
        />
        {trailing}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="field__hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="field__error">
          {error}
        </p>
      )}
    </div>
  );
}
