import {
  WEBHOOK_ENDPOINT_DELIVERY_STATUSES,
  type WebhookEndpointDeliveryError,
  type WebhookEndpointDeliveryStatus,
} from '@platform/contracts';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { Tenant } from '../../../../identity/accounts/tenant.entity.js';
import { User } from '../../../../identity/accounts/user.entity.js';
import { WebhookEndpointEntity } from './webhook-endpoint.entity.js';

/**
 * Delivery of an event to an endpoint. It has a copy of the event, because it can outlive the
 * event.
 */
@Entity('webhook_endpoint_deliveries')
@Unique('webhook_endpoint_deliveries_event_key', ['endpointId', 'eventId'])
@Index('webhook_endpoint_deliveries_tenant_idx', ['tenantId', 'endpointId', 'id'])
@Index('webhook_endpoint_deliveries_status_idx', ['endpointId', 'status', 'id'])
@Index('webhook_endpoint_deliveries_user_idx', ['userId'])
@Index('webhook_endpoint_deliveries_due_idx', ['nextAttemptAt'], { where: "status = 'pending'" })
@Index('webhook_endpoint_deliveries_finished_idx', ['finishedAt'])
@Check('webhook_endpoint_deliveries_status_check', `status IN ('${WEBHOOK_ENDPOINT_DELIVERY_STATUSES.join("', '")}')`)
@Check('webhook_endpoint_deliveries_pending_check', "(status = 'pending') = (next_attempt_at IS NOT NULL)")
@Check('webhook_endpoint_deliveries_finished_check', "(status = 'pending') = (finished_at IS NULL)")
export class WebhookEndpointDeliveryEntity {
  @PrimaryColumn('text') id!: string;
  /** Tenant of the endpoint. */
  @Column('text') tenantId!: string;
  @ManyToOne(() => Tenant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'webhook_endpoint_deliveries_tenant_fkey' })
  tenant?: Relation<Tenant>;
  @Column('text') endpointId!: string;
  @ManyToOne(() => WebhookEndpointEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'endpoint_id', foreignKeyConstraintName: 'webhook_endpoint_deliveries_endpoint_fkey' })
  endpoint?: Relation<WebhookEndpointEntity>;
  /** Null for a test. */
  @Column('uuid', { nullable: true }) eventId!: string | null;
  @Column('text') eventType!: string;
  /**
   * Tenant of the event. It differs from `tenantId` only for an endpoint that receives events of
   * all tenants.
   */
  @Column('text') eventTenantId!: string;
  /** User of the event; null for an event of the tenant. */
  @Column('text', { nullable: true }) userId!: string | null;
  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'webhook_endpoint_deliveries_user_fkey' })
  user?: Relation<User>;
  @Column('jsonb') payload!: Record<string, unknown>;
  @Column('timestamptz') eventAt!: Date;
  @Column('text', { default: 'pending' }) status!: WebhookEndpointDeliveryStatus;
  /** 1, plus 1 for each replay. A job of an earlier round does nothing. */
  @Column('integer', { default: 1 }) round!: number;
  @Column('smallint', { default: 0 }) attempts!: number;
  @Column('timestamptz', { nullable: true, default: () => 'now()' }) nextAttemptAt!: Date | null;
  /**
   * End of the lease of the process that posts the delivery. After it, another process can take
   * over.
   */
  @Column('timestamptz', { nullable: true }) leasedUntil!: Date | null;
  @Column('integer', { nullable: true }) lastStatusCode!: number | null;
  @Column('text', { nullable: true }) lastError!: WebhookEndpointDeliveryError | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
}
