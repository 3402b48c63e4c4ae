import { APP_LOG_LEVELS, type AppLogLevel } from '@platform/contracts';
import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * A log line of a run. Ids are committed in their order, so that clients that follow them miss
 * none.
 */
@Entity('app_logs')
@Index('app_logs_app_idx', ['appId', 'id'])
@Index('app_logs_at_idx', ['at'])
@Check('app_logs_level_check', `level IN ('${APP_LOG_LEVELS.join("', '")}')`)
export class AppLogEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id!: string;
  @Column('text') appId!: string;
  @Column('timestamptz') at!: Date;
  @Column('text') level!: AppLogLevel;
  @Column('text') message!: string;
  @Column('text') kind!: string;
  @Column('text') handler!: string;
  @Column('text', { nullable: true }) requestId!: string | null;
  @Column('text', { nullable: true }) userId!: string | null;
}
