import { Injectable } from '@nestjs/common';
import {
  channelOf,
  isAppId,
  type AppStatus,
  type DeveloperTier,
  type RunUser,
  type ToolManifest,
  type WebhookChannel,
} from '@platform/contracts';
import type { Narrowing, UserCaller } from '@platform/guards';
import { queryPrepared } from '@platform/persistence';
import { Batcher, isUnavailable } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { accountDisabledError } from '../../identity/accounts/can-authenticate.js';
import { ExtensionErrors } from '../access/extensions.errors.js';
import { AppPricesRepository, type PriceVersion } from '../../apps/prices/app-prices.repository.js';
import { getGrantedScopes, versionNarrowingSql } from '../../apps/reach/granted-scopes.js';
import { InstalledExtensionsService } from '../user-extensions/installed-extensions.service.js';
import type { Refusal } from '../run-grants/run-grants.errors.js';
import {
  isStopped,
  MAY_RUN,
  currentNarrowing,
  refusalOfUser,
  selectEligibility,
  selectEligibilityOfUsers,
  type EligibilityRow,
} from '../run-grants/eligibility-rows.js';
import { CallErrors } from './calls.errors.js';
import { SystemExtensionsRegistry, type CalledFunction } from './system-extensions.registry.js';

/** An app that a user can call. */
export interface CallTarget {
  appId: string;
  isSystem: boolean;
  functions: ReadonlyMap<string, CalledFunction>;
  /** Null for apps of the platform. */
  developer: AppDeveloper | null;
  /** The served version; null for an app of the platform, and for a version without a document. */
  version: DeployedVersion | null;
  /** Null for an app of the platform, and for a free app. */
  prices: PriceVersion | null;
  /**
   * Prices that the user agreed to at the installation; null for a free app, and for an app that
   * the user has without an installation.
   */
  agreedPrices: PriceVersion | null;
  /** `draft` for an app that is not published. Decides the addresses of its webhooks. */
  channel: WebhookChannel;
  /** User data for the host; null for a run without a user. */
  account: CalledAccount | null;
  /**
   * Scopes that the user granted to the app at the installation. A run gets those that the caller
   * has, too.
   */
  granted: readonly string[];
  /**
   * Extra limit for a developer who calls their own app without an installation: the permissions of
   * the credential that deployed the version. Null: no extra limit.
   */
  narrowing: Narrowing | null;
}

export interface AppDeveloper {
  id: string;
  tier: DeveloperTier;
}

export interface DeployedVersion {
  version: string;
  /** SHA-256 of the canonical document, in hexadecimal. */
  sha256: string;
}

export type CalledAccount = Pick<RunUser, 'email' | 'agency_id' | 'org_id' | 'attributes'>;

/** Size of the cache, in bytes of JSON. The keys contain hashes, so entries never become stale. */
const MANIFEST_BYTES_KEPT = 32 * 1024 * 1024;

/** An app and its served version. The columns of the version are null if the app serves none. */
interface ServedVersion {
  status: AppStatus;
  developer: AppDeveloper | null;
  version: string | null;
  /** In hexadecimal. */
  sha256: string | null;
  has_document: boolean;
  /** Null for a free app. */
  price_version: number | null;
}

interface CalledApp extends ServedVersion, EligibilityRow {
  /** Null if the user was deleted. */
  called_account: CalledAccount | null;
  /**
   * Price version that the user agreed to at the installation; null without an installation, or if
   * the app was free then.
   */
  agreed_price_version: number | null;
}

type Served = Pick<CallTarget, 'functions' | 'version' | 'prices' | 'channel' | 'developer'>;

interface Lookup {
  app_id: string;
  user_id: string;
}

const MAX_LOOKUPS = 100;

/** Finds the apps that users can call. */
@Injectable()
export class CallTargetsService {
  /**
   * Runs one statement at a time. Lookups that arrive meanwhile share the next statement, which
   * costs less than two small ones at once.
   */
  private readonly lookups = new Batcher((lookups: Lookup[]) => this.findAll(lookups), { maxItems: MAX_LOOKUPS });
  private readonly deployed = new LRUCache<string, CallTarget['functions']>({ maxSize: MANIFEST_BYTES_KEPT });

