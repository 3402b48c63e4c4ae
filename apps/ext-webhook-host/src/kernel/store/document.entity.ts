import { MAX_DOCUMENT_BYTES } from '@platform/extension-sdk/runtime';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Document that an app stores for a user, or for itself under one of its system identities. */
@Entity('documents')
@Index('documents_created_idx', ['tenantId', 'appId', 'collection', 'userId', 'createdAt', 'id'])
@Index('documents_purge_idx', ['tenantId', 'appId', 'userId', 'collection', 'id'])
@Index('documents_where_idx', { synchronize: false })
@Check('documents_data_check', "jsonb_typeof(data) = 'object'")
@Check('documents_scope_check', `position('/' IN tenant_id || app_id || collection || user_id) = 0`)
@Check('documents_size_check', `bytes = octet_length(data::text) AND bytes <= ${MAX_DOCUMENT_BYTES}`)
export class Document {
  @PrimaryColumn('text') tenantId!: string;
  @PrimaryColumn('text') appId!: string;
  @PrimaryColumn('text') collection!: string;
  @PrimaryColumn('text') userId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('jsonb') data!: Record<string, unknown>;
  /** Size of `data` as PostgreSQL writes it. */
  @Column('integer') bytes!: number;
  /** Changes with every update. */
  @Column('text') etag!: string;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
