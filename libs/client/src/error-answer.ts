import { ApiError } from './errors.js';
import type { ValidationError } from './generated/auth-gateway.js';

/** The parts of a Response that are read here. */
export type ResponseHead = Pick<Response, 'ok' | 'status' | 'statusText'> & { headers: Pick<Headers, 'get'> };

/**
 * Converts a refusal to an ApiError. Its message lists the issues of the input, or else is the text
 * in `detail`, or else names the status. A missing code becomes `validation_failed` or
 * `http_<status>`. Fields that the ApiError does not have go to its `detail`.
 *
 * @param body the parsed JSON, or the text if it is not JSON.
 */
export function toApiError(response: ResponseHead, body: unknown): ApiError {
  const { detail, code, request_id, error, ...beside } = isRecord(body) ? body : {};
  const issues = Array.isArray(detail) ? detail.filter(isIssue) : [];
  const more = isRecord(detail) ? detail : undefined;
  const message = issues.length ? describeIssues(issues) : (textOf(detail) ?? textOf(more?.['message']));
  return new ApiError(message ?? `The platform answered ${`${response.status} ${response.statusText}`.trim()}.`, {
    status: response.status,
    code: textOf(code) ?? (issues.length ? 'validation_failed' : `http_${response.status}`),
    issues,
    requestId: textOf(request_id) ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterSeconds(response.headers.get('retry-after')),
    oauthError: textOf(error),
    detail: { ...beside, ...more },
  });
}

/**
 * Formats issues as `email: not a valid address; password: too short`. The first part of `loc`,
 * such as `body`, is omitted: a user sees only one form.
 */
function describeIssues(issues: readonly ValidationError[]): string {
  return issues.map(({ loc, msg }) => [loc.slice(1).join('.'), msg].filter(Boolean).join(': ')).join('; ');
}

/**
 * Seconds from a `Retry-After` header, which is a number of seconds or a date: rounded up, and 0
 * for a past date. Undefined if it is missing or invalid.
 */
function retryAfterSeconds(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

function isIssue(value: unknown): value is ValidationError {
  return isRecord(value) && Array.isArray(value['loc']) && typeof value['msg'] === 'string';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
