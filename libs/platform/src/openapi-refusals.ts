import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf, type Operation } from './openapi-components.js';

/** An error that a route can answer. */
export interface Refusal {
  status: number;
  code: string;
  /** Message for a person, with `…` for inserted values. */
  text: string;
  /** True if `detail` is an object that has the text in `message`. */
  isDetailed?: boolean;
}

interface Response {
  description: string;
  content?: Record<string, { schema?: object; examples?: Record<string, { $ref: string }> }>;
}

/** Extensions that `@Access` adds to the security of a route. */
interface AccessExtensions {
  'x-key-scopes'?: string[];
  'x-service-permission'?: string;
  'x-moves-money'?: boolean;
}

const refusal = (status: number, code: string, text: string): Refusal => ({ status, code, text });

/**
 * Errors of every route: each reads headers, and can be called while a dependency is unavailable.
 */
const OF_ANY = [
  refusal(400, 'malformed_request', 'The request is malformed.'),
  refusal(422, 'validation_failed', 'The input is not valid.'),
  refusal(500, 'internal_error', 'Something went wrong on our side. Quote the request id when you report it.'),
  refusal(503, 'unavailable', 'The service is busy or not ready. Try again in a moment.'),
];
const OF_BODIES = [
  refusal(400, 'byte_order_mark', 'Send JSON without a byte order mark.'),
  refusal(400, 'duplicate_key', 'The same key appears twice in one object.'),
  refusal(408, 'request_timeout', 'The request did not arrive in time.'),
  refusal(413, 'payload_too_large', 'The request body is too large.'),
  refusal(415, 'unsupported_media_type', 'Send the body as application/json.'),
];
const OF_CREDENTIALS = [refusal(400, 'malformed_header', 'A header is malformed.')];
const OF_USERS = [
  refusal(400, 'two_credentials', 'Send either an Authorization or an x-api-key header.'),
  refusal(401, 'not_authenticated', 'Missing Authorization header'),
  refusal(401, 'invalid_token', 'The access token is not valid or has expired.'),
  refusal(401, 'invalid_api_key', 'The API key is not valid, has expired or was deleted.'),
  refusal(403, 'other_user', 'X-Acting-User or X-Acting-Session names another user than the caller.'),
];
const NO_KEYS = refusal(403, 'session_required', 'An API key cannot do this. Sign in instead.');
const SCOPE_LACKING = refusal(403, 'insufficient_scope', 'Missing required scope.');
const NO_PROGRAMS = refusal(403, 'money.release_denied', 'This moves money, so it needs a browser.');
const OF_SERVICES = [
  refusal(401, 'invalid_service_token', 'A valid X-Service-Token header is required.'),
  refusal(403, 'service_not_allowed', 'The service token lacks the permission.'),
];
/** Errors of a request for another user: the session has ended, or the user was deleted. */
const OF_ACTING = [refusal(401, 'invalid_token', 'The session has ended.')];
const NO_ACTING = refusal(
  403,
  'acting_user_not_allowed',
  'Only a trusted backend can do this, for itself: remove X-Acting-User.',
);
const TOO_MANY = refusal(429, 'rate_limited', 'Too many requests. Try again later.');

/** Description of each status, before its codes, for routes that do not describe it themselves. */
const SAID: Record<number, string> = {
  400: 'Malformed, or refused by a rule of the route',
  401: 'The credential is missing or not valid',
  402: 'Payment required',
  403: 'The caller is not allowed to do this',
  404: 'Not found, or not visible to the caller',
  408: 'The request arrived too slowly',
  409: 'Conflict with the current state',
  410: 'No longer available',
  412: 'The state has changed in the meantime',
  413: 'The request is too large',
  415: 'The body is not uncompressed JSON in UTF-8',
  422: 'The input is not valid',
  429: 'Too many requests, or too much work at once: try again after `Retry-After`',
  500: 'Internal error of the platform',
  502: 'Another server gave no valid answer',
  503: 'A dependency is unavailable or busy: try again after `Retry-After`',
  504: 'Another server took too long',
};

/**
 * Errors that every route has, and errors that follow from the input of this route and from its
 * access rule.
 */
function impliedBy(operation: Operation): Refusal[] {
  const ways = new Set((operation.security ?? []).flatMap((way) => Object.keys(way)));
  const { 'x-key-scopes': scopes, 'x-moves-money': movesMoney } = operation as Operation & AccessExtensions;
  const takesJson =
    operation.requestBody && 'content' in operation.requestBody && 'application/json' in operation.requestBody.content;
  const isForUsers = ways.has('bearer');
  return [
    ...OF_ANY,
    ...(takesJson ? OF_BODIES : []),
    ...(ways.size ? OF_CREDENTIALS : []),
    ...(isForUsers ? [...OF_USERS, scopes ? SCOPE_LACKING : NO_KEYS] : []),
    ...(movesMoney ? [NO_PROGRAMS] : []),
    ...(ways.has('service') ? OF_SERVICES : []),
    ...(ways.has('service') && (isForUsers || ways.has('actingUser')) ? OF_ACTING : []),
    ...(ways.has('service') && !isForUsers && !ways.has('actingUser') ? [NO_ACTING] : []),
    ...(operation.responses['429'] ? [TOO_MANY] : []),
  ];
}

