import { PLATFORM_SERVICES, serviceOf, SERVICE_PERMISSIONS, type ServicePermission } from '@platform/contracts';
import { sha256, type ServiceGrants, type ServiceToken } from '@platform/platform';
import { timingSafeEqual } from 'node:crypto';

/** The live service tokens, and what each may do. Only their SHA-256 stays in memory. */
export class ServiceTokens {
  private readonly known: { name: string; hash: Buffer; permissions: ReadonlySet<string> }[];

  /** What an operator hardly meant: tokens that may do nothing, and permissions of nobody. A line each. */
  readonly warnings: readonly string[];

  constructor(tokens: readonly ServiceToken[], grants: ServiceGrants) {
    this.known = tokens.map(({ name, token }) => ({ name, hash: sha256(token), permissions: permissionsOf(name, grants) }));
    const idle = this.known.filter(({ permissions }) => !permissions.size);
    const granted = new Set(tokens.map(({ name }) => grantNameOf(name, grants)));
    this.warnings = [
      ...idle.map(({ name }) => `The service token "${name}" may do nothing: SERVICE_PERMISSIONS does not list it.`),
      ...Object.keys(grants)
        .filter((name) => !granted.has(name))
        .map((name) => `SERVICE_PERMISSIONS lists "${name}", for which SERVICE_TOKENS has no token.`),
    ];
  }

  /** The name of the caller, or null. Every token is compared, each in constant time. */
  identify(presented: string): string | null {
    const hash = sha256(presented);
    let found: string | null = null;
    for (const known of this.known) if (timingSafeEqual(known.hash, hash)) found = known.name;
    return found;
  }

  /** Whether the backend of this name may do it. What nobody allowed is denied. */
  may(service: string, permission: ServicePermission): boolean {
    return this.known.some(({ name, permissions }) => name === service && permissions.has(permission));
  }
}

/** Those in code for a service of the platform, else the configured ones of the name, else those of the name without its number. */
function permissionsOf(name: string, grants: ServiceGrants): ReadonlySet<string> {
  const service = serviceOf(name);
  const own = Object.hasOwn(PLATFORM_SERVICES, service) ? PLATFORM_SERVICES[service] : undefined;
  if (own) return new Set(own);
  const listed = grantNameOf(name, grants);
  const granted = listed === null ? [] : (grants[listed] ?? []);
  return new Set(granted.flatMap((permission) => (permission === '*' ? Object.keys(SERVICE_PERMISSIONS) : [permission])));
}

/** The name under which its permissions are configured; null where they are not. */
const grantNameOf = (name: string, grants: ServiceGrants): string | null =>
  [name, serviceOf(name)].find((listed) => Object.hasOwn(grants, listed)) ?? null;
