import type { AppDocument } from '@platform/app-document';
import { Injectable } from '@nestjs/common';
import type {
  AppDeletedResponse,
  ApproveAppRequest,
  ApproveAppResponse,
  AppStatusResponse,
  DeleteAnyAppRequest,
  ListPendingAppsQuery,
  NamedContent,
  PendingAppResponse,
  PendingContentResponse,
  RejectAppRequest,
  RejectAppResponse,
  SetAppStatusRequest,
  ShowPendingAppQuery,
} from '@platform/contracts';
import { userOf, type Caller } from '@platform/guards';
import { columns, Outbox, type RowOf } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { Deploy } from '../deploys/versions/deploy.entity.js';
import { AppVersion } from '../model/app-version.entity.js';
import { findDocumentIcon } from '../deploys/documents/icons.js';
import { DeployCompletionService, type DeployEnd } from '../deploys/saga/deploy-completion.service.js';
import { DeveloperNoticesService } from '../deploys/versions/developer-notices.service.js';
import { APP_STATUSES } from '../model/app.entity.js';
import { AppDeletionsService, DELETABLE } from '../own-apps/app-deletions.service.js';
import type { ShownApp } from '../model/app-response.js';
import { AppUpdatesService } from '../own-apps/app-updates.service.js';
import { AppErrors } from '../model/apps.errors.js';
import { findListingChanges } from '../model/listing-changes.js';
import { lockAnyApp } from '../model/lock-app.js';
import { assertPlatformCaller } from '../../organisation/current-tenant/platform-callers.js';
import { PENDING, PENDING_COLUMNS, toReviewedContent, type PendingRow } from './pending-content.js';
import { computeReviewedSha256 } from '../model/reviewed-content.js';
import { AppReviewErrors } from './app-reviews.errors.js';

