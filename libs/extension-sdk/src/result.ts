import type { JsonObject, JsonValue } from '@platform/app-document';

/** Marks a result with parts. Data cannot contain symbols, so only `result` can make one. */
const RESULT = Symbol.for('platform.result');

export interface ResultParts {
  /** Data for the caller. */
  data?: JsonValue;
  /** Summary for people, a single line. */
  summary?: string;
  /** User interface to show. */
  ui?: JsonObject;
}

export interface HandlerResult {
  readonly data: JsonValue;
  readonly summary: string | null;
  readonly ui: JsonObject | null;
}

/**
 * Makes the return value of a function that has a summary or a user interface in addition to its
 * data.
 */
export const result = ({ data = null, summary, ui }: ResultParts): HandlerResult =>
  ({ [RESULT]: true, data, summary: summary ?? null, ui: ui ?? null }) as HandlerResult;

/**
 * Splits the return value of a handler into its parts. A value that `result` did not make is the
 * data; undefined becomes null.
 */
export function resultOf(returned: unknown): HandlerResult {
  const isResult =
    typeof returned === 'object' && returned !== null && (returned as Record<symbol, unknown>)[RESULT] === true;
  if (isResult) return returned as HandlerResult;
  return { data: (returned ?? null) as JsonValue, summary: null, ui: null };
}
