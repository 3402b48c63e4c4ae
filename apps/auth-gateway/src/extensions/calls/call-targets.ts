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
import { Batches, isUnavailable } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { accountDisabled } from '../../identity/accounts/can-authenticate.js';
import { ExtensionErrors } from '../access/extensions.errors.js';
import { AppPrices, type PriceVersion } from '../../apps/prices/app-prices.js';
import { grantedScopes, narrowingOfVersion } from '../../apps/reach/granted-scopes.js';
import { InstalledExtensions } from '../user-extensions/installed-extensions.js';
import type { Refusal } from '../run-grants/run-grants.errors.js';
import {
  isStopped,
  MAY_RUN,
  narrowingNow,
  refusalOfUser,
  selectEligibility,
  selectEligibilityOfUsers,
  type EligibilityRow,
} from '../run-grants/eligibility-rows.js';
import { CallErrors } from './calls.errors.js';
import { SystemExtensions, type CalledFunction } from './system-extension.js';

/** An extension that a user may call. */
export interface CallTarget {
  appId: string;
  isSystem: boolean;
  functions: ReadonlyMap<string, CalledFunction>;
  /** Whose it is; null for the system's own. */
  developer: AppDeveloper | null;
  /** The version that runs; null for the system's own, and for one that has no document. */
  version: DeployedVersion | null;
  /** Null for the system's own, and for one that costs nothing. */
  prices: PriceVersion | null;
  /** Those that the user agreed to by installing it; null for nothing that costs, and for what they have without installing it. */
  agreedPrices: PriceVersion | null;
  /** Where its webhooks are. */
  channel: WebhookChannel;
  /** The user as the host is told of them; null for a run of no user. */
  account: CalledAccount | null;
  /** With which of the caller's scopes it runs: those that the user granted it by installing it. */
  granted: readonly string[];
  /** Of what its developer calls as such: as far as whoever deployed it could. Null: as the caller may. */
  narrowing: Narrowing | null;
}

export interface AppDeveloper {
  id: string;
  tier: DeveloperTier;
}

export interface DeployedVersion {
  version: string;
  /** Of the canonical document, in hexadecimal. */
  sha256: string;
}

export type CalledAccount = Pick<RunUser, 'email' | 'agency_id' | 'org_id' | 'attributes'>;

/** As JSON. What is kept is kept by its hash, so it never changes. */
const MANIFEST_BYTES_KEPT = 32 * 1024 * 1024;

/** Of an app that need not serve any. */
interface ServedVersion {
  status: AppStatus;
  developer: AppDeveloper | null;
  version: string | null;
  /** In hexadecimal. */
  sha256: string | null;
  has_document: boolean;
  /** Null for one that costs nothing. */
  price_version: number | null;
}

interface CalledApp extends ServedVersion, EligibilityRow {
  /** Null where the user is gone. */
  called_account: CalledAccount | null;
  /** Of the installation; null for none, and for one that agreed to nothing that costs. */
  agreed_price_version: number | null;
}

type Served = Pick<CallTarget, 'functions' | 'version' | 'prices' | 'channel' | 'developer'>;

interface Lookup {
  app_id: string;
  user_id: string;
}

const MAX_LOOKUPS = 100;

/** Finds what may be called, for whom. */
@Injectable()
export class CallTargets {
  /** One statement at a time: what comes meanwhile shares the next one, which costs less than two small ones at once. */
  private readonly lookups = new Batches((lookups: Lookup[]) => this.findAll(lookups), { maxItems: MAX_LOOKUPS });
  private readonly deployed = new LRUCache<string, CallTarget['functions']>({ maxSize: MANIFEST_BYTES_KEPT });

  constructor(
    private readonly dataSource: DataSource,
    private readonly systemExtensions: SystemExtensions,
    private readonly installed: InstalledExtensions,
    private readonly prices: AppPrices,
  ) {}

