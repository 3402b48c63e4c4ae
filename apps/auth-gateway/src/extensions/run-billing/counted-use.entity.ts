import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'counted_uses_pkey' };

/** That something an app did was counted. The key is the host's; an app whose host asks again has the same. */
@Entity('counted_uses')
@Index('counted_uses_counted_idx', ['countedAt'])
export class CountedUse {
  @PrimaryColumn('text', KEY) appId!: string;
  @PrimaryColumn('uuid', KEY) key!: string;
  @Column('timestamptz', { default: () => 'now()' }) countedAt!: Date;
}
