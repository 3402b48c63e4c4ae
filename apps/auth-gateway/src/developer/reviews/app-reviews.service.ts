import { Inject, Injectable } from '@nestjs/common';
import type {
  AppDeletedResponse,
  ApproveAppResponse,
  AppStatusResponse,
  DeleteAnyAppRequest,
  ListPendingAppsQuery,
  PendingAppResponse,
  RejectAppRequest,
  RejectAppResponse,
  SetAppStatusRequest,
} from '@platform/contracts';
import { userOf, type Caller } from '@platform/guards';
import { Outbox } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { APP_STATUSES } from '../app.entity.js';
import { AppDeletions, DELETABLE } from '../apps/app-deletions.js';
import type { ShownApp } from '../apps/app-response.js';
import { AppWriter } from '../apps/app-writer.js';
import { AppErrors } from '../apps/apps.errors.js';
import { listingChanges } from '../apps/listing-of-document.js';
import { lockAnyApp } from '../apps/lock-app.js';
import { assertRunsPlatform } from '../platform-only.js';

/** What those who run the platform decide about apps, whoever's they are. */
@Injectable()
export class AppReviews {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Outbox) private readonly outbox: Outbox,
    @Inject(AppWriter) private readonly writer: AppWriter,
    @Inject(AppDeletions) private readonly deletions: AppDeletions,
  ) {}

  /** Those that wait longest, first. */
  async pending(caller: Caller, { limit, offset }: ListPendingAppsQuery): Promise<PendingAppResponse[]> {
    assertRunsPlatform(caller);
    return this.dataSource.query<PendingAppResponse[]>(
      `SELECT app_id, display_name AS name, display_name, developer_id, short_description, description, category, git_url, submitted_at,
         submitted_version
       FROM apps WHERE status = 'pending_review' ORDER BY submitted_at, app_id LIMIT $1 OFFSET $2`,
      [limit, offset],
    );
  }

  /** Puts the app into the marketplace, in the version that was submitted. @throws AppError 403, 404, 409 unless it is in review. */
  approve(caller: Caller, appId: string): Promise<ApproveAppResponse> {
    return this.change(caller, appId, async (em, app) => {
      const { changes, version } = publication(app);
      const listing = await listingChanges(em, app, version);
      await this.writer.move(em, app, { action: 'app.approved', from: ['pending_review'], changes: { ...listing, ...changes } });
      return { app_id: appId, status: 'active', version };
    });
  }

  /** Makes it a draft again, of which nothing runs where they had suspended it. @throws AppError 403, 404, 409 unless it is in review. */
  reject(caller: Caller, appId: string, { reason }: RejectAppRequest): Promise<RejectAppResponse> {
    return this.change(caller, appId, async (em, app) => {
      const changes = { status: 'draft', rejectReason: reason } as const;
      await this.writer.move(em, app, { action: 'app.rejected', from: ['pending_review'], changes });
      return { app_id: appId, status: 'draft', reject_reason: reason };
    });
  }

  /**
   * From whatever status it has. What is suspended so stays stopped while its developer submits it again, until it is approved or has
   * another status set.
   *
   * @throws AppError 403, 404, 409 for making an app active that has no version that could run.
   */
  setStatus(caller: Caller, appId: string, { status }: SetAppStatusRequest): Promise<AppStatusResponse> {
    return this.change(caller, appId, async (em, app) => {
      const stoppedByPlatform = status === 'suspended';
      if (status !== app.status || stoppedByPlatform !== app.stoppedByPlatform) {
        const changes = status === 'active' ? publication(app).changes : { status, stoppedByPlatform };
        const by = userOf(caller);
        const move = { action: 'app.status_set', from: APP_STATUSES, changes };
        await this.writer.move(em, app, by?.userId === app.developerId ? { ...move, by } : move);
      }
      return { app_id: appId, status };
    });
  }

  /** @throws AppError 403, 404, 400 unless it is confirmed, 409 for an app in review or active unless it is forced. */
  delete(caller: Caller, appId: string, { confirm_name, force }: DeleteAnyAppRequest): Promise<AppDeletedResponse> {
    return this.change(caller, appId, (em, app) => this.deletions.delete(em, app, confirm_name, force ? APP_STATUSES : DELETABLE));
  }

  private async change<T>(caller: Caller, appId: string, change: (em: EntityManager, app: ShownApp) => Promise<T>): Promise<T> {
    assertRunsPlatform(caller);
    return this.outbox.transaction(async (em) => change(em, await lockAnyApp(em, appId)));
  }
}

/** What makes an app active: of one that is in review the version that was submitted, though another was deployed since. */
function publication(app: ShownApp) {
  const version = app.status === 'pending_review' ? app.submittedVersion : app.servedVersion;
  if (version === null) throw AppErrors.neverDeployed();
  const changes = {
    status: 'active',
    servedVersion: version,
    publishedAt: app.publishedAt ?? new Date(),
    rejectReason: null,
    stoppedByPlatform: false,
  } as const;
  return { version, changes };
}
