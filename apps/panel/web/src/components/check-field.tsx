import { useId, type ReactNode } from 'react';
import './check-field.css';

interface CheckFieldProps {
  name: string;
  label: string;
  hint?: ReactNode;
  defaultChecked?: boolean;
  onChange?: (isChecked: boolean) => void;
}

/** A choice that is off until somebody makes it, unless told. */
export function CheckField({ name, label, hint, defaultChecked, onChange }: CheckFieldProps) {
  const id = useId();
  return (
    <div className="check-field">
      <input
        id={id}
        name={name}
        type="checkbox"
        defaultChecked={defaultChecked}
        onChange={onChange && (({ target }) => onChange(target.checked))}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className="check-field__hint">
          {hint}
        </p>
      )}
    </div>
  );
}
