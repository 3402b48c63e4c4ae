import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Event of the provider, stored once even if it arrives several times. Its content is not stored:
 * the gateway reads the object again from the provider.
 */
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
  /** Time at which the job was done; null before. Set at once for a type that has no handler. */
  @Column('timestamptz', { nullable: true }) handledAt!: Date | null;
  /** Time of the last try by the sweep; before the first one, the time of receipt. */
  @Column('timestamptz', { default: () => 'now()' }) checkedAt!: Date;
}
