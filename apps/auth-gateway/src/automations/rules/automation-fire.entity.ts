import type { OriginKey } from '@platform/guards';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { AutomationRule } from './automation-rule.entity.js';
import type { FireEvent } from '../firing/fire-event.js';

export const FIRE_STATUSES = ['pending', 'success', 'failed', 'limited'] as const;
export type FireStatus = (typeof FIRE_STATUSES)[number];

/** A firing of a rule. */
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
  /** Id of the event, or the due time. The rule fires once for each. */
  @Column('text') cause!: string;
  /** Data for the templates of the actions. Null after the firing has finished. */
  @Column('jsonb', { nullable: true }) event!: FireEvent | null;
  /** Scopes of the event, which limit the actions. */
  @Column('text', { array: true, nullable: true }) scopes!: string[] | null;
  /** API key that led to the event; null without one. */
  @Column('jsonb', { nullable: true }) key!: OriginKey | null;
  /** Apps that led to the event; null without any. */
  @Column('text', { array: true, nullable: true }) apps!: string[] | null;
  @Column('text', { default: 'pending' }) status!: FireStatus;
  /** Number of finished actions. */
  @Column('integer', { default: 0 }) actionsDone!: number;
  @Column('text', { nullable: true }) error!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) firedAt!: Date;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
}
