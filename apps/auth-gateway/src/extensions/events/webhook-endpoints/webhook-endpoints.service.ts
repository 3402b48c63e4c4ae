import { Inject, Injectable } from '@nestjs/common';
import {
  DEFAULT_TENANT,
  MOST_WEBHOOK_ENDPOINTS,
  type CreateWebhookEndpointRequest,
  type DeletedWebhookEndpointResponse,
  type UpdateWebhookEndpointRequest,
  type WebhookEndpoint,
  type WebhookEndpointsResponse,
  type WebhookEndpointWithSecret,
} from '@platform/contracts';
import { isPlatformAdmin, userOf, type Caller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { newId, sha256 } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG, type Config } from '../../../config.js';
import { findChangedFields } from '../../../kernel/audit/changed-fields.js';
import { recordAudit } from '../../../kernel/audit/record-audit.js';
import { AccountDeletionService } from '../../../kernel/account-deletion/account-deletion.service.js';
import type { SealedColumn } from '../../../kernel/sealing/sealed-column.js';
import { newEndpointSecret, sealedSecrets } from './model/endpoint-secrets.js';
import { endpointUrlRefusal } from './model/endpoint-urls.js';
import { failPendingDeliveries } from './model/pending-deliveries.js';
import { ENDPOINT_COLUMNS, toEndpoint, type EndpointRow } from './model/webhook-endpoint-response.js';
import { WebhookEndpointErrors } from './model/webhook-endpoints.errors.js';

/**
 * Time in which the previous secret also signs, so that receivers can change the secret without
 * refusing a message.
 */
const OVERLAP = "interval '24 hours'";
/** Hexadecimal digits of the digest of a URL. */
const DIGEST_LENGTH = 16;
/** SQL: the endpoint receives events after this position, which means from now on. */
const LAST_POSITION = '(SELECT coalesce(max(position), 0) FROM platform_events WHERE position > 0)';

