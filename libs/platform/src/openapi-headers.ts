import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Components = NonNullable<OpenAPIObject['components']>;
interface Described {
  headers?: Record<string, { $ref: string }>;
}

/** What `@RateLimit` and `@UserLimit` say. */
interface LimitExtension {
  'x-limited-by'?: 'address' | 'user';
}

const text = { type: 'string' as const };

/** What requests may say beside a credential, which is described as security. */
export const PARAMETERS: NonNullable<Components['parameters']> = {
  RequestId: {
    in: 'header',
    name: 'X-Request-Id',
    required: false,
    description: 'An id for this request, which the answer and the logs carry: up to 64 letters, digits and `._-`. Else it gets one.',
    schema: text,
  },
  ActingUser: {
    in: 'header',
    name: 'X-Acting-User',
    required: false,
    description:
      'The user a trusted backend acts for; without it, it acts for itself. Beside a credential of a user it names that same user, and changes nothing.',
    schema: text,
  },
  ActingSession: {
    in: 'header',
    name: 'X-Acting-Session',
    required: false,
    description: 'A session of the user in `X-Acting-User`: 401 when it has ended.',
    schema: text,
  },
};

/** What answers say beside their body. */
export const HEADERS: NonNullable<Components['headers']> = {
  'X-Request-Id': { description: 'Quote it when you report a problem.', schema: text },
  'Retry-After': {
    description: 'Seconds after which another attempt may be worth it. On every 429, on a 503, and on a 409 `idempotency.in_progress`.',
    schema: { type: 'integer' },
  },
  'WWW-Authenticate': { description: 'What credential is asked for, and what is wrong with the one that came (RFC 6750).', schema: text },
  'Idempotency-Replayed': {
    description: '`true`: nothing was done, and this is what the first request with the `Idempotency-Key` was answered.',
    schema: { type: 'string', enum: ['true'] },
  },
  ETag: { description: 'The state that was answered, for `If-None-Match` and `If-Match`.', schema: text },
  Deprecation: { description: 'Since when new clients do without this route: `@` and Unix seconds (RFC 9745).', schema: text },
  RateLimit: { description: 'What is left of the limit per client address: `"name";r=<requests>;t=<seconds>`.', schema: text },
  'RateLimit-Policy': { description: 'The limit: `"name";q=<requests>;w=<seconds>`.', schema: text },
};

/** What an `Idempotency-Key` is answered again: what was refused by a rule of the route. */
const KEPT: ReadonlySet<string> = new Set(['400', '402', '404', '409', '410', '412', 'default']);

/** Adds to an operation, whose responses are described, the headers that its requests and its answers may have. */
export function describeHeaders(operation: Operation): void {
  const parameters = (operation.parameters ??= []);
  const names = parameters.flatMap((parameter) => ('in' in parameter && parameter.in === 'header' ? [parameter.name] : []));
  parameters.push(...takenBy(operation).map((key) => ({ $ref: `#/components/parameters/${key}` })));
  const isLimited = (operation as LimitExtension)['x-limited-by'] === 'address';
  const isConditional = names.some((name) => name === 'If-None-Match' || name === 'If-Match');
  const isReplayable = names.includes('Idempotency-Key');
  for (const [status, response] of Object.entries(operation.responses) as [string, Described][]) {
    const headers = ['X-Request-Id'];
    const isAnswer = /^[23]/.test(status);
    if (isReplayable && (isAnswer || KEPT.has(status))) headers.push('Idempotency-Replayed');
    if (status === '429' || status === '503' || status === 'default' || (isReplayable && status === '409')) headers.push('Retry-After');
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

/** Whoever may act for somebody may name the session; the user, where that is not said by the security of the route. */
function takenBy({ security = [] }: Operation): (keyof typeof PARAMETERS)[] {
  const needed = new Set(security.flatMap((way) => Object.keys(way)));
  const isForUsers = needed.has('bearer') || needed.has('actingUser');
  if (!isForUsers) return ['RequestId'];
  return needed.has('actingUser') ? ['ActingSession', 'RequestId'] : ['ActingUser', 'ActingSession', 'RequestId'];
}
