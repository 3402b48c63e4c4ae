import { Injectable } from '@nestjs/common';
import type { CreateDeployRequest, DeployResponse, DeployStatus, ListDeploysQuery } from '@platform/contracts';
import { lastingNarrowing, userOf, type Caller, type Narrowing, type UserCaller } from '@platform/guards';
import { Jobs } from '@platform/messaging';
import { Outbox, type Row } from '@platform/persistence';
import { newId } from '@platform/platform';
import { isDeepStrictEqual } from 'node:util';
import { DataSource, type EntityManager } from 'typeorm';
import { publishDeployChanges } from './versions/deploy-events.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { AppVersion } from '../model/app-version.entity.js';
import { AppErrors } from '../model/apps.errors.js';
import { lockAppForDeploy, nameOf, developerReachOf, type LockedApp, type DeveloperReach } from '../model/apps-of-developers.js';
import { deployQueue } from './versions/deploy.jobs.js';
import { DEPLOY_COLUMNS, isUnfinished, toDeployResponse, type DeployRow } from './versions/deploy-response.js';
import { DeployErrors } from './versions/deploys.errors.js';
import { DocumentChecker } from './documents/document-checker.js';
import { documentRefused, goodDocument, type GoodDocument } from './documents/sent-document.js';
import { IS_UNFINISHED } from './versions/unfinished.js';
import { assertVersion, requireVersion, storeVersion, type NewVersion } from './versions/versions.js';

interface NewDeploy {
  version: string | null;
  requestedBy: string;
  /** As far as what is deployed may act for the developer; null: as they may themselves. */
  narrowing?: Narrowing | null;
  changelog?: string | undefined;
  warnings?: string[];
}

/** Deploys as they are asked for and shown; `DeploySaga` does them. */
@Injectable()
export class Deploys {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly jobs: Jobs,
    private readonly checker: DocumentChecker,
  ) {}

  /**
   * Asks for the deploy of a version, or records one that a pipeline outside has finished. The former is under way when this returns.
   *
   * @throws AppError 404 for a foreign app, 409 for a version with other content of what is no draft, or an unknown one, 403 for a record of a user.
   */
  async create(caller: Caller, appId: string, request: CreateDeployRequest): Promise<DeployResponse> {
    const reach = developerReachOf(caller, request.user_id);
    const { commit_sha, status, error_message } = request;
    const isRecord = commit_sha !== undefined || status !== undefined || error_message !== undefined;
    const row = await (isRecord ? this.record(caller, appId, reach, request) : this.request(caller, appId, reach, request));
    return toDeployResponse(row);
  }

  /** The newest first. */
  async list(caller: Caller, appId: string, { limit, offset, user_id }: ListDeploysQuery): Promise<DeployResponse[]> {
    await this.assertSeen(caller, appId, user_id);
    const rows = await this.dataSource.query<DeployRow[]>(
      `SELECT ${DEPLOY_COLUMNS} FROM deploys WHERE app_id = $1 ORDER BY number DESC LIMIT $2 OFFSET $3`,
      [appId, limit, offset],
    );
    return rows.map(toDeployResponse);
  }

  /** @throws AppError 404. */
  async get(caller: Caller, appId: string, deployId: string): Promise<DeployResponse> {
    await this.assertSeen(caller, appId);
    const [row] = await this.dataSource.query<DeployRow[]>(`SELECT ${DEPLOY_COLUMNS} FROM deploys WHERE app_id = $1 AND deploy_id = $2`, [
      appId,
      deployId,
    ]);
    if (!row) throw DeployErrors.notFound();
    return toDeployResponse(row);
  }

  /**
   * The deploy of a document of a developer's own app: the newest one, where that is of this version and may do as much, and else a new one.
   * So a repeated request does nothing twice, and of different ones the last wins.
   */
  deployDocument(developer: UserCaller, appId: string, { warnings, ...document }: GoodDocument): Promise<DeployRow> {
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
      // What is served, a review moves too.
      const isThat =
        !isNew && newest?.version === version && (isUnfinished(newest) || newest.status === 'waiting' || app.served_version === version);
      const isAhead = newest && (isUnfinished(newest) || newest.status === 'waiting');
      const reaches = isAhead ? newest.narrowing : await narrowingOfServed(em, app);
      const isAsFree = !reaches || isDeepStrictEqual(reaches, narrowing);
      if (!isThat || !isAsFree) return this.start(em, app, { version, requestedBy, narrowing, warnings });
      // Whoever asks again wants it tried again now, and not after a pause that has grown.
      if (isUnfinished(newest) && newest.failed_attempts) await this.enqueue(em, app, newest);
      return newest;
    });
  }

  /**
   * Holds a version and has it deployed, unless it is served or about to be. For a transaction that has locked the app.
   *
   * @returns whether there is anything to do. @throws AppError 409 when there is a version of this number with other content, and the app is no draft.
   */
  async startUnlessServed(em: EntityManager, app: LockedApp, version: NewVersion, deploy: Omit<NewDeploy, 'version'>): Promise<boolean> {
    const isNew = await storeVersion(em, app, version, deploy.narrowing ?? null);
    const [underWay] = await em.query<unknown[]>(
      `SELECT 1 FROM deploys WHERE app_id = $1 AND version = $2 AND (${IS_UNFINISHED} OR status = 'waiting')`,
      [app.app_id, version.version],
    );
    if (!isNew && (underWay || app.served_version === version.version)) return false;
    await this.start(em, app, { ...deploy, version: version.version });
    return true;
  }

  async isOwn(developer: string, appId: string): Promise<boolean> {
    const [app] = await this.dataSource.query<unknown[]>('SELECT 1 FROM apps WHERE app_id = $1 AND developer_id = $2', [appId, developer]);
    return app !== undefined;
  }

  private async start(em: EntityManager, app: LockedApp, deploy: NewDeploy): Promise<DeployRow> {
    const { warnings = [], narrowing = null } = deploy;
    const row = await insert(em, app, { ...deploy, warnings: [...warnings, ...reachInWords(app, narrowing)], status: 'pending' });
    await this.enqueue(em, app, row);
    return row;
  }

  private async enqueue(em: EntityManager, { developer_id: owner }: LockedApp, { deploy_id }: DeployRow): Promise<void> {
    await this.jobs.enqueue(em, deployQueue, 'run', { deploy_id, owner });
  }

  private async request(caller: Caller, appId: string, reach: DeveloperReach, request: CreateDeployRequest): Promise<DeployRow> {
    const sent = request.ir_dict && (await this.check(caller, appId, reach, request.ir_dict));
    const version = request.version ?? sent?.version;
    if (version === undefined) throw DeployErrors.versionMissing();
    if (sent && sent.version !== version) throw DeployErrors.versionDiffers();
    const user = userOf(caller);
    const narrowing = user ? lastingNarrowing(user) : null;
    return this.outbox.transaction(async (em) => {
      const app = await lockAppForDeploy(em, appId, reach);
      if (sent) await storeVersion(em, app, sent, narrowing);
      const warnings = sent?.warnings ?? (await requireVersion(em, app, version, narrowing));
      return this.start(em, app, { version, requestedBy: nameOf(caller), narrowing, changelog: request.changelog, warnings });
    });
  }

  /** Only for whose app it is: a check takes time that all share. @throws AppError 404, ValidationFailed. */
  private async check(caller: Caller, appId: string, reach: DeveloperReach, sent: object): Promise<GoodDocument> {
    const [app] = await this.dataSource.query<unknown[]>(
      'SELECT 1 FROM apps WHERE app_id = $1 AND ($2::text IS NULL OR developer_id = $2)',
      [appId, reach],
    );
    if (!app) throw AppErrors.notFound();
    const checked = await this.checker.read(nameOf(caller), { json: JSON.stringify(sent), appId });
    if (!checked.ok) throw documentRefused(checked.issues);
    return goodDocument(checked);
  }

  private record(caller: Caller, appId: string, reach: DeveloperReach, request: CreateDeployRequest): Promise<DeployRow> {
    if (userOf(caller)) throw DeployErrors.recordForbidden();
    const { version = null, status = 'success', changelog, commit_sha, error_message } = request;
    return this.dataSource.transaction(async (em) => {
      const app = await lockAppForDeploy(em, appId, reach);
      if (version !== null) await assertVersion(em, app, version);
      return insert(em, app, {
        version,
        requestedBy: nameOf(caller),
        changelog,
        status,
        commitSha: commit_sha,
        errorMessage: error_message,
      });
    });
  }

  private async assertSeen(caller: Caller, appId: string, named?: string): Promise<void> {
    const [app] = await this.dataSource.query<unknown[]>(
      'SELECT 1 FROM apps WHERE app_id = $1 AND ($2::text IS NULL OR developer_id = $2)',
      [appId, developerReachOf(caller, named)],
    );
    if (!app) throw AppErrors.notFound();
  }
}

