import { Subscriptions } from '@platform/billing';
import { challengeOf } from '@platform/client/pkce';
import type {
  AgencyResponse,
  DeviceAuthorizeResponse,
  KeyResponse,
  RoleResponse,
  ScopeResponse,
  SessionIdResponse,
  UserDetailResponse,
} from '@platform/contracts';
import { newId } from '@platform/platform';
import { until, type StripeStandIn, type TestClient, type TestResponse } from '@platform/testing';
import { decodeJwt } from 'jose';
import { DataSource } from 'typeorm';
import { newUserCode } from '../identity/cli-login/user-codes.js';
import { noteNarrowing } from '../extensions/installs/install-narrowings.js';
import { PASSWORD, type GatewayTest, type TestUser } from './gateway.js';
import { createTenant } from './tenants.js';
import { giveCredits } from './wallets.js';
import { UserNotifications } from '../extensions/notifications/notifications.service.js';

/** What belongs to a tenant and has a name by which others could ask for it, and such a name that nobody has. */
export const UNKNOWN = {
  tenant: () => newId('tenant'),
  user: () => newId('usr'),
  email: () => `${newId('p').slice(2)}@example.com`,
  role: () => newId('rol'),
  roleName: () => newId('role'),
  scope: () => '2000000000',
  scopeName: () => `${newId('scope')}:read`,
  agency: () => newId('agency'),
  key: () => newId('key'),
  session: () => newId('ses'),
  userCode: () => newUserCode(),
  app: () => newId('app').replace('_', '-'),
  deploy: () => newId('dep'),
  action: () => newId('act'),
  confirmation: () => newId('cnf'),
  rule: () => '2000000001',
  payout: () => '2000000002',
  payment: () => newId('pi'),
  card: () => newId('pm'),
  invoice: () => newId('inv'),
} satisfies Record<string, () => string>;

export type Kind = keyof typeof UNKNOWN;
export const KINDS = Object.keys(UNKNOWN) as Kind[];
/** Those whose ids are numbers, which other numbers of an answer may be, too. */
const NUMBERED: ReadonlySet<Kind> = new Set<Kind>(['scope', 'rule', 'payout']);

const CHALLENGE = { code_challenge: challengeOf('v'.repeat(64)), code_challenge_method: 'S256' };

async function made<Body>(answer: Promise<TestResponse<Body>>): Promise<Body> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** A tenant in which there is some of everything. */
export class TenantContent {
  /** The first of a kind is the administrator's, where it is a person's; otherwise nothing else depends on it. */
  /** What the function of its apps is called. */
  private readonly tool = newId('tool');
  readonly ids = Object.fromEntries(KINDS.map((kind) => [kind, []])) as unknown as Record<Kind, string[]>;
  /** What only this tenant has in it, and no answer to anybody else may. */
  readonly texts: string[] = [];

  private constructor(
    private readonly gateway: GatewayTest,
    readonly tenantId: string,
    readonly admin: TestUser,
    readonly adminClient: TestClient,
    /** Holds every scope, and is no administrator. */
    readonly holder: TestUser,
    /** Holds nothing but a scope of the tenant. */
    readonly ordinary: TestUser,
    private readonly stripe?: StripeStandIn,
  ) {}

  /** @param stripe where what its people pay is found again */
  static async make(gateway: GatewayTest, stripe?: StripeStandIn): Promise<TenantContent> {
    const { id: tenant_id } = await createTenant(gateway.backend(), { tenant_id: UNKNOWN.tenant(), name: newId('name') });
    const admin = await gateway.user({ tenant_id, role: 'admin', first_name: newId('name') });
    const holder = await gateway.user({ tenant_id, scopes: ['*'] });
    const client = await gateway.signedIn(admin);
    // By the route, so that they get all that a new user gets.
    const email = gateway.newEmail();
    const { id } = await made(client.post<UserDetailResponse>('/v1/users', { email, password: PASSWORD, last_name: newId('name') }));
    // Beyond the ids of scopes, which are numbers, too.
    for (const [ids, first] of Object.entries({ automation_rules_id_seq: 1_000_000, payouts_id_seq: 2_000_000 })) {
      await gateway.service.query(`SELECT setval('${ids}', ${first}) FROM ${ids} WHERE last_value < ${first}`);
    }
    const content = new TenantContent(gateway, tenant_id, admin, client, holder, { id, email, tenant_id }, stripe);
    await content.fill();
    return content;
  }

