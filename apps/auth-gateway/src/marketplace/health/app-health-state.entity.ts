import {
  APP_HEALTH_STATUSES,
  KNOWN_HEALTH_STATUSES,
  type AppHealthStatus,
  type KnownHealthStatus,
} from '@platform/contracts';
import { Check, Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { App } from '../../apps/model/app.entity.js';

/** Health of an app at the last check, for comparison with the next check. */
@Entity('app_health_states')
@Check('app_health_states_status_check', `status IN ('${KNOWN_HEALTH_STATUSES.join("', '")}')`)
@Check('app_health_states_previous_status_check', `previous_status IN ('${APP_HEALTH_STATUSES.join("', '")}')`)
export class AppHealthState {
  @PrimaryColumn('text') appId!: string;
  @OneToOne(() => App, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'app_health_states_app_fkey' })
  app?: Relation<App>;
  /** For operators. `unknown` before the first check. */
  @Column('text') previousStatus!: AppHealthStatus;
  @Column('text') status!: KnownHealthStatus;
  @Column('timestamptz', { default: () => 'now()' }) changedAt!: Date;
}