/** What a program deploys acts for the developer no further than the program may, which shows only when something is refused. */
function reachInWords({ status }: LockedApp, narrowing: Narrowing | null): string[] {
  if (!narrowing || status === 'active') return [];
  const { key, apps = [] } = narrowing;
  const by = [];
  const limits = [];
  const ends = [];
  if (key) {
    by.push('an API key');
    limits.push('the key was given');
    ends.push('the key is deleted or expires');
  }
  if (apps.length) {
    const one = apps.length === 1;
    by.push(one ? 'an app' : 'several apps');
    limits.push(one ? 'the app may' : 'each of the apps may');
    ends.push(`${one ? 'the app' : 'one of the apps'} may not act for you any more`);
  }
  // A rule that its owner wrote.
  if (!by.length) {
    by.push('an automation');
    limits.push('the automation may');
  }
  const who = by.join(' and ');
  const end = ends.length ? `, and stops when ${ends.join(', or ')}` : '';
  return [
    `${who.charAt(0).toUpperCase()}${who.slice(1)} deployed this: until you deploy it signed in, or users get it from the marketplace, ` +
      `it acts for you with no more than ${limits.join(', and ')}${end}.`,
  ];
}

async function narrowingOfServed(em: EntityManager, { app_id, served_version }: LockedApp): Promise<Narrowing | null> {
  const [served] = await em.query<Row<AppVersion, 'narrowing'>[]>('SELECT narrowing FROM app_versions WHERE app_id = $1 AND version = $2', [
    app_id,
    served_version,
  ]);
  return served?.narrowing ?? null;
}

interface InsertedDeploy extends NewDeploy {
  status: DeployStatus;
  commitSha?: string | undefined;
  errorMessage?: string | undefined;
}

async function insert(em: EntityManager, app: LockedApp, deploy: InsertedDeploy): Promise<DeployRow> {
  const { version, requestedBy, narrowing = null, changelog = '', warnings = [], status, commitSha, errorMessage = '' } = deploy;
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
    after: { deploy_id: created.deploy_id, version, status, ...(commitSha && { commit_sha: commitSha }), ...(narrowing && { narrowing }) },
  });
  await publishDeployChanges(em, [created.deploy_id]);
  return created;
}
