import { Injectable } from '@nestjs/common';
import {
  WEBHOOK_TEST_TYPE,
  type WebhookEndpointDeliveriesQuery,
  type WebhookEndpointDeliveriesResponse,
  type WebhookEndpointDelivery,
  type WebhookEndpointDeliveryDetail,
  type WebhookEndpointDeliveryPath,
} from '@platform/contracts';
import { RetentionService, Outbox, TenantData } from '@platform/persistence';
import { newId } from '@platform/platform';
import { DataSource } from 'typeorm';
import { AccountDeletionService, rowsOfUser } from '../../../kernel/account-deletion/account-deletion.service.js';
import { NewDeliveriesService } from './dispatch/new-deliveries.service.js';
import {
  DELIVERY_COLUMNS,
  DETAIL_COLUMNS,
  toDelivery,
  toDeliveryDetail,
  type DeliveryRow,
  type DetailRow,
} from './model/webhook-endpoint-response.js';
import { WebhookEndpointErrors } from './model/webhook-endpoints.errors.js';
import { assertEndpointExists, lockEnabledEndpoint } from './endpoint-checks.js';

/** Lists deliveries to endpoints, and sends them again. */
@Injectable()
export class EndpointDeliveriesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly deliveries: NewDeliveriesService,
    retention: RetentionService,
    accountDeletion: AccountDeletionService,
  ) {
    retention.registerExpiredRows({
      table: 'webhook_endpoint_deliveries',
      key: 'id',
      where: "finished_at < now() - interval '7 days'",
    });
    accountDeletion.addDataStep(rowsOfUser('webhook_endpoint_deliveries'));
  }

  /**
   * Returns a page of the deliveries to an endpoint, newest first; `cursor` is null on the last
   * page.
   *
   * @throws AppError 404 `webhook_endpoint.not_found` if the tenant has no such endpoint.
   */
  async listDeliveries(
    tenantId: string,
    endpointId: string,
    { status, cursor, limit }: WebhookEndpointDeliveriesQuery,
  ): Promise<WebhookEndpointDeliveriesResponse> {
    const tenant = new TenantData(this.dataSource.manager, tenantId);
    await assertEndpointExists(tenant, endpointId);
    const rows = await tenant.query<DeliveryRow>(
      `SELECT ${DELIVERY_COLUMNS} FROM webhook_endpoint_deliveries
       WHERE tenant_id = $tenant AND endpoint_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`,
      [endpointId, status ?? null, cursor ?? null, limit + 1],
    );
    const items = rows.slice(0, limit);
    return { items: items.map(toDelivery), cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
  }

  /**
   * Returns a delivery with its posted body.
   *
   * @throws AppError 404 `webhook_endpoint.delivery_not_found` if the endpoint of this tenant has
   * no such delivery.
   */
  async getDelivery(
    tenantId: string,
    { endpoint_id, delivery_id }: WebhookEndpointDeliveryPath,
  ): Promise<WebhookEndpointDeliveryDetail> {
    const [row] = await new TenantData(this.dataSource.manager, tenantId).query<DetailRow>(
      `SELECT ${DETAIL_COLUMNS} FROM webhook_endpoint_deliveries WHERE tenant_id = $tenant AND endpoint_id = $1 AND id = $2`,
      [endpoint_id, delivery_id],
    );
    if (!row) throw WebhookEndpointErrors.deliveryNotFound();
    return toDeliveryDetail(row);
  }

  /**
   * Sends a delivery that arrived or failed again, in a new round with all attempts, and returns
   * it; it waits to be sent then.
   *
   * @throws AppError 404 `webhook_endpoint.not_found` or `webhook_endpoint.delivery_not_found` for
   * an unknown endpoint or delivery; 409 `webhook_endpoint.disabled` if the endpoint is disabled,
   * `webhook_endpoint.delivery_pending` if the delivery is being tried,
   * `webhook_endpoint.backlog_full` if 10,000 deliveries wait for the endpoint.
   */
  async replayDelivery(
    tenantId: string,
    { endpoint_id, delivery_id }: WebhookEndpointDeliveryPath,
  ): Promise<WebhookEndpointDelivery> {
    return this.outbox.transaction(async (em) => {
      const tenant = new TenantData(em, tenantId);
      await lockEnabledEndpoint(tenant, endpoint_id);
      const [found] = await tenant.query<Pick<DeliveryRow, 'status'>>(
        'SELECT status FROM webhook_endpoint_deliveries WHERE tenant_id = $tenant AND endpoint_id = $1 AND id = $2',
        [endpoint_id, delivery_id],
      );
      if (!found) throw WebhookEndpointErrors.deliveryNotFound();
      // The status cannot change here: only a holder of the endpoint's lock begins a new round.
      if (found.status === 'pending') throw WebhookEndpointErrors.pending();
      if (!(await this.deliveries.restartDeliveries(em, endpoint_id, [delivery_id])))
        throw WebhookEndpointErrors.backlogFull();
      const [row] = await tenant.query<DeliveryRow>(
        `SELECT ${DELIVERY_COLUMNS} FROM webhook_endpoint_deliveries WHERE tenant_id = $tenant AND id = $1`,
        [delivery_id],
      );
      return toDelivery(row as DeliveryRow);
    });
  }

  /**
   * Sends a test message to an endpoint, and returns its delivery, which waits to be sent.
   *
   * @throws AppError 404 `webhook_endpoint.not_found` for an unknown endpoint; 409
   * `webhook_endpoint.disabled` if it is disabled, `webhook_endpoint.backlog_full` if 10,000
   * deliveries wait for it.
   */
  async sendTest(tenantId: string, endpointId: string): Promise<WebhookEndpointDelivery> {
    return this.outbox.transaction(async (em) => {
      const tenant = new TenantData(em, tenantId);
      await lockEnabledEndpoint(tenant, endpointId);
      if ((await this.deliveries.getBacklogRoom(em, endpointId)) < 1) throw WebhookEndpointErrors.backlogFull();
      const [row] = await tenant.query<DeliveryRow>(
        `INSERT INTO webhook_endpoint_deliveries (id, tenant_id, endpoint_id, event_type, event_tenant_id, payload, event_at)
         VALUES ($1, $tenant, $2, $3, $tenant, $4, now()) RETURNING ${DELIVERY_COLUMNS}`,
        [newId('whd'), endpointId, WEBHOOK_TEST_TYPE, JSON.stringify({ endpoint_id: endpointId })],
      );
      await this.deliveries.enqueueDeliveries(em, [{ ...(row as DeliveryRow), round: 1 }]);
      return toDelivery(row as DeliveryRow);
    });
  }
}
