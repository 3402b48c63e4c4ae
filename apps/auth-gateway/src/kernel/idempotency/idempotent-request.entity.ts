import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation, Unique } from 'typeorm';

/** Bytes of an answer, as JSON, that are kept at most. */
export const MAX_KEPT_BYTES = 64 * 1024;

/** A request that came with an `Idempotency-Key`: in progress as long as it has no status, and then what it was answered. */
@Entity('idempotent_requests')
@Unique('idempotent_requests_owner_target_key', ['owner', 'target', 'key'])
@Index('idempotent_requests_user_idx', ['userId'])
@Index('idempotent_requests_created_idx', ['createdAt'])
@Check('idempotent_requests_key_check', 'length(key) BETWEEN 1 AND 255')
@Check('idempotent_requests_sha256_check', 'octet_length(sha256) = 32')
@Check('idempotent_requests_status_check', 'status BETWEEN 200 AND 499')
@Check('idempotent_requests_body_check', `octet_length(body::text) <= ${MAX_KEPT_BYTES}`)
@Check('idempotent_requests_done_check', 'status IS NOT NULL OR body IS NULL')
export class IdempotentRequest {
  /** What the route makes the keys of its movements of: the same however often the request is tried. */
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne('Tenant')
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'idempotent_requests_tenant_fkey' })
  tenant?: Relation<object>;
  /** Null where a trusted backend acts for nobody. */
  @Column('text', { nullable: true }) userId!: string | null;
  @ManyToOne('User') @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'idempotent_requests_user_fkey' }) user?: Relation<object>;
  /** Who sent it: keys of others are others. */
  @Column('text') owner!: string;
  /** Method and path. */
  @Column('text') target!: string;
  /** As it was sent. */
  @Column('text') key!: string;
  /** Of the rest of the request. */
  @Column('bytea') sha256!: Buffer;
  /** Which process answers it: only this one may write the answer. */
  @Column('uuid') attempt!: string;
  /** Until when nobody else may. */
  @Column('timestamptz') leasedUntil!: Date;
  @Column('smallint', { nullable: true }) status!: number | null;
  @Column('json', { nullable: true }) body!: unknown;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
