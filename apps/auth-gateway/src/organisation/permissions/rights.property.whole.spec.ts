import type { EffectiveScopesResponse, RoleResponse, ScopeResponse, UserResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import fc from 'fast-check';
import { GatewayTest } from '../../testing/gateway-test.js';
import { listExistingScopes } from '../../kernel/scopes/platform-scopes.js';
import { RightsModel, type Change } from '../../testing/rights-model.js';
import { createTenant } from '../../testing/tenants.js';

const RUNS = 30;
const MOST_STEPS = 30;
/**
 * A busy machine does fewer runs within this time and reports the smallest counterexample that it
 * has found.
 */
const LONGEST_MS = 300_000;
/**
 * Fixed, so that runs are repeatable. `SEED` in the environment sets another; the name of the test
 * has it.
 */
const SEED = Number(process.env['SEED'] ?? 18);

/** Initial roles and users; a backend comes in addition. */
const ROLES = { admin: ['*'], user: [], support: ['users:read', 'reports:run'] };
const USERS = {
  root: { role: 'admin', scopes: [] },
  manager: { role: 'user', scopes: ['users:*', 'roles:*', 'scopes:write'] },
  ann: { role: 'support', scopes: ['scopes:read'] },
};
type Name = keyof typeof USERS;
const NAMES = Object.keys(USERS) as Name[];

interface Step {
  by: Name | 'backend';
  change: Change;
  /** Separator of the scopes in the request. */
  separator: ':' | '.';
}

const user = fc.constantFrom(...NAMES);
const role = fc.constantFrom('user', 'user', 'support', 'support', 'sales', 'admin');
const scopes = fc.subarray(
  ['*', 'users:*', 'users:read', 'users:write', 'roles:*', 'roles:write', 'scopes:read', 'reports:run'],
  {
    maxLength: 3,
  },
);
const denied = fc.subarray(['users:*', 'users:read', 'users:write', 'roles:write', 'reports:run', '*'], {
  maxLength: 2,
});
const change = fc.oneof<fc.MaybeWeightedArbitrary<Change>[]>(
  { weight: 2, arbitrary: fc.record({ createRole: role, scopes }) },
  {
    weight: 5,
    arbitrary: fc.record({ updateRole: role, scopes: fc.oneof(scopes, fc.constant(null)), cascade: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ deleteRole: role }) },
  {
    weight: 3,
    arbitrary: fc.record({
      register: fc.constantFrom('*', 'users:*', 'users:write', 'users:own', 'reports:*', 'reports:run'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ to: user, grant: scopes }) },
  { weight: 4, arbitrary: fc.record({ to: user, deny: denied }) },
  { weight: 3, arbitrary: fc.record({ to: user, assign: role }) },
);
const by = fc.constantFrom<Step['by'][]>('backend', 'backend', 'root', 'manager', 'manager', 'ann');
const separator = fc.constantFrom<Step['separator'][]>(':', '.');
const steps = fc.array(fc.record({ by, change, separator }), { maxLength: MOST_STEPS, size: 'max' });

interface Held {
  name: Name;
  effective: string[];
  me: string[];
}

let gateway: GatewayTest;
beforeAll(async () => {
  gateway = await GatewayTest.start();
});
afterAll(() => gateway.stop());

/** Both spellings are the same scope. */
const canonical = (scopes: readonly string[]): string[] =>
  [...new Set(scopes.map((scope) => scope.replace('.', ':')))].sort();

/** A new tenant whose routes get the same changes as the model. */
class Trial {
  private constructor(
    private readonly tenantId: string,
    private readonly ids: Record<Name, string>,
    private readonly clients: Record<Step['by'], TestClient>,
    readonly model: RightsModel,
  ) {}

  static async start(): Promise<Trial> {
    const backend = gateway.backend();
    const { id: tenantId } = await createTenant(backend);
    await backend.post(`/v1/roles?tenant_id=${tenantId}`, { name: 'support', default_scopes: ROLES.support });
    const { body: known } = await backend.get<ScopeResponse[]>(`/v1/scopes?tenant_id=${tenantId}`);
    const apps = await gateway.service.query<{ app_id: string }>('SELECT app_id FROM apps WHERE system');
    const there = listExistingScopes({ registered: [], apps: apps.map(({ app_id }) => app_id) });
    const model = new RightsModel([...known.map(({ name }) => name), ...there], ROLES, USERS);
    const signIn = async (name: Name) => {
      const user = await gateway.user({ ...USERS[name], tenant_id: tenantId });
      return [name, user.id, await gateway.signIn(user)] as const;
    };
    const users = await Promise.all(NAMES.map(signIn));
    const ids = Object.fromEntries(users.map(([name, id]) => [name, id])) as Record<Name, string>;
    const clients = Object.fromEntries(users.map(([name, , client]) => [name, client])) as Record<Name, TestClient>;
    return new Trial(tenantId, ids, { ...clients, backend }, model);
  }

  async send({ by, change, separator }: Step): Promise<number> {
    const client = this.clients[by];
    const spelled = (scopes: string[] | null) => scopes?.map((scope) => scope.replace(':', separator));
    if ('to' in change) {
      const body =
        'grant' in change
          ? { scopes: spelled(change.grant) }
          : 'deny' in change
            ? { denied_scopes: spelled(change.deny) }
            : { role: change.assign };
      return (await client.patch(this.path(`/v1/users/${this.ids[change.to as Name]}`), body)).status;
    }
    if ('register' in change) {
      // A name that does not match a resource and an action is sent as the name of another scope.
      const [resource = '', action] = change.register.split(':');
      const parts =
        action === undefined || action === '*'
          ? { resource: 'mine', action: 'read', name: change.register }
          : { resource, action };
      return (await client.post(this.path('/v1/scopes'), { ...parts, tenant_id: this.tenantId })).status;
    }
    if ('createRole' in change) {
      return (
        await client.post(this.path('/v1/roles'), { name: change.createRole, default_scopes: spelled(change.scopes) })
      ).status;
    }
    if ('deleteRole' in change)
      return (await client.delete(this.path(`/v1/roles/${await this.roleId(change.deleteRole)}`))).status;
    const path = this.path(`/v1/roles/${await this.roleId(change.updateRole)}`, `cascade=${change.cascade}`);
    return (await client.patch(path, { default_scopes: spelled(change.scopes) })).status;
  }

  /**
   * Scopes of all users according to the routes, as seen by a backend and by the users themselves.
   */
  held(): Promise<Held[]> {
    return Promise.all(
      NAMES.map(async (name) => {
        const [effective, me] = await Promise.all([
          this.clients.backend.get<EffectiveScopesResponse>(this.path(`/v1/scopes/effective/${this.ids[name]}`)),
          this.clients[name].get<UserResponse>('/v1/auth/me'),
        ]);
        return {
          name,
          effective: canonical(effective.body.scopes.map(({ scope }) => scope)),
          me: canonical(me.body.scopes),
        };
      }),
    );
  }

  expected(): Held[] {
    return NAMES.map((name) => ({
      name,
      effective: this.model.effectiveScopes(name),
      me: this.model.effectiveScopes(name),
    }));
  }

  private async roleId(name: string): Promise<string> {
    const { body } = await this.clients.backend.get<RoleResponse[]>(this.path('/v1/roles'));
    return body.find((role) => role.name === name)?.id ?? 'rol_unknown';
  }

  /** Users act in their own tenant; the parameter has no effect. */
  private path(path: string, query = ''): string {
    return `${path}?tenant_id=${this.tenantId}&${query}`;
  }
}

describe(`rights (seed ${SEED})`, () => {
  const property = fc.asyncProperty(steps, async (steps) => {
    const trial = await Trial.start();
    for (const [at, step] of steps.entries()) {
      const expected = { status: trial.model.apply(step.by, step.change), held: trial.expected() };
      const actual = { status: await trial.send(step), held: await trial.held() };
      expect({ after: at + 1, step, ...actual }).toEqual({ after: at + 1, step, ...expected });
    }
  });

  it(
    'are what the model says, after any changes in a tenant',
    () => fc.assert(property, { seed: SEED, numRuns: RUNS }),
    LONGEST_MS,
  );
});
