import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The pace of a device login's polls, in an unlogged table without a foreign key: a poll must not fail because another one redeemed. */
@Entity('device_polls')
export class DevicePoll {
  @PrimaryColumn('bytea') deviceHash!: Buffer;
  /** The last poll that was not too early. */
  @Column('timestamptz') polledAt!: Date;
  /** What the client was told to wait between polls. */
  @Column('integer') intervalSeconds!: number;
  /** Whether the latest poll was too early. */
  @Column('boolean') wasEarly!: boolean;
}
