import type { Operation } from './openapi-components.js';

/** What `@Access` and the limits say beside the security of a route. */
interface Extensions {
  'x-key-scopes'?: string[];
  'x-user-scope'?: string;
  'x-service-permission'?: string;
  'x-moves-money'?: boolean;
  'x-limited-by'?: 'address' | 'user';
  'x-limits'?: { quota: number; window_seconds: number }[];
}

/** Who may call a route, by what, and how often: the end of its description. */
export function callersOf(operation: Operation): string {
  const { 'x-limited-by': by, 'x-limits': limits = [] } = operation as Operation & Extensions;
  const often = limits.map(({ quota, window_seconds }) => `${quota} in ${duration(window_seconds)}`).join(' and ');
  const limit = by && often && `At most ${often} from one ${by === 'user' ? 'user' : 'client address'}.`;
  return [who(operation), limit].filter(Boolean).join(' ');
}

function who(operation: Operation): string {
  const ways = (operation.security ?? []).map((way) => Object.keys(way).sort().join());
  if (!ways.length) return 'Anybody may call this, without a credential.';
  const callers = [userOf(operation, ways), backendOf(operation, ways)].filter(Boolean).join('; or ');
  return `For ${callers}.${ways.includes('') ? ' Without a credential it answers, too, and knows nobody.' : ''}`;
}

function userOf(operation: Operation, ways: string[]): string {
  if (!ways.includes('bearer')) return '';
  const { 'x-key-scopes': scopes, 'x-user-scope': held, 'x-moves-money': movesMoney } = operation as Operation & Extensions;
  if (movesMoney) {
    const person = held === 'admin' ? 'an administrator' : 'a user';
    return `${person} who is signed in in a browser, by an access token; a command line, an API key and an app are refused`;
  }
  if (held === 'admin') return 'an administrator, by an access token, or by an API key with the scope `*`';
  if (held) return `a user who holds the scope \`${held}\`, by an access token, or by an API key with that scope`;
  if (!scopes) return 'a user who is signed in, by an access token; an API key is refused';
  return `a user, by an access token, or by an API key with the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}`;
}

function backendOf(operation: Operation, ways: string[]): string {
  const { 'x-service-permission': permission, 'x-user-scope': held } = operation as Operation & Extensions;
  const backend = `a trusted backend with the permission \`${permission}\``;
  if (ways.includes('actingUser,service')) return `${backend} that acts for a user`;
  if (!ways.includes('service')) return '';
  if (held && held !== 'admin') return `${backend}, for itself or for a user who holds the scope`;
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
