import { ApiError, isTransient } from '@platform/client';
import { issueText } from './issue-text.js';
import { refusalText } from './refusal-text.js';

/** Why something did not work, in the ways that a page can show it. */
export type Problem =
  /** At the fields of a form, by their names; `other` is what is wrong beside them. */
  | { kind: 'fields'; fields: Record<string, string>; other: string[] }
  | { kind: 'wait'; seconds: number }
  /** The platform is down or out of reach: the same may work a moment later. */
  | { kind: 'unavailable' }
  | { kind: 'refused'; code: string; message: string };

const DEFAULT_WAIT_SECONDS = 30;

/** `names` are the fields of the form that was sent; what is wrong elsewhere cannot be shown at one of them. */
export function toProblem(error: unknown, names: readonly string[] = []): Problem {
  if (error instanceof ApiError) {
    if (error.issues.length) return atFields(error, names);
    const text = refusalText(error.code);
    if (text !== undefined) return { kind: 'refused', code: error.code, message: text };
    if (error.status === 429) return { kind: 'wait', seconds: Math.max(1, error.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS) };
    if (!isTransient(error)) return { kind: 'refused', code: error.code, message: error.message };
  }
  if (isTransient(error)) return { kind: 'unavailable' };
  return { kind: 'refused', code: 'unexpected', message: 'Something went wrong in this page. Load it again and retry.' };
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

export const hasCode = (error: unknown, ...codes: string[]): boolean => error instanceof ApiError && codes.includes(error.code);
