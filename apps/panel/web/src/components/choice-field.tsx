import './choice-field.css';

export interface Choice {
  value: string;
  label: string;
  note?: string;
}

interface ChoiceFieldProps {
  name: string;
  label: string;
  choices: readonly Choice[];
  value: string;
  onChange: (value: string) => void;
}

/** Radio buttons for a few choices. */
export function ChoiceField({ name, label, choices, value, onChange }: ChoiceFieldProps) {
  return (
    <fieldset className="choices">
      <legend>{label}</legend>
      <div className="choices__row">
        {choices.map((choice) => (
          <label className="choice" key={choice.value}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            <span className="choice__text">
              <span>{choice.label}</span>
              {choice.note && <span className="choice__note">{choice.note}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
