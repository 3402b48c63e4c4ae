import { useId } from 'react';
import './select-field.css';

interface SelectFieldProps {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
  /** Initial value; the first option by default. */
  defaultValue?: string;
  onChange?: (value: string) => void;
}

/** A select box. */
export function SelectField({ name, label, options, defaultValue, onChange }: SelectFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <div className="field__head">
        <label className="field__label" htmlFor={id}>
          {label}
        </label>
      </div>
      <select
        id={id}
        name={name}
        className="field__input select"
        defaultValue={defaultValue}
        onChange={onChange && (({ target }) => onChange(target.value))}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
