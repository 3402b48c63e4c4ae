import {
  createContext,
  use,
  useEffect,
  useRef,
  useState,
  type ReactNode,
  type SubmitEvent,
  type SyntheticEvent,
} from 'react';
import type { Problem } from '../api/problem.js';
import './form.css';
import { missingOrMalformed } from './form-validity.js';
import { ProblemNotice } from './problem-notice.js';

type Errors = Readonly<Record<string, string>>;

const FieldErrors = createContext<Errors>({});
const NONE: Errors = {};

/** Error of the field with this name in the surrounding form; undefined if it has none. */
export const useFieldError = (name: string): string | undefined => use(FieldErrors)[name];

interface FormProps {
  /** Label for screen readers, for pages with several forms. */
  label?: string;
  /** Receives the values by field name, once the browser finds no errors. */
  onSubmit: (values: Record<string, string>) => void;
  busy: boolean;
  /** Error of the last submission. */
  problem: Problem | null;
  children: ReactNode;
}

/**
 * A form. Calls `onSubmit` only if the browser finds no errors and the form is not `busy`. Shows
 * errors at their fields until these change, or above the fields if they belong to none, and moves
 * the focus to the first field with an error.
 */
export function Form({ label, onSubmit, busy, problem, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  /** Errors that the browser found before the form was sent. */
  const [found, setFound] = useState(NONE);
  /** Fields that were changed since the problem arrived: its errors for them are outdated. */
  const [changed, setChanged] = useState<{ since: Problem | null; names: string[] }>({ since: null, names: [] });
  const answered = problem?.kind === 'fields' ? problem.fields : NONE;
  const outdated = changed.since === problem ? changed.names : [];
  const errors = { ...without(answered, outdated), ...found };

  useEffect(() => focusFirst(form.current, found), [found]);
  useEffect(() => focusFirst(form.current, answered), [answered]);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const wrong = missingOrMalformed(event.currentTarget);
    setFound(wrong);
    if (Object.keys(wrong).length) return;
    const entries = [...new FormData(event.currentTarget)].filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    onSubmit(Object.fromEntries(entries));
  };

  const onInput = ({ target }: SyntheticEvent<HTMLFormElement>) => {
    if (!(target instanceof HTMLInputElement) || !(target.name in errors)) return;
    const { name } = target;
    setFound((before) => without(before, [name]));
    setChanged({ since: problem, names: [...outdated, name] });
  };

  return (
    <form ref={form} className="form" method="post" aria-label={label} noValidate onSubmit={submit} onInput={onInput}>
      <ProblemNotice problem={problem} />
      <FieldErrors value={errors}>{children}</FieldErrors>
    </form>
  );
}

const without = (errors: Errors, names: string[]): Errors =>
  Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name)));

function focusFirst(form: HTMLFormElement | null, errors: Errors): void {
  const first = [...(form?.elements ?? [])].find(
    (element) => element instanceof HTMLInputElement && element.name in errors,
  );
  if (first instanceof HTMLElement) first.focus();
}
