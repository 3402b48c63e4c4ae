import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** There is one while no mail gets to the mail server. */
@Entity('mail_outages')
@Check('mail_outages_one_check', 'is_one')
export class MailOutage {
  @PrimaryColumn('boolean', { default: true, primaryKeyConstraintName: 'mail_outages_pkey' }) isOne!: true;
  /** When the first mail failed. */
  @Column('timestamptz', { default: () => 'now()' }) since!: Date;
  /** When the log last said so; null before. */
  @Column('timestamptz', { nullable: true }) toldAt!: Date | null;
}
