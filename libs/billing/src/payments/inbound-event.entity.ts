import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An event that a provider sent, once however often it comes. What it says is not kept: the object it is about is asked for again. */
@Entity('inbound_events')
@Index('inbound_events_received_idx', ['receivedAt'])
@Index('inbound_events_open_idx', ['receivedAt'], { where: 'handled_at IS NULL' })
export class InboundEvent {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'inbound_events_pkey' }) provider!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'inbound_events_pkey' }) eventId!: string;
  @Column('text') type!: string;
  @Column('text') objectId!: string;
  @Column('text', { nullable: true }) intentId!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) receivedAt!: Date;
  /** Null while its job is not done; at once for a type that means nothing here. */
  @Column('timestamptz', { nullable: true }) handledAt!: Date | null;
  /** When the sweep tried it last; before that when it was received. */
  @Column('timestamptz', { default: () => 'now()' }) checkedAt!: Date;
}
