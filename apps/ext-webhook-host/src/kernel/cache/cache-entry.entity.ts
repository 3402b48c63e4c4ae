import { MAX_CACHE_VALUE_BYTES } from '@platform/extension-sdk/runtime';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Stored in an unlogged table: a crash of the database empties it. */
@Entity('cache_entries')
@Index('cache_entries_expiry_idx', ['expiresAt'])
@Check('cache_entries_size_check', `octet_length(value) <= ${MAX_CACHE_VALUE_BYTES}`)
export class CacheEntry {
  @PrimaryColumn('text') tenantId!: string;
  @PrimaryColumn('text') appId!: string;
  @PrimaryColumn('text') userId!: string;
  @PrimaryColumn('text') key!: string;
  /** JSON. */
  @Column('text') value!: string;
  @Column('timestamptz') expiresAt!: Date;
}
