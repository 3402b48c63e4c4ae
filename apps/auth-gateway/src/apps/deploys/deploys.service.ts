import { Injectable } from '@nestjs/common';
import type { CreateDeployRequest, DeployResponse, DeployStatus, ListDeploysQuery } from '@platform/contracts';
import { lastingNarrowing, userOf, type Caller, type Narrowing, type UserCaller } from '@platform/guards';
import { JobsService } from '@platform/messaging';
import { Outbox, type Row } from '@platform/persistence';
import { newId } from '@platform/platform';
import { isDeepStrictEqual } from 'node:util';
import { DataSource, type EntityManager } from 'typeorm';
import { publishDeployChanges } from './versions/deploy-events.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { AppVersion } from '../model/app-version.entity.js';
import { AppErrors } from '../model/apps.errors.js';
import {
  lockAppForDeploy,
  getCallerName,
  getDeveloperReach,
  type LockedApp,
  type DeveloperReach,
} from '../model/developer-reach.js';
import { deployQueue } from './versions/deploy.jobs.js';
import { DEPLOY_COLUMNS, isUnfinished, toDeployResponse, type DeployRow } from './versions/deploy-response.js';
import { DeployErrors } from './versions/deploys.errors.js';
import { DocumentCheckService } from './documents/document-check.service.js';
import {
  documentRefusedError,
  toDeployableDocument,
  type DeployableDocument,
} from './documents/deployable-document.js';
import { IS_UNFINISHED } from './versions/unfinished-deploys.js';
import { assertVersionExists, ensureVersionExists, storeVersion, type NewVersion } from './versions/versions.js';

interface NewDeploy {
  version: string | null;
  requestedBy: string;
  /** Limit for acting in the name of the developer; null: all permissions of the developer. */
  narrowing?: Narrowing | null;
  changelog?: string | undefined;
  warnings?: string[];
}