  constructor(
    private readonly dataSource: DataSource,
    private readonly systemExtensions: SystemExtensionsRegistry,
    private readonly installed: InstalledExtensionsService,
    private readonly prices: AppPricesRepository,
  ) {}

  /**
   * Finds the app if the user can call it. The same rules decide if the app can act for the user.
   *
   * @throws AppError 404 `extension.not_found` if the user does not have an app with this ID; 403
   * `extension.disabled` if the user disabled it, `extension.access_denied` if the tenant closed it
   * to the user, `extension.suspended` if it is suspended, `extension.not_agreed` if the API key
   * that installed it is gone and the user has not agreed since, `extension.key_gone` or
   * `extension.app_gone` if the user is its developer and an API key or app that deployed it is
   * gone, `account_disabled` if the user cannot sign in.
   */
  async getTarget(user: UserCaller, appId: string): Promise<CallTarget> {
    const app = await this.findInstalled(user, appId);
    const refusal = app ? refusalOfUser(app) : 'app_unavailable';
    if (app && refusal === 'app_unavailable' && isSuspendedFor(user, app))
      throw CallErrors.suspended(app.stopped_by_platform);
    if (!app || refusal) throw (ERRORS[refusal as Refusal] ?? ExtensionErrors.notFound)();
    const { called_account: account } = app;
    const system = this.systemExtensions.findFunctions(appId);
    if (system) {
      const own = {
        developer: null,
        version: null,
        prices: null,
        agreedPrices: null,
        channel: 'live' as const,
        granted: [],
        narrowing: null,
      };
      return { appId, isSystem: true, functions: system, account, ...own };
    }
    const narrowing = currentNarrowing(app);
    const served = await this.loadServedVersion(appId, app);
    return {
      appId,
      isSystem: false,
      ...served,
      // A free app needs no agreement.
      agreedPrices: served.prices && (await this.prices.findPrice(appId, app.agreed_price_version)),
      account,
      granted: getGrantedScopes({ ...app, narrowing }),
      narrowing,
    };
  }

  /**
   * Finds an app that another app calls in a run without a user.
   *
   * @throws AppError 404 `extension.not_found` if the app cannot run, is part of the platform, or
   * has another developer than the calling app.
   */
  async getTargetOfSameDeveloper(callingAppId: string, appId: string): Promise<CallTarget> {
    const [app] = await queryPrepared<ServedVersion & Pick<CalledApp, 'narrowing'>>(
      this.dataSource,
      `SELECT a.status, v.version, encode(v.sha256, 'hex') AS sha256, v.document IS NOT NULL AS has_document, a.price_version, ${DEVELOPER} AS developer,
         ${versionNarrowingSql('v')} AS narrowing
       FROM apps a JOIN apps c ON c.app_id = $1 AND c.developer_id = a.developer_id
         LEFT JOIN developers dv ON dv.user_id = a.developer_id
         LEFT JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
       WHERE a.app_id = $2 AND ${MAY_RUN} AND NOT a.system`,
      [callingAppId, appId],
    );
    if (!app) throw ExtensionErrors.notFound();
    return {
      appId,
      isSystem: false,
      ...(await this.loadServedVersion(appId, app)),
      account: null,
      agreedPrices: null,
      granted: [],
      narrowing: app.narrowing,
    };
  }

  private async findInstalled(user: UserCaller, appId: string): Promise<CalledApp | null> {
    const app = await this.find(user, appId);
    if (!app || refusalOfUser(app) !== 'not_installed') return app;
    // The copy may lack an installation that was made directly at the Registry.
    const ids = await this.installed.refreshCopy(user.userId).catch((error: unknown): string[] => {
      if (isUnavailable(error, 'registry')) return [];
      throw error;
    });
    return ids.includes(appId) ? this.find(user, appId) : app;
  }

  private async find({ userId }: UserCaller, appId: string): Promise<CalledApp | null> {
    // A text that PostgreSQL cannot store would fail the whole batch.
    if (!isAppId(appId)) return null;
    return this.lookups.addItem({ app_id: appId, user_id: userId });
  }

