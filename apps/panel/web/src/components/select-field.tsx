import { useId } from 'react';
import './select-field.css';

interface SelectFieldProps {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
}

/** One of a few. The first one is chosen to begin with. */
export function SelectField({ name, label, options }: SelectFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <div className="field__head">
        <label className="field__label" htmlFor={id}>
          {label}
        </label>
      </div>
      <select id={id} name={name} className="field__input select">
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
