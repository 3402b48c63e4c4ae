import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A process with open event streams. It counts while `seenAt` is recent. */
@Entity('event_stream_processes')
@Check('event_stream_processes_check', 'channels >= 0 AND clients >= 0')
export class EventStreamProcess {
  @PrimaryColumn('text') id!: string;
  /** Number of users and whole tenants that clients follow. */
  @Column('integer') channels!: number;
  @Column('integer') clients!: number;
  @Column('timestamptz', { default: () => 'now()' }) seenAt!: Date;
}
