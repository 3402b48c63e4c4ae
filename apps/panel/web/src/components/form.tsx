import { createContext, use, useEffect, useRef, useState, type ReactNode, type SubmitEvent, type SyntheticEvent } from 'react';
import type { Problem } from '../api/problem.js';
import './form.css';
import { missingOrMalformed } from './form-validity.js';
import { ProblemNotice } from './problem-notice.js';

type Errors = Readonly<Record<string, string>>;

const FieldErrors = createContext<Errors>({});
const NONE: Errors = {};

/** What is wrong with the field of this name. */
export const useFieldError = (name: string): string | undefined => use(FieldErrors)[name];

interface FormProps {
  /** For screen readers, where the page has several forms. */
  label?: string;
  /** Gets the values by the names of the fields, once the browser itself finds nothing wrong with them. */
  onSubmit: (values: Record<string, string>) => void;
  busy: boolean;
  /** What the last submission was answered with. */
  problem: Problem | null;
  children: ReactNode;
}

/** Shows what is wrong at its field, or above the fields what belongs to none, and brings the focus to the first field that is wrong. */
export function Form({ label, onSubmit, busy, problem, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  /** What the browser found before anything was sent. */
  const [found, setFound] = useState(NONE);
  /** The fields that were changed since the problem came: what it says of them is out of date. */
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
    const entries = [...new FormData(event.currentTarget)].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
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
  const first = [...(form?.elements ?? [])].find((element) => element instanceof HTMLInputElement && element.name in errors);
  if (first instanceof HTMLElement) first.focus();
}