  /**
   * What a user may call, by the rule by which apps act for users.
   *
   * @throws AppError 404 when there is no such app for this user, 403 when it is disabled for them, closed to them or suspended, or a key or an app
   * is gone by which they have it.
   */
  async get(user: UserCaller, appId: string): Promise<CallTarget> {
    const app = await this.findInstalled(user, appId);
    const refusal = app ? refusalOfUser(app) : 'app_unavailable';
    if (app && refusal === 'app_unavailable' && isSuspendedFor(user, app)) throw CallErrors.suspended(app.stopped_by_platform);
    if (!app || refusal) throw (ERRORS[refusal as Refusal] ?? ExtensionErrors.notFound)();
    const { called_account: account } = app;
    const system = this.systemExtensions.functionsOf(appId);
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
    const narrowing = narrowingNow(app);
    const served = await this.servedOf(appId, app);
    return {
      appId,
      isSystem: false,
      ...served,
      // What costs nothing needs no agreement.
      agreedPrices: served.prices && (await this.prices.get(appId, app.agreed_price_version)),
      account,
      granted: grantedScopes({ ...app, narrowing }),
      narrowing,
    };
  }

  /** For a run of no user: an app that runs, of the developer who has the calling one, too. @throws AppError 404. */
  async ofSameDeveloper(callingAppId: string, appId: string): Promise<CallTarget> {
    const [app] = await queryPrepared<ServedVersion & Pick<CalledApp, 'narrowing'>>(
      this.dataSource,
      `SELECT a.status, v.version, encode(v.sha256, 'hex') AS sha256, v.document IS NOT NULL AS has_document, a.price_version, ${DEVELOPER} AS developer,
         ${narrowingOfVersion('v')} AS narrowing
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
      ...(await this.servedOf(appId, app)),
      account: null,
      agreedPrices: null,
      granted: [],
      narrowing: app.narrowing,
    };
  }

  private async findInstalled(user: UserCaller, appId: string): Promise<CalledApp | null> {
    const app = await this.find(user, appId);
    if (!app || refusalOfUser(app) !== 'not_installed') return app;
    // The copy may not know yet what was installed elsewhere.
    const ids = await this.installed.refresh(user.userId).catch((error: unknown): string[] => {
      if (isUnavailable(error, 'registry')) return [];
      throw error;
    });
    return ids.includes(appId) ? this.find(user, appId) : app;
  }

  private async find({ userId }: UserCaller, appId: string): Promise<CalledApp | null> {
    // What PostgreSQL cannot hold would fail for everybody in the batch.
    if (!isAppId(appId)) return null;
    return this.lookups.add({ app_id: appId, user_id: userId });
  }

  /** First the cheap statement for all; then again, in full, for those who are the app's developer. */
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

  private async servedOf(appId: string, app: ServedVersion): Promise<Served> {
    const channel = channelOf({ is_active: app.status === 'active' });
    const functions = await this.functionsOf(appId, app.sha256);
    const prices = await this.prices.get(appId, app.price_version);
    return { functions, version: versionOf(app), prices, channel, developer: app.developer };
  }

  private async functionsOf(appId: string, sha256: string | null): Promise<CallTarget['functions']> {
    if (sha256 === null) return new Map();
    // A manifest from a pipeline outside may be that of several apps.
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

/** Whatever else is refused is as if it were not there. */
const ERRORS: Partial<Record<Refusal, () => Error>> = {
  user_inactive: accountDisabled,
  key_gone: CallErrors.keyGone,
  not_agreed: CallErrors.notAgreed,
  app_gone: CallErrors.appGone,
  disabled: CallErrors.disabled,
  closed: CallErrors.closed,
};

/** To others it is as if it were not there. */
const isSuspendedFor = ({ userId }: UserCaller, app: CalledApp): boolean =>
  isStopped(app) && (app.is_installed || app.developer_id === userId);

/** Over `developers dv`. */
const DEVELOPER = "CASE WHEN dv.user_id IS NOT NULL THEN jsonb_build_object('id', dv.user_id, 'tier', dv.tier) END";

/** Behind the SELECTs PostgreSQL does not see how many there are, and would else plan the statement anew for each batch. */
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
