import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The pace of a device login's polls, in an unlogged table without a foreign key: a poll must not fail because another one redeemed. */
@Entity('device_polls')
export class DevicePoll {
  @PrimaryColumn('bytea') deviceHash!: Buffer;
  /** The last poll that was not too early. */
  @Column('timestamptz') polledAt!: Date;
  /** What a client has to wait between polls; no more than the longest interval, though this counts on. */
  @Column('integer') intervalSeconds!: number;
  /** Whether the latest poll was too early; the first of those that were judged together. */
  @Column('boolean') wasEarly!: boolean;
}