  private async fill(): Promise<void> {
    await this.people();
    await this.rights();
    await this.agencies();
    await Promise.all([
      this.apps(),
      this.credentials(),
      this.loginsUnderWay(),
      this.wallets(),
      this.payouts(),
      this.payments().then(() => this.invoices()),
    ]);
    await this.jobsDone();
    const texts = KINDS.filter((kind) => !NUMBERED.has(kind)).flatMap((kind) => this.ids[kind]);
    this.texts.push(...texts.filter((text) => !['admin', 'user'].includes(text)));
  }

  /** Puts the app into the marketplace, where everybody sees it. */
  async publish(): Promise<void> {
    await this.gateway.service.query("UPDATE apps SET status = 'active', served_version = '1.0.0' WHERE app_id = $1", this.ids.app);
  }

  private async people(): Promise<void> {
    const disabled = await this.gateway.user({ tenant_id: this.tenantId, is_active: false });
    const users = [this.ordinary, this.admin, this.holder, disabled];
    this.ids.tenant.push(this.tenantId);
    this.ids.user.push(...users.map(({ id }) => id));
    this.ids.email.push(...users.map(({ email }) => email));
    // There is no route to it yet.
    await this.gateway.service.query("INSERT INTO developers (user_id, display_name, tier) VALUES ($1, $2, 'partner')", [
      this.ordinary.id,
      newId('name'),
    ]);
  }

  private async rights(): Promise<void> {
    const [free, taken] = await Promise.all(
      [UNKNOWN.roleName(), UNKNOWN.roleName()].map((name) => this.post<RoleResponse>('roles', { name })),
    );
    const scopes = await Promise.all(
      [UNKNOWN.scopeName(), UNKNOWN.scopeName()].map((name) => {
        const [resource, action] = name.split(':');
        return this.post<ScopeResponse>('scopes', { resource, action, description: newId('text') });
      }),
    );
    const { body: roles } = await this.adminClient.get<RoleResponse[]>('/v1/roles');
    this.ids.role.push(...new Set([free?.id, taken?.id, ...roles.map(({ id }) => id)].map(String)));
    this.ids.roleName.push(String(free?.name), String(taken?.name));
    this.ids.scope.push(...scopes.map(({ id }) => String(id)));
    this.ids.scopeName.push(...scopes.map(({ name }) => name));
    const changes = { scopes: [scopes[1]?.name], denied_scopes: ['users:delete'], reason: newId('reason'), role: taken?.name };
    await made(this.adminClient.patch(`/v1/users/${this.ordinary.id}`, changes));
  }

  private async agencies(): Promise<void> {
    const both = { light: '#123456', dark: '#abcdef' };
    for (const agency_id of [UNKNOWN.agency(), UNKNOWN.agency()]) {
      const domain = `${agency_id.replace('_', '-')}.example.com`;
      await this.post<AgencyResponse>('agencies', { agency_id, display_name: newId('name'), domain, settings: { retention_days: 7 } });
      await made(this.adminClient.put(`/v1/agencies/${agency_id}/theme`, { colors: { ring: both } }));
      this.ids.agency.push(agency_id);
      this.texts.push(domain);
    }
    await made(this.adminClient.patch(`/v1/users/${this.ordinary.id}`, { agency_id: this.ids.agency[1] }));
  }

  private async apps(): Promise<void> {
    await this.post('developer/register', { display_name: newId('name') });
    await this.gateway.service.query("UPDATE developers SET tier = 'partner' WHERE user_id = $1", [this.admin.id]); // for more than one app
    const app_id = UNKNOWN.app();
    await this.post('developer/apps', { app_id, name: newId('name'), short_description: newId('text') });
    this.ids.app.push(app_id);
    await this.deployed(app_id);
    await this.uses(app_id);
    await this.hasUsed(app_id);
  }

  /** As it is when both sides hold the version; there is no Registry here. */
  private async deployed(appId: string): Promise<void> {
    const { service } = this.gateway;
    const deploy = UNKNOWN.deploy();
    const manifest = { version: '1.0.0', tools: [{ name: this.tool, params_schema: {} }], skeleton_sections: [] };
    await service.query(
      "INSERT INTO app_versions (app_id, version, sha256, manifest, registry_held_at) VALUES ($1, '1.0.0', sha256('x'), $2, now())",
      [appId, JSON.stringify(manifest)],
    );
    await service.query(
      `INSERT INTO deploys (deploy_id, app_id, number, version, changelog, status, requested_by, finished_at)
       VALUES ($1, $2, 1, '1.0.0', $3, 'failed', $4, now())`,
      [deploy, appId, newId('text'), this.admin.id],
    );
    this.ids.deploy.push(deploy);
  }