/** Accepts and shows deploys; `DeploySagaWorker` runs them. */
@Injectable()
export class DeploysService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly jobs: JobsService,
    private readonly checker: DocumentCheckService,
  ) {}

  /**
   * Starts the deploy of a version and returns before it has ended. If the request has
   * `commit_sha`, `status` or `error_message`, it records a deploy that an external pipeline has
   * finished instead.
   *
   * @throws AppError 403 `other_user` if a user sends the `user_id` of another user,
   * `deploy.record_forbidden` if a user records a deploy; 404 `app.not_found` if there is no such
   * app or the caller cannot access it; 409 `deploy.version_unknown`, or `deploy.version_taken` if
   * the version has other content and cannot change; 429 or 503 if too many documents wait for a
   * check; ValidationFailed for an invalid document or a missing version.
   */
  async createDeploy(caller: Caller, appId: string, request: CreateDeployRequest): Promise<DeployResponse> {
    const reach = getDeveloperReach(caller, request.user_id);
    const { commit_sha, status, error_message } = request;
    const isRecord = commit_sha !== undefined || status !== undefined || error_message !== undefined;
    const row = await (isRecord
      ? this.recordExternalDeploy(caller, appId, reach, request)
      : this.requestDeploy(caller, appId, reach, request));
    return toDeployResponse(row);
  }

  /**
   * Returns the deploys of an app, newest first.
   *
   * @throws AppError 403 `other_user` if a user sends the `user_id` of another user; 404
   * `app.not_found` if there is no such app or the caller cannot access it.
   */
  async listDeploys(
    caller: Caller,
    appId: string,
    { limit, offset, user_id }: ListDeploysQuery,
  ): Promise<DeployResponse[]> {
    await this.assertAppVisible(caller, appId, user_id);
    const rows = await this.dataSource.query<DeployRow[]>(
      `SELECT ${DEPLOY_COLUMNS} FROM deploys WHERE app_id = $1 ORDER BY number DESC LIMIT $2 OFFSET $3`,
      [appId, limit, offset],
    );
    return rows.map(toDeployResponse);
  }

  /**
   * Returns a deploy of an app.
   *
   * @throws AppError 404 `app.not_found` if there is no such app or the caller cannot access it;
   * 404 `deploy.not_found`.
   */
  async getDeploy(caller: Caller, appId: string, deployId: string): Promise<DeployResponse> {
    await this.assertAppVisible(caller, appId);
    const [row] = await this.dataSource.query<DeployRow[]>(
      `SELECT ${DEPLOY_COLUMNS} FROM deploys WHERE app_id = $1 AND deploy_id = $2`,
      [appId, deployId],
    );
    if (!row) throw DeployErrors.notFound();
    return toDeployResponse(row);
  }

  /**
   * Starts the deploy of a document of the developer's own app. Starts none but returns the newest
   * deploy if that has the same document, is in progress, waits for a review or is served, and has
   * no limit of permissions or the same limit. So a retry has no second effect, and of different
   * documents the last one wins.
   *
   * @throws AppError 404 `app.not_found` if there is no such app or it belongs to another
   * developer; 409 `deploy.version_taken` if the version has other content and cannot change;
   * ValidationFailed if its manifest is too large or it requests too many scopes.
   */
  deployDocument(
    developer: UserCaller,
    appId: string,
    { warnings, ...document }: DeployableDocument,
  ): Promise<DeployRow> {
    const { userId: requestedBy } = developer;
    const narrowing = lastingNarrowing(developer);
    return this.outbox.transaction(async (em) => {
      const app = await lockAppForDeploy(em, appId, requestedBy);
      const { version } = document;
      const isNew = await storeVersion(em, app, document, narrowing);
      const [newest] = await em.query<DeployRow[]>(
        `SELECT ${DEPLOY_COLUMNS} FROM deploys
         WHERE app_id = $1 AND (${IS_UNFINISHED} OR status = 'waiting' OR status = 'success' AND held_at IS NOT NULL)
         ORDER BY number DESC LIMIT 1`,
        [appId],
      );
      // Compares with `served_version`, because a review can change that too.
      const isThat =
        !isNew &&
        newest?.version === version &&
        (isUnfinished(newest) || newest.status === 'waiting' || app.served_version === version);
      const isAhead = newest && (isUnfinished(newest) || newest.status === 'waiting');
      const reaches = isAhead ? newest.narrowing : await findServedNarrowing(em, app);
      const isAsFree = !reaches || isDeepStrictEqual(reaches, narrowing);
      if (!isThat || !isAsFree) return this.start(em, app, { version, requestedBy, narrowing, warnings });
      // A repeated request retries a failed attempt now, without waiting for the backoff.
      if (isUnfinished(newest) && newest.failed_attempts) await this.enqueue(em, app, newest);
      return newest;
    });
  }

  /**
   * Stores a version and starts its deploy. Starts none if the stored content is the same, and the
   * version is served, being deployed, or waits for a review. The transaction must have locked the
   * app.
   *
   * @returns true if a deploy was started.
   * @throws AppError 409 `deploy.version_taken` if the version exists with other content and cannot
   * change; ValidationFailed if the manifest is too large or requests too many scopes.
   */
  async startUnlessServed(
    em: EntityManager,
    app: LockedApp,
    version: NewVersion,
    deploy: Omit<NewDeploy, 'version'>,
  ): Promise<boolean> {
    const isNew = await storeVersion(em, app, version, deploy.narrowing ?? null);
    const [underWay] = await em.query<unknown[]>(
      `SELECT 1 FROM deploys WHERE app_id = $1 AND version = $2 AND (${IS_UNFINISHED} OR status = 'waiting')`,
      [app.app_id, version.version],
    );
    if (!isNew && (underWay || app.served_version === version.version)) return false;
    await this.start(em, app, { ...deploy, version: version.version });
    return true;
  }

  async isDeveloperOf(developer: string, appId: string): Promise<boolean> {
    const [app] = await this.dataSource.query<unknown[]>('SELECT 1 FROM apps WHERE app_id = $1 AND developer_id = $2', [
      appId,
      developer,
    ]);
    return app !== undefined;
  }

  private async start(em: EntityManager, app: LockedApp, deploy: NewDeploy): Promise<DeployRow> {
    const { warnings = [], narrowing = null } = deploy;
    const row = await insert(em, app, {
      ...deploy,
      warnings: [...warnings, ...describeNarrowing(app, narrowing)],
      status: 'pending',
    });
    await this.enqueue(em, app, row);
    return row;
  }

  private async enqueue(
    em: EntityManager,
    { developer_id: owner }: LockedApp,
    { deploy_id }: DeployRow,
  ): Promise<void> {
    await this.jobs.enqueue(em, deployQueue, 'run', { deploy_id, owner });
  }

  private async requestDeploy(
    caller: Caller,
    appId: string,
    reach: DeveloperReach,
    request: CreateDeployRequest,
  ): Promise<DeployRow> {
    const sent = request.ir_dict && (await this.checkDocument(caller, appId, reach, request.ir_dict));
    const version = request.version ?? sent?.version;
    if (version === undefined) throw DeployErrors.versionMissing();
    if (sent && sent.version !== version) throw DeployErrors.versionDiffers();
    const user = userOf(caller);
    const narrowing = user ? lastingNarrowing(user) : null;
    return this.outbox.transaction(async (em) => {
      const app = await lockAppForDeploy(em, appId, reach);
      if (sent) await storeVersion(em, app, sent, narrowing);
      const warnings = sent?.warnings ?? (await ensureVersionExists(em, app, version, narrowing));
      return this.start(em, app, {
        version,
        requestedBy: getCallerName(caller),
        narrowing,
        changelog: request.changelog,
        warnings,
      });
    });
  }

  /**
   * Checks a document for an app that the caller can access. The app is checked first, because the
   * check of a document takes CPU time that all developers share.
   *
   * @throws AppError 404 `app.not_found` if there is no such app or the caller cannot access it;
   * 429 `too_much_waiting` or 503 if too many documents wait for a check; ValidationFailed with all
   * issues of the document.
   */
  private async checkDocument(
    caller: Caller,
    appId: string,
    reach: DeveloperReach,
    sent: object,
  ): Promise<DeployableDocument> {
    const [app] = await this.dataSource.query<unknown[]>(
      'SELECT 1 FROM apps WHERE app_id = $1 AND ($2::text IS NULL OR developer_id = $2)',
      [appId, reach],
    );
    if (!app) throw AppErrors.notFound();
    const checked = await this.checker.checkDocument(getCallerName(caller), { json: JSON.stringify(sent), appId });
    if (!checked.ok) throw documentRefusedError(checked.issues);
    return toDeployableDocument(checked);
  }

  private recordExternalDeploy(
    caller: Caller,
    appId: string,
    reach: DeveloperReach,
    request: CreateDeployRequest,
  ): Promise<DeployRow> {
    if (userOf(caller)) throw DeployErrors.recordForbidden();
    const { version = null, status = 'success', changelog, commit_sha, error_message } = request;
    return this.dataSource.transaction(async (em) => {
      const app = await lockAppForDeploy(em, appId, reach);
      if (version !== null) await assertVersionExists(em, app, version);
      return insert(em, app, {
        version,
        requestedBy: getCallerName(caller),
        changelog,
        status,
        commitSha: commit_sha,
        errorMessage: error_message,
      });
    });
  }

  private async assertAppVisible(caller: Caller, appId: string, named?: string): Promise<void> {
    const [app] = await this.dataSource.query<unknown[]>(
      'SELECT 1 FROM apps WHERE app_id = $1 AND ($2::text IS NULL OR developer_id = $2)',
      [appId, getDeveloperReach(caller, named)],
    );
    if (!app) throw AppErrors.notFound();
  }
}

