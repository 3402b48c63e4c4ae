import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A process that clients follow events at, as long as it says so. */
@Entity('event_stream_processes')
@Check('event_stream_processes_check', 'channels >= 0 AND clients >= 0')
export class EventStreamProcess {
  @PrimaryColumn('text') id!: string;
  /** Users, and whole tenants, that somebody follows. */
  @Column('integer') channels!: number;
  @Column('integer') clients!: number;
  @Column('timestamptz', { default: () => 'now()' }) seenAt!: Date;
}
