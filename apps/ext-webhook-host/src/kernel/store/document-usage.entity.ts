import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Number and size of an app's documents in a tenant: the sum over its shards. A single shard can be
 * negative. Triggers on `documents` update it. With one row for all, each write of an app would
 * wait for the previous one.
 */
@Entity('document_usage')
@Index('document_usage_app_idx', ['appId'])
export class DocumentUsage {
  @PrimaryColumn('text') tenantId!: string;
  @PrimaryColumn('text') appId!: string;
  @PrimaryColumn('smallint') shard!: number;
  @Column('bigint') documents!: string;
  @Column('bigint') bytes!: string;
}
