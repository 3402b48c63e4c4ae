import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** Last change of an app's runtime. Triggers on `apps` write it, also for deleted apps. */
@Entity('app_runtime_changes')
@Unique('app_runtime_changes_revision_key', ['revision'])
export class StoredAppRuntimeChange {
  @PrimaryColumn('text') appId!: string;
  @Column('bigint') revision!: string;
}