  /** People have the app from a time when it could be installed; it is not in the marketplace, where everybody would see it. */
  private async uses(appId: string): Promise<void> {
    const { service } = this.gateway;
    for (const { id } of [this.admin, this.ordinary]) {
      await service.query('INSERT INTO installs (user_id, app_id, tenant_id, revision, installed_at) VALUES ($1, $2, $3, 1, now())', [
        id,
        appId,
        this.tenantId,
      ]);
    }
    // Who has removed it: a purge of what it keeps of them is due.
    await service.query(
      'INSERT INTO installs (user_id, app_id, tenant_id, revision, installed_at, removed_at) VALUES ($1, $2, $3, 1, now(), now())',
      [this.holder.id, appId, this.tenantId],
    );
    const byKey = { kind: 'user', userId: this.ordinary.id, tenantId: this.tenantId, role: 'user', scopes: [], narrowedTo: [] } as const;
    await noteNarrowing(service.app.get(DataSource).manager, byKey, appId);
    await made(this.adminClient.post(`/v1/users/${this.ordinary.id}/extensions/disable`, { app_id: appId }));
    await made(this.adminClient.put(`/v1/extensions/${appId}/access`, { mode: 'public', denied_users: [this.ordinary.id] }));
    const review = newId('rev');
    await service.query('INSERT INTO reviews (id, app_id, user_id, rating, body) VALUES ($1, $2, $3, 5, $4)', [
      review,
      appId,
      this.ordinary.id,
      newId('text'),
    ]);
    await made(this.gateway.actingFor(this.admin.id).post(`/v1/marketplace/reviews/${review}/vote`, {}));
  }

  private async hasUsed(appId: string): Promise<void> {
    const backend = this.gateway.backend();
    await this.gateway.service.query(
      "INSERT INTO capability_denials (tenant_id, app_id, version, capability) VALUES ($1, $2, '1.0.0', $3) ON CONFLICT DO NOTHING",
      [this.tenantId, appId, newId('text')],
    );
    for (const { id } of [this.admin, this.ordinary]) {
      const trace_id = UNKNOWN.action();
      const record = { app_id: appId, tool_name: this.tool, action_type: 'write', status: 'success', message_preview: newId('text') };
      await made(backend.post('/v1/actions', { ...record, trace_id, user_id: id }));
      const message = { app_id: appId, user_id: id, tenant_id: this.tenantId, message: newId('text'), channel: 'in_app' };
      await this.gateway.service.app.get(UserNotifications).send({ ...message, priority: 'normal' });
      const confirmation = UNKNOWN.confirmation();
      await this.gateway.service.query(
        `INSERT INTO confirmations (id, user_id, tenant_id, app_id, function, action_type, params, summary, expires_at)
         VALUES ($1, $2, $3, $4, 'purge', 'destructive', '{}', $5, now() + interval '1 hour')`,
        [confirmation, id, this.tenantId, appId, newId('text')],
      );
      const prompt = newId('text');
      this.texts.push(prompt);
      const [rule] = await this.gateway.service.query<{ id: number }>(
        `INSERT INTO automation_rules (user_id, tenant_id, prompt, interpretation, event_type, actions, scopes, cooldown_seconds, max_per_hour,
           max_iterations, notify_mode)
         VALUES ($1, $2, $3, $3, 'email.received', '[{"message":"x"}]', '{}', 60, 10, 0, 'off') RETURNING id`,
        [id, this.tenantId, prompt],
      );
      this.ids.rule.push(String(rule?.id));
      await this.gateway.service.query(
        `INSERT INTO platform_events (id, tenant_id, user_id, source_type, source, type, payload, hop, at)
         VALUES (gen_random_uuid(), $1, $2, 'extension', $3, 'notes.created', $4, 0, now())`,
        [this.tenantId, id, appId, { text: newId('text') }],
      );
      this.ids.action.push(trace_id);
      this.ids.confirmation.push(confirmation);
    }
  }

