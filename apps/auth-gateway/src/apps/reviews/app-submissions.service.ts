import { Injectable } from '@nestjs/common';
import type { AppStatusResponse, AppSubmitResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { Outbox } from '@platform/persistence';
import { DeployCompletionService } from '../deploys/saga/deploy-completion.service.js';
import { AppUpdatesService } from '../own-apps/app-updates.service.js';
import { lockOwnApp } from '../model/lock-app.js';
import { computeReviewedSha256 } from '../model/reviewed-content.js';
import { AppReviewErrors } from './app-reviews.errors.js';
import { checkSubmission, SUBMITTABLE } from './submission-checks.js';

/** Changes of the status by developers. */
@Injectable()
export class AppSubmissionsService {
  constructor(
    private readonly outbox: Outbox,
    private readonly writer: AppUpdatesService,
    private readonly ends: DeployCompletionService,
  ) {}

  /**
   * Submits the served version for review; later deploys do not change the reviewed version.
   *
   * @throws AppError 404 `app.not_found` if there is no such app, or it belongs to another
   * developer; 409 `app.not_ready` with the checks if a required one fails, for example if the app
   * is in review or active.
   */
  submitApp({ userId }: UserCaller, appId: string): Promise<AppSubmitResponse> {
    return this.outbox.transaction(async (em) => {
      const app = await lockOwnApp(em, appId, userId);
      const checks = await checkSubmission(em, app);
      const version = app.servedVersion;
      if (version === null || checks.some(({ ok, required }) => required && !ok))
        throw AppReviewErrors.notReady(checks);
      const submittedAt = new Date();
      const submittedSha256 = await computeReviewedSha256(em, appId, version);
      const reviewsNameContent =
        app.reviewsNameContent || (app.submittedAt !== null && !app.submittedSha256?.equals(submittedSha256));
      const { app: submitted } = await this.writer.changeStatus(em, app, {
        action: 'app.submitted',
        from: SUBMITTABLE,
        changes: {
          status: 'pending_review',
          submittedAt,
          submittedVersion: version,
          submittedSha256,
          reviewsNameContent,
          rejectReason: null,
        },
      });
      return { app_id: appId, status: submitted.status, submitted_at: submittedAt, version, checks };
    });
  }

  /**
   * Withdraws an app from review or from the marketplace: its status becomes `suspended`.
   *
   * @throws AppError 404 `app.not_found` if there is no such app, or it belongs to another
   * developer; 409 `app.wrong_status` for an app that is neither in review nor active.
   */
  async suspendApp(developer: UserCaller, appId: string): Promise<AppStatusResponse> {
    const { app, end } = await this.outbox.transaction(async (em) => {
      const from = ['pending_review', 'active'] as const;
      const changes = { status: 'suspended' } as const;
      return this.writer.changeStatus(em, await lockOwnApp(em, appId, developer.userId), {
        action: 'app.suspended',
        from,
        changes,
        by: developer,
      });
    });
    await this.ends.notifyDeployEnd(end);
    return { app_id: appId, status: app.status };
  }
}
