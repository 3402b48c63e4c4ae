import type { GivenKey } from '@platform/guards';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Tenant } from '../../identity/accounts/tenant.entity.js';
import { User } from '../../identity/accounts/user.entity.js';

/** An event of the bus: the platform's own, and those of apps. */
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
  /** Null for an event that is nobody's. */
  @Column('text', { nullable: true }) userId!: string | null;
  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'platform_events_user_fkey' })
  user?: Relation<User>;
  /** `extension` for what an app has published; otherwise what its type begins with. */
  @Column('text') sourceType!: string;
  /** The app, or `platform`. */
  @Column('text') source!: string;
  @Column('text') type!: string;
  @Column('jsonb') payload!: Record<string, unknown>;
  /** In bytes, as text; null of what a release before has written. */
  @Column('integer', { nullable: true }) payloadLength!: number | null;
  /** How many handlers of events led to it. */
  @Column('smallint') hop!: number;
  /** What whatever it causes for its user may use at most; null where that is all that the user holds. */
  @Column('text', { array: true, nullable: true }) scopes!: string[] | null;
  /** The API key that led to it; null without one. */
  @Column('jsonb', { nullable: true }) key!: GivenKey | null;
  /** The apps that led to it, beside the one that has published it; null for none. */
  @Column('text', { array: true, nullable: true }) apps!: string[] | null;
  /** In the order in which events are written; null of those of a release before. */
  @Column('bigint', { nullable: true, default: () => "nextval('platform_events_insert_seq')" }) insertNumber!: string | null;
  /** In the order in which they can be seen, after the commit: null before it has one, and 0 of what was there before events had positions. */
  @Column('bigint', { nullable: true }) position!: string | null;
  /** When it happened. */
  @Column('timestamptz') at!: Date;
  /** When it came to be known here. */
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