/** Decisions of the operator about apps of all developers, except system apps. */
@Injectable()
export class AppReviewsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly writer: AppUpdatesService,
    private readonly deletions: AppDeletionsService,
    private readonly ends: DeployCompletionService,
    private readonly notices: DeveloperNoticesService,
  ) {}

  /**
   * Returns the apps and the versions that wait for a review, longest waiting first.
   *
   * @throws AppError 403 `insufficient_scope` if the caller is neither an administrator of the
   * platform nor a trusted backend.
   */
  async listPendingApps(caller: Caller, { limit, offset }: ListPendingAppsQuery): Promise<PendingAppResponse[]> {
    assertPlatformCaller(caller);
    return this.dataSource.query<PendingAppResponse[]>(
      `SELECT ${PENDING_COLUMNS} FROM ${PENDING} ORDER BY w.submitted_at, w.app_id LIMIT $1 OFFSET $2`,
      [limit, offset],
    );
  }

  /**
   * Returns the content of an app that waits for a review, as it would be published.
   *
   * @throws AppError 403 `insufficient_scope` if the caller is neither an administrator of the
   * platform nor a trusted backend; 404 `app.nothing_waits` if nothing of the app waits for a
   * review, or not this version.
   */
  async getPendingApp(
    caller: Caller,
    appId: string,
    { version }: ShowPendingAppQuery,
  ): Promise<PendingContentResponse> {
    assertPlatformCaller(caller);
    const [row] = await this.dataSource.query<PendingRow[]>(
      `SELECT ${PENDING_COLUMNS}, v.requested_scopes, a.icon_svg, v.document, v.manifest
       FROM ${PENDING} WHERE w.app_id = $1 AND w.submitted_version = coalesce($2, w.submitted_version)`,
      [appId, version ?? null],
    );
    if (!row) throw AppReviewErrors.nothingWaits(appId);
    return { ...row, ...toReviewedContent(row) };
  }

  /**
   * Publishes the submitted version of an app in review. For an app in the marketplace, serves the
   * version that waits for a review.
   *
   * @param named version and hash of the content that the reviewer looked at. Both can be missing
   * while the app's first submission is in review with its first content.
   * @throws AppError 403 `insufficient_scope` if the caller is neither an administrator of the
   * platform nor a trusted backend, `app.system` for a system app; 404 `app.not_found`; 409
   * `app.wrong_status` or `app.never_deployed` if nothing is in review, `app.review_changed` if
   * `named` is not the present content, `app.review_content_missing` if it is missing and
   * necessary.
   */
  async approveApp(caller: Caller, appId: string, named: ApproveAppRequest): Promise<ApproveAppResponse> {
    const { answer, end } = await this.changeApp<Decided<ApproveAppResponse>>(caller, appId, async (em, app) => {
      const waiting = await lockWaitingDeploy(em, app);
      await assertContentReviewed(em, app, waiting, named);
      if (waiting) {
        const served = { ...waiting, from: WAITING, iconSvg: await findDocumentIcon(waiting.document) };
        const end = await this.ends.serveVersion(em, app, served, (changes) => {
          const approved = { ...changes, status: 'active', rejectReason: null } as const;
          return this.writer.changeStatus(em, app, {
            action: 'app.version_approved',
            from: ['active'],
            changes: approved,
          });
        });
        return { answer: { app_id: appId, status: 'active', version: waiting.version }, end };
      }
      const { changes, version } = publication(app);
      const listing = await findListingChanges(em, app, version);
      await this.writer.changeStatus(em, app, {
        action: 'app.approved',
        from: ['pending_review'],
        changes: { ...listing, ...changes },
      });
      await this.notices.notifyOfReview(em, app, { kind: 'published' });
      return { answer: { app_id: appId, status: 'active', version }, end: null };
    });
    await this.ends.notifyDeployEnd(end);
    return answer;
  }

  /**
   * Rejects an app in review: it becomes a draft, which does not run if the operator had suspended
   * it. For an app in the marketplace, rejects the version that waits; the served version stays.
   *
   * @param named version and hash of the content that the reviewer looked at. Both can be missing
   * while the app's first submission is in review with its first content.
   * @throws AppError 403 `insufficient_scope` if the caller is neither an administrator of the
   * platform nor a trusted backend, `app.system` for a system app; 404 `app.not_found`; 409
   * `app.wrong_status` if nothing is in review, `app.review_changed` if `named` is not the present
   * content, `app.review_content_missing` if it is missing and necessary.
   */
  async rejectApp(caller: Caller, appId: string, { reason, ...named }: RejectAppRequest): Promise<RejectAppResponse> {
    const { answer, end } = await this.changeApp<Decided<RejectAppResponse>>(caller, appId, async (em, app) => {
      const waiting = await lockWaitingDeploy(em, app);
      await assertContentReviewed(em, app, waiting, named);
      if (waiting) {
        const changes = { status: 'active', rejectReason: reason } as const;
        await this.writer.changeStatus(em, app, { action: 'app.version_rejected', from: ['active'], changes });
        const end = await this.ends.failDeploy(
          em,
          { ...waiting, from: WAITING },
          `The review did not approve it: ${reason}`,
        );
        return { answer: { app_id: appId, status: 'active', reject_reason: reason }, end };
      }
      const changes = { status: 'draft', rejectReason: reason } as const;
      await this.writer.changeStatus(em, app, { action: 'app.rejected', from: ['pending_review'], changes });
      await this.notices.notifyOfReview(em, app, { kind: 'sent_back', reason });
      return { answer: { app_id: appId, status: 'draft', reject_reason: reason }, end: null };
    });
    await this.ends.notifyDeployEnd(end);
    return answer;
  }

  /**
   * Sets any status from any other. An app that the operator suspends does not run, even if its
   * developer submits it again, until it is approved or gets another status.
   *
   * Activation needs no named content in three cases: the content was in the marketplace when the
   * app left it, it is in review for the first time, or the app was never in either. Otherwise the
   * content must be named, as for an approval.
   *
   * @throws AppError 403 `insufficient_scope` if the caller is neither an administrator of the
   * platform nor a trusted backend, `app.system` for a system app; 404 `app.not_found`; 409
   * `app.never_deployed` if an app without a deployed version is activated,
   * `app.review_content_missing` if the content must be named, `app.review_changed` if the named
   * content is another.
   */
  async setAppStatus(
    caller: Caller,
    appId: string,
    { status, ...named }: SetAppStatusRequest,
  ): Promise<AppStatusResponse> {
    const end = await this.changeApp(caller, appId, async (em, app) => {
      const stoppedByPlatform = status === 'suspended';
      if (status === app.status && stoppedByPlatform === app.stoppedByPlatform) return null;
      if (status === 'active') await assertActivationAllowed(em, app, named);
      const changes = status === 'active' ? publication(app).changes : { status, stoppedByPlatform };
      const by = userOf(caller);
      const move = { action: 'app.status_set', from: APP_STATUSES, changes };
      return (await this.writer.changeStatus(em, app, by?.userId === app.developerId ? { ...move, by } : move)).end;
    });
    await this.ends.notifyDeployEnd(end);
    return { app_id: appId, status };
  }

  /**
   * Deletes an app with all its versions and installs.
   *
   * @throws AppError 400 `app.not_confirmed` if `confirm_name` is not the app's id; 403
   * `insufficient_scope` if the caller is neither an administrator of the platform nor a trusted
   * backend, `app.system` for a system app; 404 `app.not_found`; 409 `app.wrong_status` for an app
   * in review or active, unless `force` is set.
   */
  deleteAnyApp(
    caller: Caller,
    appId: string,
    { confirm_name, force }: DeleteAnyAppRequest,
  ): Promise<AppDeletedResponse> {
    return this.changeApp(caller, appId, (em, app) =>
      this.deletions.deleteLockedApp(em, app, confirm_name, force ? APP_STATUSES : DELETABLE),
    );
  }

  private async changeApp<T>(
    caller: Caller,
    appId: string,
    change: (em: EntityManager, app: ShownApp) => Promise<T>,
  ): Promise<T> {
    assertPlatformCaller(caller);
    return this.outbox.transaction(async (em) => change(em, await lockAnyApp(em, appId)));
  }
}

