import type { Operation } from './openapi-components.js';

/** Extensions that `@Access` and the limits add to the security of a route. */
interface Extensions {
  'x-key-scopes'?: string[];
  'x-user-scope'?: string;
  'x-service-permission'?: string;
  'x-moves-money'?: boolean;
  'x-limited-by'?: 'address' | 'user';
  'x-limits'?: { quota: number; window_seconds: number }[];
}

/**
 * Describes the callers, the credentials and the rate limit of a route: the last paragraph of its
 * description.
 */
export function describeCallers(operation: Operation): string {
  const { 'x-limited-by': by, 'x-limits': limits = [] } = operation as Operation & Extensions;
  const often = limits.map(({ quota, window_seconds }) => `${quota} in ${duration(window_seconds)}`).join(' and ');
  const limit = by && often && `Rate limit: ${often} for each ${by === 'user' ? 'user' : 'client address'}.`;
  return [who(operation), limit].filter(Boolean).join(' ');
}

function who(operation: Operation): string {
  const ways = (operation.security ?? []).map((way) => Object.keys(way).sort().join());
  if (!ways.length) return 'Callers: anybody, without a credential.';
  const callers = [userOf(operation, ways), backendOf(operation, ways)].filter(Boolean).join('; or ');
  return `Callers: ${callers}.${ways.includes('') ? ' Also works without a credential, for an anonymous caller.' : ''}`;
}

function userOf(operation: Operation, ways: string[]): string {
  if (!ways.includes('bearer')) return '';
  const {
    'x-key-scopes': scopes,
    'x-user-scope': held,
    'x-moves-money': movesMoney,
  } = operation as Operation & Extensions;
  if (movesMoney) {
    const person = held === 'admin' ? 'an administrator' : 'a user';
    return `${person} with an access token of a browser; access tokens of the command line, API keys and apps are refused`;
  }
  if (held === 'admin') return 'an administrator with an access token, or with an API key that has the scope `*`';
  if (held) return `a user with the scope \`${held}\`, with an access token, or with an API key that has this scope`;
  if (!scopes) return 'a user with an access token; API keys are refused';
  return `a user with an access token, or with an API key that has the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}`;
}

function backendOf(operation: Operation, ways: string[]): string {
  const { 'x-service-permission': permission, 'x-user-scope': held } = operation as Operation & Extensions;
  const backend = `a trusted backend with the permission \`${permission}\``;
  if (ways.includes('actingUser,service')) return `${backend} that acts for a user`;
  if (!ways.includes('service')) return '';
  if (held && held !== 'admin') return `${backend}, for itself or for a user with this scope`;
  return ways.includes('bearer') ? `${backend}, for itself or for a user` : `${backend}, for itself`;
}

const UNITS: [seconds: number, name: string][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

function duration(seconds: number): string {
  const [unit, name] = UNITS.find(([length]) => seconds % length === 0) ?? [1, 'second'];
  const count = seconds / unit;
  return count === 1 ? `${name === 'hour' ? 'an' : 'a'} ${name}` : `${count} ${name}s`;
}
