import { useFieldError } from '../../components/form.js';
import { CheckField } from '../../components/check-field.js';
import { eventGroups, NAMED_ONLY } from '../../lib/event-types.js';
import './event-types-field.css';

const PREFIX = 'type ';

/** Event types that are checked in the form values. */
export const chosenTypes = (values: Readonly<Record<string, string>>): string[] =>
  Object.keys(values).flatMap((name) => (name.startsWith(PREFIX) ? name.slice(PREFIX.length) : []));

const GROUPS = eventGroups();
const isNamedOnly = (type: string): boolean => NAMED_ONLY.includes(type);

/** Checkboxes for event types in groups: single types, a wildcard per group, or all types. */
export function EventTypesField({ chosen = [] }: { chosen?: readonly string[] }) {
  const error = useFieldError('event_types');
  const field = (choice: string, label: string) => (
    <CheckField key={choice} name={`${PREFIX}${choice}`} label={label} defaultChecked={chosen.includes(choice)} />
  );
  return (
    <fieldset className="event-types" aria-describedby={error ? 'event-types-error' : undefined}>
      <legend>Events</legend>
      {field('*', 'All events except messages to users')}
      {GROUPS.map(({ name, all, types }) => (
        <details key={name} open={chosen.some((choice) => choice === all || types.includes(choice)) || undefined}>
          <summary>
            {name} <span className="muted">({types.length})</span>
          </summary>
          <div className="event-types__group">
            {all &&
              field(
                all,
                types.some(isNamedOnly) ? `All ${name} events except messages to users` : `All ${name} events`,
              )}
            {types.map((type) => field(type, isNamedOnly(type) ? `${type} (contains a message to a user)` : type))}
          </div>
        </details>
      ))}
      {error && (
        <p id="event-types-error" className="field__error">
          {error}
        </p>
      )}
    </fieldset>
  );
}