  private async wallets(): Promise<void> {
    for (const id of this.ids.user) {
      const description = newId('text');
      await this.gateway.service.app.get(Subscriptions).ensure(id); // else a job would, at some time
      await giveCredits(this.gateway, id, 100, { description });
      await this.gateway.service.query('INSERT INTO spending_limits (user_id) VALUES ($1)', [id]);
      await this.gateway.service.query(
        "INSERT INTO usage_counters (user_id, meter, period_starts_at, used) VALUES ($1, 'tool_calls', now(), 1)",
        [id],
      );
      await this.gateway.service.query(
        `INSERT INTO app_subscription_periods (user_id, app_id, number, price_version, starts_at, ends_at)
         VALUES ($1, $2, 1, 1, now(), now() + interval '1 month')`,
        [id, newId('app')],
      );
      await this.gateway.service.query(
        `INSERT INTO idempotent_requests (id, tenant_id, user_id, owner, target, key, sha256, attempt, leased_until, status, body)
         VALUES ($1, $2, $3, 'user:' || $3, 'POST /v1', $1, sha256('x'), gen_random_uuid(), now(), 200, $4)`,
        [newId('idm'), this.tenantId, id, JSON.stringify({ text: description })],
      );
      this.texts.push(description);
    }
  }

  /** They are over, so that those whose they are can be erased. */
  private async payouts(): Promise<void> {
    for (const { id } of [this.admin, this.ordinary]) {
      const notes = newId('text');
      const [payout] = await this.gateway.service.query<{ id: string }>(
        `INSERT INTO payouts (tenant_id, developer_id, amount_tokens, usd_cents, notes, status, reference, processed_at)
         VALUES ($1, $2, 10000, 1000, $3, 'paid', 'x', now()) RETURNING id`,
        [this.tenantId, id, notes],
      );
      this.ids.payout.push(String(payout?.id));
      this.texts.push(notes);
    }
  }

  /** Of each a top-up and a first payment of a plan, which nobody has paid yet. */
  private async payments(): Promise<void> {
    for (const { id } of [this.admin, this.ordinary]) {
      const customer = (await this.stripe?.add('customers', { email: `${id}@example.com` })) ?? newId('cus');
      await this.gateway.service.query(
        'INSERT INTO billing_customers (user_id, tenant_id, provider_customer_id, is_live) VALUES ($1, $2, $3, false)',
        [id, this.tenantId, customer],
      );
      const card = UNKNOWN.card();
      await this.gateway.service.query(
        `INSERT INTO payment_methods (id, tenant_id, user_id, is_live, type, brand, last4, exp_month, exp_year, is_default)
         VALUES ($1, $2, $3, false, 'card', 'visa', '4242', 12, 2034, true)`,
        [card, this.tenantId, id],
      );
      this.ids.card.push(card);
      await this.gateway.service.query(
        `INSERT INTO auto_topups (user_id, tenant_id, enabled, threshold_pct, recharge_tokens, recharge_cents, daily_cap_cents, monthly_cap_cents)
         VALUES ($1, $2, false, 10, 20000, 2000, 10000, 50000)`,
        [id, this.tenantId],
      );
      await this.gateway.service.query(
        "INSERT INTO auto_topup_consents (id, tenant_id, user_id, text, settings, given_by) VALUES ($1, $2, $3, $4, '{}', 'session')",
        [newId('consent'), this.tenantId, id, newId('text')],
      );
      for (const purpose of ['topup', 'checkout']) this.ids.payment.push(await this.payment(id, customer, purpose));
    }
  }

