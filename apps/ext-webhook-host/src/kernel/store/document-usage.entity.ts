import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * How much an app keeps in a tenant: the sum over its shards, of which each single one may be negative. Triggers on `documents` keep it.
 * One row for all would make every write of an app wait for the one before.
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
