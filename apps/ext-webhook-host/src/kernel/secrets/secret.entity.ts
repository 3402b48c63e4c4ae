import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A secret of an app, sealed. It has no tenant: an identity is a user, who is of one tenant, or the app itself, which is the same for all.
 */
@Entity('secrets')
@Index('secrets_key_idx', ['keyId'])
@Index('secrets_identity_idx', ['identity'])
@Check('secrets_key_check', "starts_with(sealed, key_id || '.')")
@Check('secrets_size_check', 'octet_length(sealed) <= 90000')
export class Secret {
  @PrimaryColumn('text') appId!: string;
  @PrimaryColumn('text') identity!: string;
  @PrimaryColumn('text') name!: string;
  @Column('text', { select: false }) sealed!: string;
  /** The key that sealed it. */
  @Column('text') keyId!: string;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  /** When its value was last read; null before the first time. */
  @Column('timestamptz', { nullable: true }) lastAccessedAt!: Date | null;
}
