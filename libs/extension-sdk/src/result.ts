import type { JsonObject, JsonValue } from '@platform/app-document';

/** Tells the platform, and nobody else, that something is a result with its parts: data has no symbols. */
const RESULT = Symbol.for('platform.result');

export interface ResultParts {
  /** What callers get. */
  data?: JsonValue;
  /** One line, to be shown to a person. */
  summary?: string;
  /** Something to draw. */
  ui?: JsonObject;
}

export interface HandlerResult {
  readonly data: JsonValue;
  readonly summary: string | null;
  readonly ui: JsonObject | null;
}

/** What a function returns that says more than its data. */
export const result = ({ data = null, summary, ui }: ResultParts): HandlerResult =>
  ({ [RESULT]: true, data, summary: summary ?? null, ui: ui ?? null }) as HandlerResult;

/** What a handler returned, in its parts. */
export function resultOf(returned: unknown): HandlerResult {
  const isResult = typeof returned === 'object' && returned !== null && (returned as Record<symbol, unknown>)[RESULT] === true;
  if (isResult) return returned as HandlerResult;
  return { data: (returned ?? null) as JsonValue, summary: null, ui: null };
}
