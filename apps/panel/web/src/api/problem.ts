import { ApiError, isTransient } from '@platform/client';
import { issueText } from './issue-text.js';
import { refusalText } from './refusal-text.js';

/** Reason for a failure, in the forms that a page can show. */
export type Problem =
  /** Errors at the fields of a form, by field name; `other` has errors that belong to no field. */
  | { kind: 'fields'; fields: Record<string, string>; other: string[] }
  | { kind: 'wait'; seconds: number }
  /** The platform cannot be reached. A retry may work. */
  | { kind: 'unavailable' }
  | { kind: 'refused'; code: string; message: string };

const DEFAULT_WAIT_SECONDS = 30;

/**
 * Converts an error to a reason that a page can show: errors in the input to `fields`; a code that
 * has a text here, or a final refusal, to `refused`; another 429 to `wait`; any other temporary
 * failure to `unavailable`. An error of the page itself becomes `refused` with the code
 * `unexpected`.
 *
 * @param names the fields of the form that was sent; errors of other fields go to `other`.
 */
export function toProblem(error: unknown, names: readonly string[] = []): Problem {
  if (error instanceof ApiError) {
    if (error.issues.length) return atFields(error, names);
    const text = refusalText(error.code);
    if (text !== undefined) return { kind: 'refused', code: error.code, message: text };
    if (error.status === 429)
      return { kind: 'wait', seconds: Math.max(1, error.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS) };
    if (!isTransient(error)) return { kind: 'refused', code: error.code, message: error.message };
  }
  if (isTransient(error)) return { kind: 'unavailable' };
  return {
    kind: 'refused',
    code: 'unexpected',
    message: 'Something went wrong on this page. Reload it and try again.',
  };
}

function atFields({ issues }: ApiError, names: readonly string[]): Problem {
  const fields: Record<string, string> = {};
  const other: string[] = [];
  for (const issue of issues) {
    const name = issue.loc[1];
    if (typeof name === 'string' && names.includes(name)) fields[name] ??= issueText(issue);
    else other.push(issueText(issue));
  }
  return { kind: 'fields', fields, other };
}

export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof ApiError && codes.includes(error.code);
