import { Injectable } from '@nestjs/common';
import type { AppDeletedResponse } from '@platform/contracts';
import { JobsService } from '@platform/messaging';
import { In, type EntityManager } from 'typeorm';
import { enqueueAppRemoval } from '../deploys/versions/app-sync.jobs.js';
import { App, type AppStatus } from '../model/app.entity.js';
import { recordAppAudit } from '../model/app-audit.js';
import type { ShownApp } from '../model/app-response.js';
import { AppErrors } from '../model/apps.errors.js';

/** Deletes all installs of an app in the transaction. Returns their number. */
type InstallPurge = (em: EntityManager, appId: string) => Promise<number>;

export const DELETABLE: readonly AppStatus[] = ['draft', 'suspended'];

@Injectable()
export class AppDeletionsService {
  private purge: InstallPurge = () => Promise.resolve(0);

  constructor(private readonly jobs: JobsService) {}

  /**
   * Registers the function that deletes all installs of an app. Call it in the constructor of the
   * provider that stores installs.
   */
  setInstallPurge(purge: InstallPurge): void {
    this.purge = purge;
  }

  /**
   * Deletes an app that the transaction has locked, with its versions, deploys and installs. Its
   * record at the Registry service is deleted after the commit. If it ever had a version, only its
   * developer can use the id again.
   *
   * @param from statuses in which the deletion is allowed.
   * @throws AppError 400 `app.not_confirmed` if `confirmName` is not the app's id; 409
   * `app.wrong_status` for another status.
   */
  async deleteLockedApp(
    em: EntityManager,
    app: ShownApp,
    confirmName: string,
    from: readonly AppStatus[],
  ): Promise<AppDeletedResponse> {
    const { appId, status } = app;
    if (confirmName !== appId) throw AppErrors.notConfirmed(appId);
    await em.query(
      `INSERT INTO retired_app_ids (app_id, developer_id)
       SELECT app_id, developer_id FROM apps a WHERE app_id = $1 AND EXISTS (SELECT FROM app_versions v WHERE v.app_id = a.app_id)
       ON CONFLICT (app_id) DO UPDATE SET retired_at = now()`,
      [appId],
    );
    const installsPurged = await this.purge(em, appId);
    const { affected } = await em.delete(App, { appId, status: In([...from]) });
    if (!affected) throw AppErrors.wrongStatus(status);
    const metadata = { installs_purged: installsPurged };
    await recordAppAudit(em, { action: 'app.deleted', before: app, after: null, metadata });
    await enqueueAppRemoval(em, this.jobs, app);
    return { app_id: appId, status: 'deleted', installs_purged: installsPurged };
  }
}