/** Webhook endpoints of tenants: URLs to which events are posted. */
@Injectable()
export class WebhookEndpointsService {
  private readonly secrets: SealedColumn;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
    accountDeletion: AccountDeletionService,
  ) {
    this.secrets = sealedSecrets(config.SECRET_KEYS);
    accountDeletion.addDataStep(async (tenant, userId) => {
      await tenant.query(
        'UPDATE webhook_endpoints SET created_by = NULL WHERE tenant_id = $tenant AND created_by = $1',
        [userId],
      );
    });
  }

  /** Returns all endpoints of the tenant, oldest first. */
  async listEndpoints(tenantId: string): Promise<WebhookEndpointsResponse> {
    const rows = await this.tenantData(tenantId).query<EndpointRow>(
      `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE tenant_id = $tenant ORDER BY created_at, id LIMIT ${MOST_WEBHOOK_ENDPOINTS}`,
    );
    return { items: rows.map(toEndpoint) };
  }

  /**
   * Returns an endpoint of the tenant, without its secret.
   *
   * @throws AppError 404 `webhook_endpoint.not_found` for an unknown endpoint.
   */
  async getEndpoint(tenantId: string, id: string): Promise<WebhookEndpoint> {
    const [row] = await this.tenantData(tenantId).query<EndpointRow>(
      `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE tenant_id = $tenant AND id = $1`,
      [id],
    );
    if (!row) throw WebhookEndpointErrors.notFound();
    return toEndpoint(row);
  }

  /**
   * Creates an endpoint, which receives events from now on, and returns it with its secret, which
   * no other answer contains.
   *
   * @throws AppError 403 `webhook_endpoint.key_refused` for an API key,
   * `webhook_endpoint.all_tenants` for events of all tenants unless the caller administers the
   * platform and the endpoint is in the platform's own tenant; 409 `webhook_endpoint.too_many` if
   * the tenant has 20 endpoints.
   * @throws ValidationFailed for a URL that `endpointUrlRefusal` refuses.
   */
  async createEndpoint(
    caller: Caller,
    tenantId: string,
    request: CreateWebhookEndpointRequest,
  ): Promise<WebhookEndpointWithSecret> {
    assertNoKey(caller);
    const { url, event_types } = request;
    const [description, all_tenants] = [request.description ?? '', request.all_tenants ?? false];
    if (all_tenants && !(isPlatformAdmin(caller) && tenantId === DEFAULT_TENANT))
      throw WebhookEndpointErrors.allTenants();
    this.assertUrl(url);
    const id = newId('whe');
    const secret = newEndpointSecret();
    const row = await this.dataSource.transaction(async (em) => {
      const tenant = new TenantData(em, tenantId);
      // Allows one request at a time per tenant, so that two do not take the same slot.
      await tenant.query('SELECT 1 FROM tenants WHERE id = $tenant FOR NO KEY UPDATE');
      const [created] = await tenant.query<EndpointRow>(
        `INSERT INTO webhook_endpoints (id, tenant_id, slot, url, description, event_types, all_tenants, sealed_secret, created_by, from_position)
         SELECT $1, $tenant, free.slot, $2, $3, $4, $5, $6, $7, ${LAST_POSITION}
         FROM (SELECT places.slot FROM generate_series(1, ${MOST_WEBHOOK_ENDPOINTS}) AS places (slot)
               WHERE NOT EXISTS (SELECT FROM webhook_endpoints w WHERE w.tenant_id = $tenant AND w.slot = places.slot) ORDER BY places.slot LIMIT 1) AS free
         RETURNING ${ENDPOINT_COLUMNS}`,
        [
          id,
          url,
          description,
          [...new Set(event_types)],
          all_tenants,
          this.secrets.seal(id, secret),
          userOf(caller)?.userId ?? null,
        ],
      );
      if (!created) throw WebhookEndpointErrors.tooMany();
      await audit(em, created, 'created', null, audited(created));
      return created;
    });
    return { ...toEndpoint(row), secret };
  }

  /**
   * Changes an endpoint, and returns it. After it is enabled again, it receives events from then
   * on, and counts as not failing. When it is disabled, its waiting deliveries fail.
   *
   * @throws AppError 403 `webhook_endpoint.key_refused` for an API key; 404
   * `webhook_endpoint.not_found` for an unknown endpoint.
   * @throws ValidationFailed like `createEndpoint`.
   */
  async updateEndpoint(
    caller: Caller,
    tenantId: string,
    id: string,
    request: UpdateWebhookEndpointRequest,
  ): Promise<WebhookEndpoint> {
    assertNoKey(caller);
    const { url = null, description = null, event_types = null, status = null } = request;
    if (url !== null) this.assertUrl(url);
    const row = await this.dataSource.transaction(async (em) => {
      const tenant = new TenantData(em, tenantId);
      const [before] = await tenant.query<EndpointRow>(
        `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE tenant_id = $tenant AND id = $1 FOR NO KEY UPDATE`,
        [id],
      );
      if (!before) throw WebhookEndpointErrors.notFound();
      const enables = status === 'enabled' && before.status === 'disabled';
      const disables = status === 'disabled' && before.status === 'enabled';
      const [after] = await tenant.query<EndpointRow>(
        `UPDATE webhook_endpoints SET url = coalesce($2, url), description = coalesce($3, description), event_types = coalesce($4, event_types),
           status = coalesce($5, status),
           disabled_reason = CASE WHEN $6 THEN NULL WHEN $7 THEN 'by_hand' ELSE disabled_reason END,
           failing_since = CASE WHEN $6 OR url <> coalesce($2, url) THEN NULL ELSE failing_since END,
           from_position = CASE WHEN $6 THEN ${LAST_POSITION} ELSE from_position END,
           updated_at = now()
         WHERE tenant_id = $tenant AND id = $1 RETURNING ${ENDPOINT_COLUMNS}`,
        [id, url, description, event_types && [...new Set(event_types)], status, enables, disables],
      );
      if (disables) await failPendingDeliveries(em, id);
      const changed = findChangedFields(audited(before), audited(after as EndpointRow));
      if (changed) await audit(em, before, 'updated', changed.before, changed.after);
      return after as EndpointRow;
    });
    return toEndpoint(row);
  }

  /**
   * Deletes the endpoint and its deliveries.
   *
   * @throws AppError 403 `webhook_endpoint.key_refused` for an API key; 404
   * `webhook_endpoint.not_found` for an unknown endpoint.
   */
  async deleteEndpoint(caller: Caller, tenantId: string, id: string): Promise<DeletedWebhookEndpointResponse> {
    assertNoKey(caller);
    await this.dataSource.transaction(async (em) => {
      const [deleted] = await new TenantData(em, tenantId).query<EndpointRow>(
        `DELETE FROM webhook_endpoints WHERE tenant_id = $tenant AND id = $1 RETURNING ${ENDPOINT_COLUMNS}`,
        [id],
      );
      if (!deleted) throw WebhookEndpointErrors.notFound();
      await audit(em, deleted, 'deleted', audited(deleted), null);
    });
    return { status: 'deleted', id };
  }

  /**
   * Makes a new secret for an endpoint. Only this answer contains it. The previous secret also
   * signs for 24 hours; an older one stops at once.
   *
   * @throws AppError 403 `webhook_endpoint.key_refused` for an API key; 404
   * `webhook_endpoint.not_found` for an unknown endpoint.
   */
  async rotateSecret(caller: Caller, tenantId: string, id: string): Promise<WebhookEndpointWithSecret> {
    assertNoKey(caller);
    const secret = newEndpointSecret();
    const row = await this.dataSource.transaction(async (em) => {
      const [rotated] = await new TenantData(em, tenantId).query<EndpointRow>(
        `UPDATE webhook_endpoints SET sealed_previous_secret = sealed_secret, previous_secret_until = now() + ${OVERLAP}, sealed_secret = $2, updated_at = now()
         WHERE tenant_id = $tenant AND id = $1 RETURNING ${ENDPOINT_COLUMNS}`,
        [id, this.secrets.seal(id, secret)],
      );
      if (!rotated) throw WebhookEndpointErrors.notFound();
      await audit(em, rotated, 'secret_rotated', null, null);
      return rotated;
    });
    return { ...toEndpoint(row), secret };
  }

  private assertUrl(url: string): void {
    const refusal = endpointUrlRefusal(url, this.config.EGRESS_ALLOW);
    if (refusal !== null) throw WebhookEndpointErrors.urlRefused(refusal);
  }

  private tenantData(tenantId: string): TenantData {
    return new TenantData(this.dataSource.manager, tenantId);
  }
}

/**
 * @throws AppError 403 `webhook_endpoint.key_refused` for an API key: an endpoint outlives the key
 * that made it, and can receive events that no key can read.
 */
function assertNoKey(caller: Caller): void {
  if (userOf(caller)?.apiKeyId !== undefined) throw WebhookEndpointErrors.keyRefused();
}

/**
 * Fields for the audit log. Of the URL, only the origin and a digest that shows changes: path and
 * query can contain secrets, and entries are kept forever.
 */
const audited = ({ url, description, event_types, all_tenants, status, disabled_reason }: EndpointRow): object => ({
  origin: new URL(url).origin,
  url_sha256: sha256(url).toString('hex').slice(0, DIGEST_LENGTH),
  description,
  event_types,
  all_tenants,
  status,
  disabled_reason,
});

const audit = (
  em: EntityManager,
  { id, tenant_id: tenantId }: EndpointRow,
  what: string,
  before: object | null,
  after: object | null,
): Promise<void> =>
  recordAudit(em, {
    action: `webhook_endpoint.${what}`,
    target: { type: 'webhook_endpoint', id },
    tenantId,
    before,
    after,
  });