/**
 * Adds to an operation a response for each error status, with its codes, its schema and an example
 * for each code, and the response `default` for any other failure.
 *
 * @param own errors of this route, beside those that `impliedBy` finds.
 * @param examples collects the examples, to which the responses refer.
 */
export function describeRefusals(operation: Operation, own: readonly Refusal[], examples: RefusalExamples): void {
  const responses = operation.responses as Partial<Record<string, Response>>;
  const all = new Map([...own, ...impliedBy(operation)].map((one) => [`${one.status} ${one.code}`, one]));
  const sorted = [...all.values()].sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1));
  for (const status of new Set(sorted.map((one) => one.status))) {
    const ways = sorted.filter((one) => one.status === status);
    const codes = ways.map(({ code }) => code);
    const response: Response = (responses[String(status)] ??= { description: SAID[status] ?? 'Refused' });
    response.description += `${needs(status, operation)}. ${codes.map((code) => `\`${code}\``).join(', ')}`;
    response.content ??= {
      'application/json': {
        schema: schemaOf(ways),
        examples: Object.fromEntries(
          ways.map((way) => [way.code, { $ref: `#/components/examples/${examples.nameOf(way)}` }]),
        ),
      },
    };
  }
  responses['default'] = { description: 'Any other failure', content: { 'application/json': { schema: ERROR } } };
}

/**
 * The scopes and the permission that the route requires, to append to the description of 403; empty
 * for any other status.
 */
function needs(status: number, operation: Operation): string {
  if (status !== 403) return '';
  const { 'x-key-scopes': scopes, 'x-service-permission': permission } = operation as Operation & AccessExtensions;
  const asked = [
    scopes && `an API key needs the scope ${scopes.join(' or ')}`,
    permission && `a service token needs the permission ${permission}`,
  ].filter(Boolean);
  return asked.map((text) => `; ${text}`).join('');
}

const ERROR = { $ref: '#/components/schemas/ErrorResponse' };
const DETAILED = { $ref: '#/components/schemas/DetailedErrorResponse' };
const INVALID = { $ref: '#/components/schemas/HTTPValidationError' };

/**
 * Schema of the error body. `validation_failed` has a list of issues, and the few errors with
 * `isDetailed` have an object as `detail`. All others have the usual body.
 */
function schemaOf(refusals: Refusal[]): object {
  const kindOf = ({ code, isDetailed }: Refusal) =>
    code === 'validation_failed' ? INVALID : isDetailed ? DETAILED : ERROR;
  const [first = ERROR, ...more] = new Set(refusals.map(kindOf));
  return more.length ? { anyOf: [first, ...more] } : first;
}

const REQUEST_ID = '0d9b4a0e-6f0c-4a51-9d0b-0d4d1c1f8a55';

/**
 * Examples of error bodies, to which the responses refer. A code with several texts has an example
 * for each.
 */
export class RefusalExamples {
  readonly all: Record<string, { summary: string; value: object }> = {};

  /**
   * Adds the example and returns its name: the code, with a number for the second and later texts
   * of the code.
   */
  nameOf({ code, text, isDetailed }: Refusal): string {
    for (let at = 1; ; at++) {
      const name = at === 1 ? code : `${code}-${at}`;
      const known = this.all[name];
      if (known && known.summary !== text) continue;
      this.all[name] ??= {
        summary: text,
        value: { detail: detailOf(code, text, isDetailed), code, request_id: REQUEST_ID },
      };
      return name;
    }
  }
}

function detailOf(code: string, text: string, isDetailed = false): unknown {
  if (code === 'validation_failed')
    return [{ loc: ['header', 'x-acting-user'], msg: 'Field required', type: 'missing' }];
  return isDetailed ? { message: text } : text;
}

const SHARED_NAMES: Record<string, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  408: 'RequestTimeout',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
  default: 'AnyOther',
};

/**
 * Moves the most frequent response of each status of `SHARED_NAMES`, if several routes have it,
 * into a component to which they refer. Other responses of this status stay in their routes.
 */
export function shareResponses(document: OpenAPIObject): void {
  const shared: Record<string, object> = {};
  for (const [status, name] of Object.entries(SHARED_NAMES)) {
    const all = operationsOf(document).flatMap(({ responses }) =>
      (responses as Record<string, object>)[status] ? [responses] : [],
    );
    const texts = all.map((responses) => JSON.stringify((responses as Record<string, object>)[status]));
    const count = new Map<string, number>();
    for (const text of texts) count.set(text, (count.get(text) ?? 0) + 1);
    const [[most, times] = ['', 0]] = [...count].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
    if (times < 2) continue;
    shared[name] = JSON.parse(most) as object;
    all.forEach((responses, at) => {
      if (texts[at] === most)
        (responses as Record<string, object>)[status] = { $ref: `#/components/responses/${name}` };
    });
  }
  document.components = {
    ...document.components,
    responses: shared as NonNullable<OpenAPIObject['components']>['responses'],
  };
}