  private async payment(userId: string, customer: string, purpose: string): Promise<string> {
    const payment = newId('pay');
    const intent =
      (await this.stripe?.add('payment_intents', {
        amount: '1000',
        currency: 'usd',
        customer,
        'metadata[payment_id]': payment,
        'metadata[user_id]': userId,
      })) ?? UNKNOWN.payment();
    if (purpose === 'checkout')
      await this.gateway.service.query(
        `INSERT INTO subscriptions (id, tenant_id, user_id, plan_id, plan_version, status, started_at, anchor_at, period_number, period_starts_at, period_ends_at)
         SELECT $1, $2, $3, id, version, 'incomplete', now(), now(), 1, now(), now() + interval '1 month' FROM plans WHERE id = 'pro' ORDER BY version DESC LIMIT 1`,
        [payment, this.tenantId, userId],
      );
    await this.gateway.service.query(
      `INSERT INTO payments (id, tenant_id, user_id, purpose, scope, status, amount_cents, currency, credits, is_live, provider_intent_id, subscription_id, plan_id,
         plan_version, period_number)
       SELECT $1, $2, $3, $4, $1, 'open', 1000, 'usd', 10000, false, $5, s.id, s.plan_id, s.plan_version, s.period_number
       FROM (VALUES ($1::text)) AS p (id) LEFT JOIN subscriptions s ON s.id = p.id`,
      [payment, this.tenantId, userId, purpose, intent],
    );
    await this.gateway.service.query(
      `INSERT INTO payment_refunds (id, tenant_id, payment_id, number, amount_cents, reason, status, note)
       VALUES ($1, $2, $3, 1, 1000, 'requested', 'failed', $4)`,
      [newId('refund'), this.tenantId, payment, newId('text')],
    );
    await this.gateway.service.query(
      `INSERT INTO payment_disputes (id, tenant_id, payment_id, provider_dispute_id, amount_cents, status, reason, created_at)
       VALUES ($1, $2, $3, $1, 1000, 'warning_closed', 'general', now())`,
      [newId('dp'), this.tenantId, payment],
    );
    return intent;
  }

  /** Each is the first of a series of its own. */
  private async invoices(): Promise<void> {
    for (const { id } of [this.admin, this.ordinary]) {
      const [invoice, company] = [UNKNOWN.invoice(), newId('name')];
      await this.gateway.service.query(
        `INSERT INTO invoices (id, tenant_id, user_id, kind, series, year, serial, number, payment_id, payment_intent_id, seller, buyer, lines, subtotal_cents,
           total_cents, currency, issued_at)
         SELECT $1, tenant_id, user_id, 'invoice', $1, 2026, 1, $1, id, provider_intent_id, 'x', $3, '[]', 1000, 1000, 'usd', now()
         FROM payments WHERE user_id = $2 LIMIT 1`,
        [invoice, id, JSON.stringify({ email: 'x', company })],
      );
      await this.gateway.service.query('INSERT INTO billing_profiles (user_id, tenant_id, company, revision) VALUES ($1, $2, $3, 1)', [
        id,
        this.tenantId,
        company,
      ]);
      this.ids.invoice.push(invoice);
      this.texts.push(company);
    }
  }

  private async credentials(): Promise<void> {
    for (const user of [this.admin, this.ordinary]) {
      const token = (await this.gateway.login(user)).access_token;
      const client = this.gateway.client().bearer(token);
      const [kept, ended] = [await this.registered(user), await this.registered(user)];
      await made(client.post(`/v1/auth/sessions/${ended}/revoke`));
      this.ids.session.push(decodeJwt(token)['sid'] as string, kept, ended);
      this.ids.key.push((await made(client.post<KeyResponse>('/v1/keys', { name: newId('name') }))).id);
    }
  }

  private async registered(user: TestUser): Promise<string> {
    const session = { surface: 'cli', user_id: user.id, label: newId('label') };
    return (await made(this.gateway.backend().post<SessionIdResponse>('/v1/auth/sessions/register', session))).session_id;
  }

  private async loginsUnderWay(): Promise<void> {
    for (const [user, action] of [
      [this.admin, 'approve'],
      [this.ordinary, 'deny'],
    ] as const) {
      const body = { ...CHALLENGE, label: newId('label') };
      const { user_code } = await made(this.gateway.client().post<DeviceAuthorizeResponse>('/v1/auth/cli/device/authorize', body));
      await made(this.gateway.actingFor(user.id).post('/v1/auth/cli/device/approve', { user_code, action }));
      this.ids.userCode.push(user_code);
    }
    const { email, tenant_id } = this.ordinary;
    await made(this.gateway.actingFor(this.ordinary.id).post('/v1/auth/cli/codes', CHALLENGE));
    await made(this.gateway.client().post('/v1/auth/forgot-password', { email, tenant_id }));
    await this.gateway.mailToken(email);
    await this.gateway.signedUp({ tenant_id });
  }

  private async jobsDone(): Promise<void> {
    await until(async () => {
      const [row] = await this.gateway.service.query<{ done: boolean }>(
        `SELECT provisioned_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM outbox WHERE queue NOT IN ('app-sync', 'actions')) AS done FROM users WHERE id = $1`,
        [this.ordinary.id],
      );
      return row?.done;
    });
  }

  private post<Body>(what: string, body: object): Promise<Body> {
    return made(this.adminClient.post<Body>(`/v1/${what}`, body));
  }
}
