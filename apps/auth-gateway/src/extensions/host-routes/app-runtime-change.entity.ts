import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** When what runs of an app last changed: kept by triggers on `apps`, also for apps that are gone. */
@Entity('app_runtime_changes')
@Unique('app_runtime_changes_revision_key', ['revision'])
export class StoredAppRuntimeChange {
  @PrimaryColumn('text') appId!: string;
  @Column('bigint') revision!: string;
}
