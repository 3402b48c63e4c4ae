import type { OriginKey } from '@platform/guards';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Tenant } from '../../identity/accounts/tenant.entity.js';
import { User } from '../../identity/accounts/user.entity.js';

/** An event of the bus, from the platform or from an app. */
@Entity('platform_events')
@Index('platform_events_user_position_idx', ['userId', 'position'])
@Index('platform_events_position_idx', ['position'], { unique: true, where: 'position > 0' })
@Index('platform_events_waiting_idx', ['insertNumber'], { where: 'position IS NULL' })
@Index('platform_events_created_idx', ['createdAt'], { type: 'brin' })
@Check('platform_events_payload_check', 'octet_length(payload::text) <= 131072')
@Check('platform_events_hop_check', 'hop BETWEEN 0 AND 8')
export class StoredPlatformEvent {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'platform_events_tenant_fkey' })
  tenant?: Relation<Tenant>;
  /** Null for an event without a user. */
  @Column('text', { nullable: true }) userId!: string | null;
  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'platform_events_user_fkey' })
  user?: Relation<User>;
  /** `extension` if an app published the event; otherwise the first part of its type. */
  @Column('text') sourceType!: string;
  /** ID of the app, or `platform`. */
  @Column('text') source!: string;
  @Column('text') type!: string;
  @Column('jsonb') payload!: Record<string, unknown>;
  /** Length of the payload as text, in bytes. */
  @Column('integer') payloadLength!: number;
  /** Number of event handlers that led to the event. */
  @Column('smallint') hop!: number;
  /** Scopes that runs caused by the event can use at most; null for all scopes of the user. */
  @Column('text', { array: true, nullable: true }) scopes!: string[] | null;
  /** API key that led to the event; null without one. */
  @Column('jsonb', { nullable: true }) key!: OriginKey | null;
  /** Apps that led to the event, without the app that published it; null for none. */
  @Column('text', { array: true, nullable: true }) apps!: string[] | null;
  /** Order in which events are inserted. */
  @Column('bigint', { default: () => "nextval('platform_events_insert_seq')" }) insertNumber!: string;
  /** Order in which events become visible after their commit. Null until it is assigned. */
  @Column('bigint', { nullable: true }) position!: string | null;
  /** Time at which the event happened. */
  @Column('timestamptz') at!: Date;
  /** Time at which the gateway stored the event. */
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
