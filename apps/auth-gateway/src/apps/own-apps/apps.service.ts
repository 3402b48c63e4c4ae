import { Inject, Injectable } from '@nestjs/common';
import type {
  AppCreateRequest,
  AppDeletedResponse,
  AppDeleteRequest,
  AppDetailResponse,
  AppResponse,
  AppUpdateRequest,
  ListDeveloperAppsQuery,
  ListedAppResponse,
  WaitingVersion,
} from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { onViolation, Outbox } from '@platform/persistence';
import { DataSource, Not, type EntityManager } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';
import { AppVersion } from '../model/app-version.entity.js';
import { APP_IS_REVOKED, KEY_IS_INVALID } from '../reach/served-authority.js';
import { App } from '../model/app.entity.js';
import { Developer } from '../developers/developer.entity.js';
import { getTierSplit } from '../developers/developer-tiers.js';
import { DeveloperErrors } from '../developers/developers.errors.js';
import { lockDeveloper } from '../developers/lock-developer.js';
import { RetiredAppId } from '../model/retired-app-id.entity.js';
import { recordAppAudit } from '../model/app-audit.js';
import { assertAppChangesAllowed, findAppChanges, getRequestedFields } from './app-changes.js';
import { AppDeletionsService, DELETABLE } from './app-deletions.service.js';
import { SHOWN_COLUMNS, toAppResponse, type ShownApp } from '../model/app-response.js';
import { AppWebhooksService } from './app-webhooks.service.js';
import { AppUpdatesService } from './app-updates.service.js';
import { AppErrors } from '../model/apps.errors.js';
import { syncPrices } from '../prices/sync-prices.js';
import { lockOwnApp } from '../model/lock-app.js';
import { isReservedAppId } from './reserved-app-ids.js';

@Injectable()
export class AppsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly writer: AppUpdatesService,
    private readonly deletions: AppDeletionsService,
    private readonly webhooks: AppWebhooksService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Returns the apps of the caller, newest first, with their webhooks and the version that waits
   * for a review.
   *
   * @throws AppError 403 `developer.not_registered` if the caller is not a developer.
   */
  async listApps({ userId }: UserCaller, { limit, offset }: ListDeveloperAppsQuery): Promise<ListedAppResponse[]> {
    const em = this.dataSource.manager;
    if (!(await em.existsBy(Developer, { userId }))) throw DeveloperErrors.notRegistered();
    const order = { createdAt: 'DESC', appId: 'DESC' } as const;
    const apps = await em.find(App, {
      select: SHOWN_COLUMNS,
      where: { developerId: userId },
      order,
      take: limit,
      skip: offset,
    });
    const webhooks = await this.webhooks.findWebhooksByApp(apps.map(({ appId }) => appId));
    const waiting = await waitingVersions(
      em,
      apps.map(({ appId }) => appId),
    );
    return apps.map((app) =>
      Object.assign(toAppResponse(app), {
        webhooks: webhooks.get(app.appId) ?? [],
        waiting: waiting.get(app.appId) ?? null,
      }),
    );
  }

  /**
   * Returns an app of the caller, with the manifest of its served version and the reason if that
   * does not run.
   *
   * @throws AppError 404 `app.not_found` if there is no such app, or it belongs to another
   * developer.
   */
  async getApp({ userId }: UserCaller, appId: string): Promise<AppDetailResponse> {
    const em = this.dataSource.manager;
    const app = await em.findOne(App, { select: SHOWN_COLUMNS, where: { appId, developerId: userId } });
    if (!app) throw AppErrors.notFound();
    const version = app.servedVersion;
    const served =
      version === null ? null : await em.findOne(AppVersion, { select: { manifest: true }, where: { appId, version } });
    const manifest = served && { ...served.manifest };
    const shown = {
      tools_json: manifest?.tools ?? [],
      manifest_json: manifest,
      stopped_reason: await stoppedReason(em, app),
    };
    const webhooks = (await this.webhooks.findWebhooksByApp([appId])).get(appId) ?? [];
    const waiting = (await waitingVersions(em, [appId])).get(appId) ?? null;
    return Object.assign(toAppResponse(app), { webhooks, waiting }, shown);
  }

  /**
   * Creates an app as a draft. Its developer gets the share that their tier gives now.
   *
   * @throws AppError 400 `app.id_reserved`; 403 `developer.not_registered` if the caller is not a
   * developer, `app.too_many` if they have the maximum number of apps; 409 `app.id_taken` if an app
   * has the id, or a deleted app of another developer had it; ValidationFailed without a name.
   */
  createApp({ userId }: UserCaller, request: AppCreateRequest): Promise<AppResponse> {
    const { app_id: appId } = request;
    const { displayName, ...fields } = getRequestedFields(request);
    if (displayName === undefined) throw AppErrors.nameRequired();
    if (isReservedAppId(appId)) throw AppErrors.idReserved(appId);
    return this.dataSource.transaction(async (em) => {
      const developer = await lockDeveloper(em, userId);
      if (!developer) throw DeveloperErrors.notRegistered();
      const { max_apps: most } = this.config.DEVELOPER_TIER_LIMITS[developer.tier];
      const row = { appId, developerId: userId, displayName, ...fields, revenueSplitDev: getTierSplit(developer.tier) };
      await em.insert(App, row as object).catch(onViolation('apps_pkey', () => AppErrors.idTaken(appId)));
      // Checked after the insert, which waits for a concurrent deletion of an app with this id.
      if (await em.existsBy(RetiredAppId, { appId, developerId: Not(userId) })) throw AppErrors.idTaken(appId);
      // Checked last, so that of two requests for the same app the second is told that the id is in
      // use.
      if (most !== null && (await em.countBy(App, { developerId: userId })) > most)
        throw AppErrors.tooMany(developer.tier, most);
      await syncPrices(em, [appId]);
      const after = await em.findOneOrFail(App, { select: SHOWN_COLUMNS, where: { appId } });
      await recordAppAudit(em, { action: 'app.created', before: null, after });
      return toAppResponse(after);
    });
  }

  /**
   * Changes an app of the caller and returns it. Missing fields stay as they are.
   *
   * @throws AppError 400 `app.split_too_high` for a share above the tier's; 404 `app.not_found` if
   * there is no such app, or it belongs to another developer; 409 `app.pricing_fixed` or
   * `app.name_fixed` for prices, the share or the name of an app that is in review or active.
   */
  updateApp({ userId }: UserCaller, appId: string, request: AppUpdateRequest): Promise<AppResponse> {
    return this.outbox.transaction(async (em) => {
      const before = await lockOwnApp(em, appId, userId);
      const changes = findAppChanges(before, request);
      if (!Object.keys(changes).length) return toAppResponse(before);
      const { tier } = await em.findOneByOrFail(Developer, { userId });
      assertAppChangesAllowed(before, changes, getTierSplit(tier));
      return toAppResponse(await this.writer.applyChanges(em, before, changes, 'app.updated'));
    });
  }

  /**
   * Deletes a draft or a suspended app of the caller, with all its versions and installs.
   *
   * @throws AppError 400 `app.not_confirmed` if `confirm_name` is not the app's id; 404
   * `app.not_found` if there is no such app, or it belongs to another developer; 409
   * `app.wrong_status` for an app that is in review or active, `app.stopped_by_platform` if the
   * operator suspended it.
   */
  deleteApp({ userId }: UserCaller, appId: string, { confirm_name }: AppDeleteRequest): Promise<AppDeletedResponse> {
    return this.outbox.transaction(async (em) => {
      const app = await lockOwnApp(em, appId, userId);
      if (app.stoppedByPlatform) throw AppErrors.stoppedByPlatform();
      return this.deletions.deleteLockedApp(em, app, confirm_name, DELETABLE);
    });
  }
}

