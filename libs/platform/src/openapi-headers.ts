import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Components = NonNullable<OpenAPIObject['components']>;
interface Described {
  headers?: Record<string, { $ref: string }>;
}

/** Extension that `@RateLimit` and `@UserLimit` add to a route. */
interface LimitExtension {
  'x-limited-by'?: 'address' | 'user';
}

const text = { type: 'string' as const };

/** Request headers other than credentials. Credentials are described as security schemes. */
export const PARAMETERS: NonNullable<Components['parameters']> = {
  RequestId: {
    in: 'header',
    name: 'X-Request-Id',
    required: false,
    description:
      'Id of this request. The response and the logs carry it. Up to 64 letters, digits and `._-`; otherwise the service generates an id.',
    schema: text,
  },
  ActingUser: {
    in: 'header',
    name: 'X-Acting-User',
    required: false,
    description:
      'The user for whom a trusted backend acts; without it, the backend acts for itself. With a credential of a user, it can only name that same user.',
    schema: text,
  },
  ActingSession: {
    in: 'header',
    name: 'X-Acting-Session',
    required: false,
    description: 'A session of the user in `X-Acting-User`. 401 if it has ended.',
    schema: text,
  },
};

/** Response headers. */
export const HEADERS: NonNullable<Components['headers']> = {
  'X-Request-Id': { description: 'Quote it when you report a problem.', schema: text },
  'Retry-After': {
    description: 'Seconds to wait before a retry. On every 429, on a 503, and on a 409 `idempotency.in_progress`.',
    schema: { type: 'integer' },
  },
  'WWW-Authenticate': {
    description: 'The expected credential, and the error in the one that was sent (RFC 6750).',
    schema: text,
  },
  'Idempotency-Replayed': {
    description: '`true`: nothing was done; this is the response to the first request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  ETag: { description: 'Version of the returned state, for `If-None-Match` and `If-Match`.', schema: text },
  Deprecation: {
    description: 'Time since which new clients should not use this route: `@` and Unix seconds (RFC 9745).',
    schema: text,
  },
  RateLimit: {
    description: 'Rest of the rate limit of this client address: `"name";r=<requests>;t=<seconds>`.',
    schema: text,
  },
  'RateLimit-Policy': { description: 'The rate limit: `"name";q=<requests>;w=<seconds>`.', schema: text },
};

/**
 * Error statuses that are stored under an `Idempotency-Key` and answered again to a retry: refusals
 * by a rule of the route.
 */
const KEPT: ReadonlySet<string> = new Set(['400', '402', '404', '409', '410', '412', 'default']);

/**
 * Adds to an operation the request headers that its credentials allow, and to each of its responses
 * the headers that its status, the rate limit, `If-Match`, `If-None-Match` and `Idempotency-Key` of
 * the route imply. Its responses must be described already.
 */
export function describeHeaders(operation: Operation): void {
  const parameters = (operation.parameters ??= []);
  const names = parameters.flatMap((parameter) =>
    'in' in parameter && parameter.in === 'header' ? [parameter.name] : [],
  );
  parameters.push(...takenBy(operation).map((key) => ({ $ref: `#/components/parameters/${key}` })));
  const isLimited = (operation as LimitExtension)['x-limited-by'] === 'address';
  const isConditional = names.some((name) => name === 'If-None-Match' || name === 'If-Match');
  const isReplayable = names.includes('Idempotency-Key');
  for (const [status, response] of Object.entries(operation.responses) as [string, Described][]) {
    const headers = ['X-Request-Id'];
    const isAnswer = /^[23]/.test(status);
    if (isReplayable && (isAnswer || KEPT.has(status))) headers.push('Idempotency-Replayed');
    if (status === '429' || status === '503' || status === 'default' || (isReplayable && status === '409'))
      headers.push('Retry-After');
    if (status === '401' || status === '403') headers.push('WWW-Authenticate');
    if (isConditional && (isAnswer || status === '412')) headers.push('ETag');
    if (operation.deprecated && isAnswer) headers.push('Deprecation');
    if (isLimited && (isAnswer || status === '429')) headers.push('RateLimit', 'RateLimit-Policy');
    response.headers = {
      ...response.headers,
      ...Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    };
  }
}

/**
 * Names of the header parameters of a route, in `PARAMETERS`. A route for users or for backends
 * that act for them takes `ActingSession`, and `ActingUser` unless its security scheme names that
 * header already.
 */
function takenBy({ security = [] }: Operation): (keyof typeof PARAMETERS)[] {
  const needed = new Set(security.flatMap((way) => Object.keys(way)));
  const isForUsers = needed.has('bearer') || needed.has('actingUser');
  if (!isForUsers) return ['RequestId'];
  return needed.has('actingUser') ? ['ActingSession', 'RequestId'] : ['ActingUser', 'ActingSession', 'RequestId'];
}
