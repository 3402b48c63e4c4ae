import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the changes of what runs are known. One row. */
@Entity('runtime_feed')
@Check('runtime_feed_one_row_check', 'id')
export class StoredRuntimeFeed {
  @PrimaryColumn('boolean', { default: true }) id!: boolean;
  /** Of the gateway. */
  @Column('bigint', { default: 0 }) revision!: string;
}
