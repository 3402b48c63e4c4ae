import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Pace of the polls of a device login. The table is unlogged and has no foreign key, so that a poll
 * does not fail when another poll redeems the code.
 */
@Entity('device_polls')
export class DevicePoll {
  @PrimaryColumn('bytea') deviceHash!: Buffer;
  /** Time of the last poll that was not early. */
  @Column('timestamptz') polledAt!: Date;
  /**
   * Seconds that the client must wait between polls. The value can exceed the longest interval;
   * answers are capped.
   */
  @Column('integer') intervalSeconds!: number;
  /** True if the latest poll was early. In a batch: its first poll. */
  @Column('boolean') wasEarly!: boolean;
}
