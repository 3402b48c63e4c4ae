import type { DeliveryStatus, WebhookChannel } from '@platform/contracts';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A request to a webhook with an inbox, as it arrived. Ids are ordered by arrival. */
@Entity('webhook_deliveries')
@Index('webhook_deliveries_app_idx', ['appId', 'id'])
@Index('webhook_deliveries_app_status_idx', ['appId', 'status', 'id'])
@Index('webhook_deliveries_finished_idx', ['finishedAt'])
@Check('webhook_deliveries_status_check', `status IN ('pending', 'running', 'succeeded', 'dead')`)
@Check('webhook_deliveries_finished_check', `(finished_at IS NOT NULL) = (status IN ('succeeded', 'dead'))`)
@Check('webhook_deliveries_channel_check', `channel IN ('live', 'draft')`)
@Check('webhook_deliveries_size_check', 'octet_length(body) <= 10485760')
export class StoredWebhookDelivery {
  @PrimaryColumn('text') id!: string;
  @Column('text') appId!: string;
  /**
   * Channel in which it arrived. It is handled only there: a request to a draft never reaches the
   * users of the published app.
   */
  @Column('text') channel!: WebhookChannel;
  @Column('text') path!: string;
  @Column('text') method!: string;
  @Column('text') url!: string;
  /** Without headers that extensions may not see. */
  @Column('jsonb') headers!: Record<string, string>;
  @Column('bytea') body!: Buffer;
  /** Size that counts against the limit of the inbox: body, address and headers. */
  @Column('integer') bytes!: number;
  @Column('text', { default: 'pending' }) status!: DeliveryStatus;
  @Column('integer', { default: 0 }) attempts!: number;
  @Column('integer', { nullable: true }) statusCode!: number | null;
  @Column('text', { nullable: true }) error!: string | null;
  /** Entry in the outbox that drives the delivery. */
  @Column('text') jobId!: string;
  @Column('timestamptz', { default: () => 'now()' }) receivedAt!: Date;
  /** Approximate. */
  @Column('timestamptz', { nullable: true }) nextAttemptAt!: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
}

/** Number and size of all deliveries of an app, for the limits of its inbox. */
@Entity('webhook_inboxes')
@Check('webhook_inboxes_check', 'deliveries >= 0 AND bytes >= 0')
export class WebhookInboxUsage {
  @PrimaryColumn('text') appId!: string;
  @Column('integer') deliveries!: number;
  @Column('bigint') bytes!: string;
}
