import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** That something an app did was counted. The key is the host's; an app whose host asks again has the same. */
@Entity('counted_uses')
@Index('counted_uses_counted_idx', ['countedAt'])
export class CountedUse {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'counted_uses_pkey' }) appId!: string;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'counted_uses_pkey' }) key!: string;
  @Column('timestamptz', { default: () => 'now()' }) countedAt!: Date;
}