/** Answer of a decision, and the deploy that it ended. */
interface Decided<Answer> {
  answer: Answer;
  end: DeployEnd | null;
}

const WAITING_DEPLOY = columns(Deploy, ['deployId', 'number'], 'd');
const VERSION_COLUMNS = columns(AppVersion, ['version'], 'v');

interface WaitingDeploy extends RowOf<typeof WAITING_DEPLOY>, RowOf<typeof VERSION_COLUMNS> {
  document: AppDocument | null;
}

const WAITING = ['waiting'] as const;

/**
 * Checks that `named` is the content in review. Does nothing if no content is in review.
 *
 * @throws AppError 409 `app.review_changed` if it is other content, `app.review_content_missing` if
 * it is missing, and other content was ever in review or a version of a published app waits.
 */
async function assertContentReviewed(
  em: EntityManager,
  app: ShownApp,
  waiting: WaitingDeploy | null,
  named: NamedContent,
): Promise<void> {
  if (waiting) {
    assertContentNamed(await contentOf(em, app, waiting.version), named, () => false);
    return;
  }
  const { status, submittedVersion } = app;
  // nothing to decide: the caller refuses the decision
  if (status !== 'pending_review' || submittedVersion === null) return;
  assertContentNamed(await contentOf(em, app, submittedVersion), named, (content) => isFirstReview(app, content));
}

/**
 * Checks that the operator can activate the app without a review of its present content, or has
 * named this content.
 *
 * @throws AppError 409 `app.never_deployed` without a version, `app.review_changed` if `named` is
 * other content, `app.review_content_missing` if it is missing and necessary.
 */
async function assertActivationAllowed(em: EntityManager, app: ShownApp, named: NamedContent): Promise<void> {
  const { version } = publication(app);
  const isNew = !app.reviewsNameContent && app.submittedAt === null && app.publishedAt === null;
  assertContentNamed(await contentOf(em, app, version), named, (content) => {
    if (isNew || isFirstReview(app, content)) return true;
    return app.status !== 'pending_review' && app.publishedSha256?.equals(content) === true;
  });
}

const contentOf = async (em: EntityManager, { appId }: ShownApp, version: string) => ({
  version,
  sha256: await computeReviewedSha256(em, appId, version),
});

/**
 * True if this content was submitted last, and no other content was ever in review under this id.
 */
const isFirstReview = ({ submittedSha256, reviewsNameContent }: ShownApp, content: Buffer): boolean =>
  !reviewsNameContent && submittedSha256?.equals(content) === true;

/**
 * Checks that `named` is this content. `named` can be incomplete if `isKnown`.
 *
 * @param isKnown true if a decision without a name can mean only this content.
 * @throws AppError 409 `app.review_changed` if it is other content, `app.review_content_missing` if
 * the version or the hash is missing and not `isKnown`.
 */
function assertContentNamed(
  { version, sha256 }: { version: string; sha256: Buffer },
  named: NamedContent,
  isKnown: (sha256: Buffer) => boolean,
): void {
  const now = { version, sha256: sha256.toString('hex') };
  if ((named.version ?? version) !== version || (named.sha256 ?? now.sha256) !== now.sha256)
    throw AppReviewErrors.changed(now);
  const isNamed = named.version !== undefined && named.sha256 !== undefined;
  if (!isNamed && !isKnown(sha256)) throw AppReviewErrors.contentMissing(now);
}

/**
 * Locks and returns the deploy that waits for a review. The app is locked, so no deploy can end
 * meanwhile. Null if the app is not active or no deploy waits.
 */
async function lockWaitingDeploy(em: EntityManager, { appId, status }: ShownApp): Promise<WaitingDeploy | null> {
  if (status !== 'active') return null;
  const [waiting] = await em.query<WaitingDeploy[]>(
    `SELECT ${WAITING_DEPLOY}, ${VERSION_COLUMNS}, v.document FROM deploys d JOIN app_versions v ON v.app_id = d.app_id AND v.version = d.version
     WHERE d.app_id = $1 AND d.status = 'waiting' FOR NO KEY UPDATE OF d`,
    [appId],
  );
  return waiting ?? null;
}

/**
 * Returns the changes that activate an app, and the version that it then serves: for an app in
 * review the submitted version, even if another one was deployed since; otherwise the served
 * version.
 *
 * @throws AppError 409 `app.never_deployed` if there is no such version.
 */
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
