import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Record that a use by an app was counted. The host makes the key, and repeats it in a retry. */
@Entity('counted_uses')
@Index('counted_uses_counted_idx', ['countedAt'])
export class CountedUse {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'counted_uses_pkey' }) appId!: string;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'counted_uses_pkey' }) key!: string;
  @Column('timestamptz', { default: () => 'now()' }) countedAt!: Date;
}
