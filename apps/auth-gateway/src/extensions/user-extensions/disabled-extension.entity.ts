import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { App } from '../../apps/model/app.entity.js';
import { User } from '../../identity/accounts/user.entity.js';

/** An installed app that is disabled for a user. */
@Entity('disabled_extensions')
@Index('disabled_extensions_app_idx', ['appId'])
export class DisabledExtension {
  @PrimaryColumn('text') userId!: string;
  @ManyToOne(() => User)
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'disabled_extensions_user_fkey' })
  user?: Relation<User>;
  @PrimaryColumn('text') appId!: string;
  @ManyToOne(() => App, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'disabled_extensions_app_fkey' })
  app?: Relation<App>;
  @Column('timestamptz', { default: () => 'now()' }) disabledAt!: Date;
}
