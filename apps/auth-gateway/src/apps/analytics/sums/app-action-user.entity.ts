import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Last day (UTC) on which a user used an app. */
@Entity('app_action_users')
@Index('app_action_users_app_idx', ['appId', 'lastDay'])
@Index('app_action_users_user_idx', ['userId'])
@Index('app_action_users_day_idx', ['lastDay'])
export class AppActionUser {
  @PrimaryColumn('text') appId!: string;
  @PrimaryColumn('text') userId!: string;
  @Column('date') lastDay!: string;
}
