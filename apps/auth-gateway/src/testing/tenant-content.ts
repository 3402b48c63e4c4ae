import type { AgencyResponse, RoleResponse, ScopeResponse, UserDetailResponse } from '@platform/contracts';
import { newId } from '@platform/platform';
import { until, type FakeStripe, type TestClient } from '@platform/testing';
import { bodyOfSuccess } from './content-part.js';
import { CONTENT_PARTS, contentKind, KINDS, newUnknownId } from './all-content.js';
import { PASSWORD, type GatewayTest, type TestUser } from './gateway-test.js';
import { createTenant } from './tenants.js';

/**
 * Queues with jobs that wait for a service that does not run, such as the receivers of endpoints.
 */
const WAITING_FOR_OTHERS = "'app-sync', 'actions', 'webhook-endpoint-deliveries'";

/** A tenant with data of every feature. The `*.content.ts` of each feature makes its part. */
export class TenantContent {
  /** Name of the function of its apps. */
  readonly tool = newId('tool');
  /**
   * Ids by kind. The first id of a kind belongs to the administrator if the kind belongs to users
   * (except `user` and `email`).
   */
  private readonly ids = new Map<string, string[]>(KINDS.map((kind) => [kind, []]));
  /** Values for path parameters without a kind, such as the delivery of an endpoint. */
  private readonly inPaths: { beginning: string; name: string; value: string }[] = [];
  /** Texts that occur only in this tenant; no answer to a caller outside may contain them. */
  readonly texts: string[] = [];

  private constructor(
    readonly gateway: GatewayTest,
    readonly tenantId: string,
    readonly admin: TestUser,
    readonly adminClient: TestClient,
    /** Holds every scope, but is not an administrator. */
    readonly holder: TestUser,
    /** Holds only one scope of the tenant. */
    readonly ordinary: TestUser,
    readonly stripe?: FakeStripe,
  ) {}

  /** @param stripe if given, the tenant also has customers and payments in it. */
  static async create(gateway: GatewayTest, stripe?: FakeStripe): Promise<TenantContent> {
    const { id: tenant_id } = await createTenant(gateway.backend(), {
      tenant_id: newUnknownId('tenant'),
      name: newId('name'),
    });
    const admin = await gateway.user({ tenant_id, role: 'admin', first_name: newId('name') });
    const holder = await gateway.user({ tenant_id, scopes: ['*'] });
    const client = await gateway.signIn(admin);
    // Created through the route, so that the user gets everything that a new user gets.
    const email = gateway.newEmail();
    const { id } = await bodyOfSuccess(
      client.post<UserDetailResponse>('/v1/users', { email, password: PASSWORD, last_name: newId('name') }),
    );
    for (const [at, table] of KINDS.flatMap((kind) => contentKind(kind).numbersOf ?? []).entries()) {
      const first = at * 1_000_000;
      await gateway.service.query(
        `SELECT setval('${table}_id_seq', ${first}) FROM ${table}_id_seq WHERE last_value < ${first}`,
      );
    }
    const content = new TenantContent(gateway, tenant_id, admin, client, holder, { id, email, tenant_id }, stripe);
    await content.createAll();
    return content;
  }

  /** Two users of the tenant; each has one item of each kind that belongs to users. */
  get people(): readonly TestUser[] {
    return [this.admin, this.ordinary];
  }

  /** Id of its first app. */
  get appId(): string {
    return this.idsOf('app')[0] as string;
  }

  /** Ids (or names) of this kind in the tenant. Parts add theirs. */
  idsOf(kind: string): string[] {
    contentKind(kind);
    return this.ids.get(kind) ?? [];
  }

  /** The tenant's value for a path parameter without a kind; undefined if there is none. */
  pathValue(path: string, name: string): string | undefined {
    return this.inPaths.find((place) => place.name === name && path.startsWith(place.beginning))?.value;
  }

  /** See `pathValue`. */
  setPathValue(beginning: string, name: string, value: string): void {
    this.inPaths.push({ beginning, name, value });
  }

  /** Sends the request as the administrator. */
  post<Body>(what: string, body: object): Promise<Body> {
    return bodyOfSuccess(this.adminClient.post<Body>(`/v1/${what}`, body));
  }

  /** Publishes the app in the marketplace, where everybody sees it. */
  async publish(): Promise<void> {
    await this.gateway.service.query("UPDATE apps SET status = 'active', served_version = '1.0.0' WHERE app_id = $1", [
      this.appId,
    ]);
  }

  private async createAll(): Promise<void> {
    await this.users();
    await this.rights();
    await this.agencies();
    await this.app();
    await Promise.all(CONTENT_PARTS.map(async (part) => part.create?.(this)));
    await this.waitForJobs();
    const texts = KINDS.filter((kind) => !contentKind(kind).numbersOf).flatMap((kind) => this.idsOf(kind));
    this.texts.push(...texts.filter((text) => !['admin', 'user'].includes(text)));
  }