  /**
   * Returns the app of each lookup, with the facts that decide if its user can call it; null for an
   * unknown app. Runs the cheap statement for all lookups, then the full one for lookups by the
   * app's developer.
   */
  private async findAll(lookups: readonly Lookup[]): Promise<(CalledApp | null)[]> {
    const apps = await this.queryAll(OF_USERS, lookups);
    const own = lookups.flatMap((lookup, at) => (apps[at]?.as_developer ? [{ lookup, at }] : []));
    if (!own.length) return apps;
    const ownApps = await this.queryAll(
      OF_DEVELOPERS,
      own.map(({ lookup }) => lookup),
    );
    for (const [n, { at }] of own.entries()) apps[at] = ownApps[n] ?? null;
    return apps;
  }

  private async queryAll(statement: string, lookups: readonly Lookup[]): Promise<(CalledApp | null)[]> {
    const found = await queryPrepared<CalledApp & { at: number }>(this.dataSource, statement, [
      lookups.map((l) => l.app_id),
      lookups.map((l) => l.user_id),
    ]);
    const apps = lookups.map((): CalledApp | null => null);
    for (const { at, ...app } of found) apps[at] = app;
    return apps;
  }

  private async loadServedVersion(appId: string, app: ServedVersion): Promise<Served> {
    const channel = channelOf({ is_active: app.status === 'active' });
    const functions = await this.loadFunctions(appId, app.sha256);
    const prices = await this.prices.findPrice(appId, app.price_version);
    return { functions, version: versionOf(app), prices, channel, developer: app.developer };
  }

  private async loadFunctions(appId: string, sha256: string | null): Promise<CallTarget['functions']> {
    if (sha256 === null) return new Map();
    // The hash alone is not unique: an external pipeline can deploy one manifest for several apps.
    const key = `${appId} ${sha256}`;
    const known = this.deployed.get(key);
    if (known) return known;
    const [row] = await this.dataSource.query<{ manifest: ToolManifest; bytes: number }[]>(
      "SELECT manifest, octet_length(manifest::text) AS bytes FROM app_versions WHERE app_id = $1 AND sha256 = decode($2, 'hex')",
      [appId, sha256],
    );
    const functions = new Map(
      row?.manifest.tools.map(({ name, action_type, params_schema, required_scopes }) => [
        name,
        { action_type, params_schema, required_scopes, key_scope: null, run: null },
      ]),
    );
    this.deployed.set(key, functions, { size: row?.bytes ?? 1 });
    return functions;
  }
}

/** Errors for refusals that the user is told about. All other refusals are answered 404. */
const ERRORS: Partial<Record<Refusal, () => Error>> = {
  user_inactive: accountDisabledError,
  key_gone: CallErrors.keyGone,
  not_agreed: CallErrors.notAgreed,
  app_gone: CallErrors.appGone,
  disabled: CallErrors.disabled,
  closed: CallErrors.closed,
};

/** True if the app is suspended and the user has installed or developed it. Other users get 404. */
const isSuspendedFor = ({ userId }: UserCaller, app: CalledApp): boolean =>
  isStopped(app) && (app.is_installed || app.developer_id === userId);

/** Needs the join `developers dv`. */
const DEVELOPER = "CASE WHEN dv.user_id IS NOT NULL THEN jsonb_build_object('id', dv.user_id, 'tier', dv.tier) END";

/**
 * The sub-SELECTs hide the lengths of the arrays. Otherwise PostgreSQL would plan the statement
 * again for each batch.
 */
const LOOKUP = {
  columns: `l.at::int - 1 AS at, v.version, encode(v.sha256, 'hex') AS sha256, v.document IS NOT NULL AS has_document,
    CASE WHEN NOT a.system THEN a.price_version END AS price_version, i.agreed_price_version, ${DEVELOPER} AS developer, CASE WHEN s.id IS NOT NULL THEN
      jsonb_build_object('email', s.email, 'agency_id', s.agency_id, 'org_id', s.org_id, 'attributes', s.attributes) END AS called_account`,
  pairs: 'unnest((SELECT $1::text[]), (SELECT $2::text[])) WITH ORDINALITY AS l (app_id, user_id, at)',
  rest: 'LEFT JOIN developers dv ON dv.user_id = a.developer_id',
};
const OF_USERS = selectEligibilityOfUsers(LOOKUP);
const OF_DEVELOPERS = selectEligibility(LOOKUP);

const versionOf = ({ version, sha256, has_document }: ServedVersion): DeployedVersion | null =>
  version !== null && sha256 !== null && has_document ? { version, sha256 } : null;
