import { PLATFORM_SERVICES, serviceOf, SERVICE_PERMISSIONS, type ServicePermission } from '@platform/contracts';
import { sha256, type ServiceGrants, type ServiceToken } from '@platform/platform';
import { timingSafeEqual } from 'node:crypto';

/** The valid service tokens and their permissions. Only their SHA-256 stays in memory. */
export class ServiceTokens {
  private readonly known: { name: string; hash: Buffer; permissions: ReadonlySet<string> }[];

  /**
   * Likely mistakes of the operator, a line each: tokens without permissions, and permissions
   * without a token.
   */
  readonly warnings: readonly string[];

  constructor(tokens: readonly ServiceToken[], grants: ServiceGrants) {
    this.known = tokens.map(({ name, token }) => ({
      name,
      hash: sha256(token),
      permissions: permissionsOf(name, grants),
    }));
    const idle = this.known.filter(({ permissions }) => !permissions.size);
    const granted = new Set(tokens.map(({ name }) => grantNameOf(name, grants)));
    this.warnings = [
      ...idle.map(
        ({ name }) => `The service token "${name}" has no permissions: SERVICE_PERMISSIONS does not list it.`,
      ),
      ...Object.keys(grants)
        .filter((name) => !granted.has(name))
        .map((name) => `SERVICE_PERMISSIONS lists "${name}", for which SERVICE_TOKENS has no token.`),
    ];
  }

  /**
   * Finds the name of a presented service token; null if it is not valid. Every token is compared,
   * each in constant time.
   */
  identify(presented: string): string | null {
    const hash = sha256(presented);
    let found: string | null = null;
    for (const known of this.known) if (timingSafeEqual(known.hash, hash)) found = known.name;
    return found;
  }

  /**
   * True if the service token with the name `service` has the permission. Permissions that are not
   * granted are denied.
   */
  hasPermission(service: string, permission: ServicePermission): boolean {
    return this.known.some(({ name, permissions }) => name === service && permissions.has(permission));
  }
}

/**
 * Permissions of a token: those in code for a service of the platform; otherwise those that are
 * configured for its name or, if the name is not listed, for its name without the number. A
 * configured `*` stands for every permission of `SERVICE_PERMISSIONS`.
 */
function permissionsOf(name: string, grants: ServiceGrants): ReadonlySet<string> {
  const service = serviceOf(name);
  const own = Object.hasOwn(PLATFORM_SERVICES, service) ? PLATFORM_SERVICES[service] : undefined;
  if (own) return new Set(own);
  const listed = grantNameOf(name, grants);
  const granted = listed === null ? [] : (grants[listed] ?? []);
  return new Set(
    granted.flatMap((permission) => (permission === '*' ? Object.keys(SERVICE_PERMISSIONS) : [permission])),
  );
}

/**
 * The name under which SERVICE_PERMISSIONS lists a token: its own, or the one without its number;
 * null if neither is listed.
 */
const grantNameOf = (name: string, grants: ServiceGrants): string | null =>
  [name, serviceOf(name)].find((listed) => Object.hasOwn(grants, listed)) ?? null;
