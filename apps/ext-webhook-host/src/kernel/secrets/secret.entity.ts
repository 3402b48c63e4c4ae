import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A sealed secret of an app. It has no tenant: its identity is a user, who belongs to one tenant,
 * or the app itself, which is the same for all tenants.
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
  /** Id of the key that sealed it. */
  @Column('text') keyId!: string;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  /** Time of the last read of its value; null before the first one. */
  @Column('timestamptz', { nullable: true }) lastAccessedAt!: Date | null;
}