/** Versions that wait for a review, by app id. An app without one is missing. */
async function waitingVersions(em: EntityManager, appIds: readonly string[]): Promise<Map<string, WaitingVersion>> {
  const rows = await em.query<(WaitingVersion & { app_id: string })[]>(
    `SELECT app_id, version, finished_at AS since, waits_for FROM deploys WHERE app_id = ANY ($1) AND status = 'waiting'`,
    [appIds],
  );
  return new Map(rows.map(({ app_id, ...waiting }) => [app_id, waiting]));
}

/**
 * Reason why the served version does not run, for the developer; null if it runs, or there is none.
 */
async function stoppedReason(
  em: EntityManager,
  { appId, status, stoppedByPlatform, servedVersion }: ShownApp,
): Promise<string | null> {
  if (status === 'active' || servedVersion === null) return null;
  if (stoppedByPlatform) return STOPPED.byPlatform;
  if (status === 'suspended') return STOPPED.suspended;
  const [app] = await em.query<{ is_key_gone: boolean; is_app_gone: boolean }[]>(
    `SELECT ${KEY_IS_INVALID} AS is_key_gone, ${APP_IS_REVOKED} AS is_app_gone FROM apps a WHERE a.app_id = $1`,
    [appId],
  );
  if (app?.is_key_gone) return STOPPED.keyGone;
  return app?.is_app_gone ? STOPPED.appGone : null;
}

const STOPPED = {
  byPlatform: 'The operator of the platform suspended it. Submit it: it runs again when the operator approves it.',
  suspended: 'It is suspended. Submit it to have it reviewed and run again.',
  appGone:
    'An app that deployed or suspended it can no longer act for you. Sign in and deploy it again, or install that app again.',
  keyGone:
    'The API key that deployed or suspended it was deleted or has expired. Sign in and deploy it again, or deploy it with another key.',
};
