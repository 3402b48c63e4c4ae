import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Document of a version by its hash, copied from the gateway. It never changes. After a long time
 * without use it is deleted, and fetched again when needed.
 */
@Entity('app_documents')
@Index('app_documents_used_idx', ['usedAt'])
@Check('app_documents_sha256_check', "sha256 ~ '^[0-9a-f]{64}$'")
export class StoredAppDocument {
  @PrimaryColumn('text') appId!: string;
  @PrimaryColumn('text') sha256!: string;
  /** Canonical JSON. */
  @Column('text') document!: string;
  @Column('timestamptz', { default: () => 'now()' }) usedAt!: Date;
}
