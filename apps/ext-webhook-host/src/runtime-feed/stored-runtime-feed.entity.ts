import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Position up to which changes of running versions are known. The table has one row. */
@Entity('runtime_feed')
@Check('runtime_feed_one_row_check', 'id')
export class StoredRuntimeFeed {
  @PrimaryColumn('boolean', { default: true }) id!: boolean;
  /** Revision of the gateway. */
  @Column('bigint', { default: 0 }) revision!: string;
}