  private async users(): Promise<void> {
    const disabled = await this.gateway.user({ tenant_id: this.tenantId, is_active: false });
    const users = [this.ordinary, this.admin, this.holder, disabled];
    this.idsOf('tenant').push(this.tenantId);
    this.idsOf('user').push(...users.map(({ id }) => id));
    this.idsOf('email').push(...users.map(({ email }) => email));
    // No route makes a partner.
    await this.gateway.service.query(
      "INSERT INTO developers (user_id, display_name, tier) VALUES ($1, $2, 'partner')",
      [this.ordinary.id, newId('name')],
    );
  }

  private async rights(): Promise<void> {
    const [free, taken] = await Promise.all(
      [newUnknownId('roleName'), newUnknownId('roleName')].map((name) => this.post<RoleResponse>('roles', { name })),
    );
    const scopes = await Promise.all(
      [newUnknownId('scopeName'), newUnknownId('scopeName')].map((name) => {
        const [resource, action] = name.split(':');
        return this.post<ScopeResponse>('scopes', { resource, action, description: newId('text') });
      }),
    );
    const { body: roles } = await this.adminClient.get<RoleResponse[]>('/v1/roles');
    this.idsOf('role').push(...new Set([free?.id, taken?.id, ...roles.map(({ id }) => id)].map(String)));
    this.idsOf('roleName').push(String(free?.name), String(taken?.name));
    this.idsOf('scope').push(...scopes.map(({ id }) => String(id)));
    this.idsOf('scopeName').push(...scopes.map(({ name }) => name));
    const changes = {
      scopes: [scopes[1]?.name],
      denied_scopes: ['users:delete'],
      reason: newId('reason'),
      role: taken?.name,
    };
    await bodyOfSuccess(this.adminClient.patch(`/v1/users/${this.ordinary.id}`, changes));
  }

  private async agencies(): Promise<void> {
    const both = { light: '#123456', dark: '#abcdef' };
    for (const agency_id of [newUnknownId('agency'), newUnknownId('agency')]) {
      const domain = `${agency_id.replace('_', '-')}.example.com`;
      await this.post<AgencyResponse>('agencies', {
        agency_id,
        display_name: newId('name'),
        domain,
        settings: { retention_days: 7 },
      });
      await bodyOfSuccess(this.adminClient.put(`/v1/agencies/${agency_id}/theme`, { colors: { ring: both } }));
      this.idsOf('agency').push(agency_id);
      this.texts.push(domain);
    }
    await bodyOfSuccess(
      this.adminClient.patch(`/v1/users/${this.ordinary.id}`, { agency_id: this.idsOf('agency')[1] }),
    );
  }

  private async app(): Promise<void> {
    await this.post('developer/register', { display_name: newId('name') });
    await this.gateway.service.query("UPDATE developers SET tier = 'partner' WHERE user_id = $1", [this.admin.id]); // allows more than one app
    const app_id = newUnknownId('app');
    await this.post('developer/apps', { app_id, name: newId('name'), short_description: newId('text') });
    this.idsOf('app').push(app_id);
    await this.deployed(app_id);
    await this.installed(app_id);
  }

  /** Stores the state after a deploy that both sides hold; no Registry runs here. */
  private async deployed(appId: string): Promise<void> {
    const { service } = this.gateway;
    const deploy = newUnknownId('deploy');
    const manifest = {
      version: '1.0.0',
      tools: [{ name: this.tool, description: 'x', action_type: 'write', params_schema: {} }],
      skeleton_sections: [],
    };
    await service.query(
      "INSERT INTO app_versions (app_id, version, sha256, manifest, registry_held_at) VALUES ($1, '1.0.0', sha256('x'), $2, now())",
      [appId, JSON.stringify(manifest)],
    );
    await service.query(
      `INSERT INTO deploys (deploy_id, app_id, number, version, changelog, status, requested_by, finished_at)
       VALUES ($1, $2, 1, '1.0.0', $3, 'failed', $4, now())`,
      [deploy, appId, newId('text'), this.admin.id],
    );
    this.idsOf('deploy').push(deploy);
  }

  /**
   * Users have the app from earlier; it is not in the marketplace, where everybody would see it.
   */
  private async installed(appId: string): Promise<void> {
    const { service } = this.gateway;
    for (const { id } of this.people) {
      await service.query(
        'INSERT INTO installs (user_id, app_id, tenant_id, revision, installed_at) VALUES ($1, $2, $3, 1, now())',
        [id, appId, this.tenantId],
      );
    }
    // This user has removed the app, so a purge of their data is due.
    await service.query(
      'INSERT INTO installs (user_id, app_id, tenant_id, revision, installed_at, removed_at) VALUES ($1, $2, $3, 1, now(), now())',
      [this.holder.id, appId, this.tenantId],
    );
  }

  private async waitForJobs(): Promise<void> {
    await until(async () => {
      const [row] = await this.gateway.service.query<{ done: boolean }>(
        `SELECT provisioned_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM outbox WHERE queue NOT IN (${WAITING_FOR_OTHERS})) AS done FROM users WHERE id = $1`,
        [this.ordinary.id],
      );
      return row?.done;
    });
  }
}
