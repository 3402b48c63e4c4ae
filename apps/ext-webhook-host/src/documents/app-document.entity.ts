import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The document of a version by its hash, as the gateway has it. It never changes; one that nobody used for long is dropped and fetched again. */
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
