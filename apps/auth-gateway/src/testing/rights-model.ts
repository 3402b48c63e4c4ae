export type Change =
  | { createRole: string; scopes: string[] }
  | { updateRole: string; scopes: string[] | null; cascade: boolean }
  | { deleteRole: string }
  /** Name of a new scope. */
  | { register: string }
  | { to: string; grant: string[] }
  | { to: string; deny: string[] }
  | { to: string; assign: string };

type ChangeOfUser = Extract<Change, { to: string }>;

interface Rights {
  role: string;
  own: readonly string[];
  denied: readonly string[];
}

interface Caller {
  /** Null for a backend. */
  name: string | null;
  /** Null for a backend. */
  role: string | null;
  isAdmin: boolean;
  holds(scopes: readonly string[]): boolean;
}

/** Features with scopes that belong to the platform. */
const PLATFORM = ['users', 'roles', 'scopes', 'tenants', 'agencies'];
const SYSTEM_ROLES = ['admin', 'user'];

const covers = (grant: string, scope: string) =>
  grant === '*' || grant === scope || grant === `${scope.split(':')[0]}:*`;

/**
 * The rules of docs/organisation.md for permissions in a tenant, written a second time without the
 * code under test. Scopes use a colon.
 */
export class RightsModel {
  private readonly roles: Map<string, readonly string[]>;
  private readonly users: Map<string, Rights>;

  /**
   * @param known scopes that a wildcard is limited to. @param roles initial roles, by name. @param
   * users initial users, by name.
   */
  constructor(
    private readonly known: string[],
    roles: Record<string, readonly string[]>,
    users: Record<string, { role: string; scopes: readonly string[] }>,
  ) {
    this.roles = new Map(Object.entries(roles));
    this.users = new Map(
      Object.entries(users).map(([name, { role, scopes }]) => [name, { role, own: scopes, denied: [] }]),
    );
  }

  /** Effective scopes of a user, sorted. */
  effectiveScopes(user: string): string[] {
    return this.resolve(this.rightsOf(user));
  }

  /**
   * Applies the change if it is allowed, and returns the status of the answer. @param by a user, or
   * `backend`.
   */
  apply(by: string, change: Change): number {
    const rights = by === 'backend' ? { role: 'admin', own: ['*'], denied: [] } : this.rightsOf(by);
    const held = this.resolve(rights);
    const holds = (scopes: readonly string[]) => scopes.every((scope) => held.some((grant) => covers(grant, scope)));
    if (!holds(['to' in change ? 'users:write' : 'register' in change ? 'scopes:write' : 'roles:write'])) return 403;
    if ('register' in change) return this.register(change.register);
    const isBackend = by === 'backend';
    const caller = {
      name: isBackend ? null : by,
      role: isBackend ? null : rights.role,
      isAdmin: rights.role === 'admin',
      holds,
    };
    return 'to' in change ? this.changeUser(caller, change) : this.changeRole(caller, change);
  }

  private register(name: string): number {
    const [resource = '', action = ''] = name.split(':');
    if (!action || action === '*' || PLATFORM.includes(resource)) return 422;
    if (this.known.includes(name)) return 409;
    this.known.push(name);
    return 201;
  }

  private changeUser(caller: Caller, change: ChangeOfUser): number {
    const before = this.rightsOf(change.to);
    const after = {
      ...before,
      ...('grant' in change
        ? { own: change.grant }
        : 'deny' in change
          ? { denied: change.deny }
          : { role: change.assign }),
    };
    const isAboutAdmin = before.role === 'admin' || after.role === 'admin';
    if ((isAboutAdmin && !caller.isAdmin) || !caller.holds(this.resolve(before))) return 403;
    if ('grant' in change && !caller.holds(after.own)) return 403;
    const lifted = before.denied.filter((denial) => !after.denied.some((scope) => covers(scope, denial)));
    if (!caller.holds(lifted)) return 403;
    if (after.role !== before.role) {
      if (caller.name === change.to && !caller.holds(['*'])) return 403;
      const given = this.roles.get(after.role);
      if (!given) return 422;
      if (!caller.holds(given)) return 403;
    }
    if (!caller.holds(this.resolve(after))) return 403;
    const hadAdministrator = this.hasAdministrator();
    this.users.set(change.to, after);
    if (!hadAdministrator || this.hasAdministrator()) return 200;
    this.users.set(change.to, before);
    return 409;
  }

  private hasAdministrator(): boolean {
    return [...this.users.values()].some((rights) => rights.role === 'admin' && this.resolve(rights).includes('*'));
  }

  private changeRole(caller: Caller, change: Exclude<Change, ChangeOfUser | { register: string }>): number {
    if ('createRole' in change) {
      if (!caller.holds(change.scopes) || (change.createRole === 'admin' && !caller.isAdmin)) return 403;
      if (this.roles.has(change.createRole)) return 409;
      this.roles.set(change.createRole, change.scopes);
      return 201;
    }
    const name = 'updateRole' in change ? change.updateRole : change.deleteRole;
    const given = this.roles.get(name);
    const users = [...this.users].filter(([, { role }]) => role === name);
    if (!given) return 404;
    if (!caller.holds(given)) return 403;
    if ('deleteRole' in change) {
      if (SYSTEM_ROLES.includes(name)) return 403;
      if (users.length) return 409;
      this.roles.delete(name);
      return 200;
    }
    if ((SYSTEM_ROLES.includes(name) || name === caller.role) && !caller.holds(['*'])) return 403;
    if (name === 'admin' && (!caller.isAdmin || change.scopes)) return 403;
    if (!caller.holds(change.scopes ?? [])) return 403;
    if (change.cascade && !caller.holds(users.flatMap(([, { own }]) => own))) return 403;
    this.roles.set(name, change.scopes ?? given);
    if (change.cascade) for (const [user, rights] of users) this.users.set(user, { ...rights, own: [] });
    return 200;
  }

  private resolve({ role, own, denied }: Rights): string[] {
    const isCut = (grant: string) => denied.some((denial) => covers(grant, denial));
    const granted = [...(this.roles.get(role) ?? []), ...own];
    const parts = granted.flatMap((grant) =>
      isCut(grant) ? this.known.filter((scope) => covers(grant, scope)) : [grant],
    );
    return [...new Set(parts)].filter((scope) => !denied.some((denial) => covers(denial, scope))).sort();
  }

  private rightsOf(user: string): Rights {
    const rights = this.users.get(user);
    if (!rights) throw new Error(`There is no user ${user}.`);
    return rights;
  }
}
