import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation, Unique } from 'typeorm';

/** Maximum bytes of a stored answer, as JSON. */
export const MAX_STORED_BYTES = 64 * 1024;

/**
 * Request with an `Idempotency-Key`. It is in progress while `status` is null; afterwards `status`
 * and `body` are its answer.
 */
@Entity('idempotent_requests')
@Unique('idempotent_requests_owner_target_key', ['owner', 'target', 'key'])
@Index('idempotent_requests_user_idx', ['userId'])
@Index('idempotent_requests_created_idx', ['createdAt'])
@Check('idempotent_requests_key_check', 'length(key) BETWEEN 1 AND 255')
@Check('idempotent_requests_sha256_check', 'octet_length(sha256) = 32')
@Check('idempotent_requests_status_check', 'status BETWEEN 200 AND 499')
@Check('idempotent_requests_body_check', `octet_length(body::text) <= ${MAX_STORED_BYTES}`)
@Check('idempotent_requests_done_check', 'status IS NOT NULL OR body IS NULL')
export class IdempotentRequest {
  /** Idempotency key for bookings of the route. It is the same for each retry of the request. */
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne('Tenant')
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'idempotent_requests_tenant_fkey' })
  tenant?: Relation<object>;
  /** Null if a backend calls without an acting user. */
  @Column('text', { nullable: true }) userId!: string | null;
  @ManyToOne('User')
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'idempotent_requests_user_fkey' })
  user?: Relation<object>;
  /** Name of the caller. Keys of different callers are independent. */
  @Column('text') owner!: string;
  /** HTTP method and path. */
  @Column('text') target!: string;
  /** Key that the client sent. */
  @Column('text') key!: string;
  /** SHA-256 of the query and the body. */
  @Column('bytea') sha256!: Buffer;
  /** Id of the attempt that answers the request. Only this attempt can store the answer. */
  @Column('uuid') attempt!: string;
  /** End of the lease. After it, another process can take over the request. */
  @Column('timestamptz') leasedUntil!: Date;
  @Column('smallint', { nullable: true }) status!: number | null;
  @Column('json', { nullable: true }) body!: unknown;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
