import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Outage of the mail server: one row while it lasts, else no row. */
@Entity('mail_outages')
@Check('mail_outages_one_check', 'is_one')
export class MailOutage {
  @PrimaryColumn('boolean', { default: true, primaryKeyConstraintName: 'mail_outages_pkey' }) isOne!: true;
  /** Time of the first failed mail. */
  @Column('timestamptz', { default: () => 'now()' }) since!: Date;
  /** Time of the last log line about the outage; null before the first one. */
  @Column('timestamptz', { nullable: true }) toldAt!: Date | null;
}