/**
 * Returns a warning that the permissions of a deploy are limited. Without it the developer would
 * notice only when a call is refused. Empty if there is no limit, or the app is published.
 */
function describeNarrowing({ status }: LockedApp, narrowing: Narrowing | null): string[] {
  if (!narrowing || status === 'active') return [];
  const { key, apps = [] } = narrowing;
  const by = [];
  const limits = [];
  const ends = [];
  if (key) {
    by.push('an API key');
    limits.push('the key has');
    ends.push('the key is deleted or expires');
  }
  if (apps.length) {
    const one = apps.length === 1;
    by.push(one ? 'an app' : 'several apps');
    limits.push(one ? 'the app has' : 'each of the apps has');
    ends.push(`${one ? 'the app' : 'one of the apps'} can no longer act for you`);
  }
  // The only other source of a limit: an automation of the developer.
  if (!by.length) {
    by.push('an automation');
    limits.push('the automation has');
  }
  const who = by.join(' and ');
  const end = ends.length ? `, and stops when ${ends.join(', or ')}` : '';
  return [
    `${who.charAt(0).toUpperCase()}${who.slice(1)} deployed this version. Until you sign in and deploy it yourself, or it is in the marketplace, ` +
      `it acts for you only with permissions that ${limits.join(' and ')}${end}.`,
  ];
}

async function findServedNarrowing(
  em: EntityManager,
  { app_id, served_version }: LockedApp,
): Promise<Narrowing | null> {
  const [served] = await em.query<Row<AppVersion, 'narrowing'>[]>(
    'SELECT narrowing FROM app_versions WHERE app_id = $1 AND version = $2',
    [app_id, served_version],
  );
  return served?.narrowing ?? null;
}

interface InsertedDeploy extends NewDeploy {
  status: DeployStatus;
  commitSha?: string | undefined;
  errorMessage?: string | undefined;
}

async function insert(em: EntityManager, app: LockedApp, deploy: InsertedDeploy): Promise<DeployRow> {
  const {
    version,
    requestedBy,
    narrowing = null,
    changelog = '',
    warnings = [],
    status,
    commitSha,
    errorMessage = '',
  } = deploy;
  const [row] = await em.query<DeployRow[]>(
    `INSERT INTO deploys (deploy_id, app_id, number, version, changelog, warnings, status, commit_sha, error_message, requested_by, narrowing,
       finished_at)
     SELECT $1, $2, coalesce(max(number), 0) + 1, $3, $4, $5, $6, $7, $8, $9, $10, CASE WHEN $6 <> 'pending' THEN now() END
     FROM deploys WHERE app_id = $2 RETURNING ${DEPLOY_COLUMNS}`,
    [
      newId('dep'),
      app.app_id,
      version,
      changelog,
      warnings,
      status,
      commitSha,
      errorMessage,
      requestedBy,
      narrowing && JSON.stringify(narrowing),
    ],
  );
  const created = row as DeployRow;
  await recordAudit(em, {
    action: status === 'pending' ? 'app.deploy_requested' : 'app.deploy_recorded',
    target: { type: 'app', id: app.app_id },
    tenantId: app.tenant_id,
    after: {
      deploy_id: created.deploy_id,
      version,
      status,
      ...(commitSha && { commit_sha: commitSha }),
      ...(narrowing && { narrowing }),
    },
  });
  await publishDeployChanges(em, [created.deploy_id]);
  return created;
}
