import { PLATFORM_SERVICES, serviceOf, SERVICE_PERMISSIONS, type ServicePermission } from '@platform/contracts';
import { sha256, type ServiceGrants, type ServiceToken } from '@platform/platform';
import { timingSafeEqual } from 'node:crypto';

/** The live service tokens, and what each may do. Only their SHA-256 stays in memory. */
export class ServiceTokens {
  private readonly known: { name: string; hash: Buffer; permissions: ReadonlySet<string> }[];

  constructor(tokens: readonly ServiceToken[], grants: ServiceGrants) {
    this.known = tokens.map(({ name, token }) => ({ name, hash: sha256(token), permissions: permissionsOf(name, grants) }));
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
  const granted = Object.hasOwn(grants, name) ? grants[name] : Object.hasOwn(grants, service) ? grants[service] : [];
  return new Set(granted?.flatMap((permission) => (permission === '*' ? Object.keys(SERVICE_PERMISSIONS) : [permission])));
}
