import type { GivenKey } from '@platform/guards';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { AutomationRule } from './automation-rule.entity.js';
import type { FireEvent } from '../firing/fire-event.js';

export const FIRE_STATUSES = ['pending', 'success', 'failed', 'limited'] as const;
export type FireStatus = (typeof FIRE_STATUSES)[number];

/** One firing of a rule. */
@Entity('automation_fires')
@Index('automation_fires_cause_key', ['ruleId', 'cause'], { unique: true })
@Index('automation_fires_rule_idx', ['ruleId', 'firedAt', 'id'])
@Index('automation_fires_pending_idx', ['ruleId'], { where: "status = 'pending'" })
@Index('automation_fires_fired_idx', ['firedAt'], { type: 'brin' })
@Check('automation_fires_status_check', `status IN ('${FIRE_STATUSES.join("', '")}')`)
@Check('automation_fires_finished_check', "(status = 'pending') = (finished_at IS NULL)")
@Check('automation_fires_error_check', "(status IN ('failed', 'limited')) = (error IS NOT NULL)")
@Check('automation_fires_event_check', "(status = 'pending') = (event IS NOT NULL)")
export class AutomationFire {
  @PrimaryColumn('text') id!: string;
  @Column('integer') ruleId!: number;
  @ManyToOne(() => AutomationRule, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'rule_id', foreignKeyConstraintName: 'automation_fires_rule_fkey' })
  rule?: Relation<AutomationRule>;
  /** The id of the event, or the time that was due: for each the rule fires once. */
  @Column('text') cause!: string;
  /** What actions are filled in from; not kept longer than they need it. */
  @Column('jsonb', { nullable: true }) event!: FireEvent | null;
  /** Of the event that it was fired by: what the actions may use at most. */
  @Column('text', { array: true, nullable: true }) scopes!: string[] | null;
  /** The API key that led to that event; null without one. */
  @Column('jsonb', { nullable: true }) key!: GivenKey | null;
  /** The apps that led to that event; null for none. */
  @Column('text', { array: true, nullable: true }) apps!: string[] | null;
  @Column('text', { default: 'pending' }) status!: FireStatus;
  /** How many actions are done. */
  @Column('integer', { default: 0 }) actionsDone!: number;
  @Column('text', { nullable: true }) error!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) firedAt!: Date;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
}
