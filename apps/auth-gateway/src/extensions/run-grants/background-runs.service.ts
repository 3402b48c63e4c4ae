import { Injectable } from '@nestjs/common';
import type {
  BackgroundRun,
  BackgroundRunKind,
  RunGrantCheckRequest,
  RunGrantExchangeRequest,
  RunGrantExchangeResponse,
  RunGrantResponse,
  RunGrantsResponse,
  RunUsersRequest,
  RunUsersResponse,
} from '@platform/contracts';
import { intersectNarrowings } from '@platform/guards';
import { newId } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { intersectScopes } from '../../apps/reach/granted-scopes.js';
import { toGrantNarrowing, type RunGrant } from './run-grant.js';
import {
  eligibilityRequestFor,
  narrowingOfEvent,
  findPublishedEvents,
  reachesApp,
  type PublishedEvent,
} from './published-events.js';
import { RunGrantsService, type AllowedRun } from './run-grants.service.js';
import { refusalIn, RunEligibilityService, type Eligibility } from './run-eligibility.service.js';

/**
 * Lifetimes of grants. The grant of a webhook has no user and serves later requests to the same
 * webhook, too. Other grants serve one run of up to 30 s.
 */
const LIFE_MS: Record<BackgroundRunKind, number> = { webhook: 5 * 60_000, schedule: 60_000, event: 60_000 };

const HANDLERS_KEPT = 20_000;
/** Longest name in a chain that `RunRequest` accepts. */
const MAX_CHAIN_NAME = 256;

type BackgroundGrant<UserId> = Omit<RunGrant, 'runId' | 'unattended' | 'expiresAt'> & {
  kind: BackgroundRunKind;
  userId: UserId;
};
type Granted<UserId> = Pick<RunGrantResponse, 'grant' | 'expires_at' | 'tenant_id' | 'scopes' | 'is_removal'> & {
  user_id: UserId;
};

/** Names of handlers by kind, as in `BackgroundRun`. */
type Handlers = Record<BackgroundRunKind, string[]>;

const versionKeyOf = (run: Pick<BackgroundRun, 'app_id' | 'version' | 'sha256'>): string =>
  JSON.stringify([run.app_id, run.version, run.sha256]);

/** Gives grants for runs that a webhook, a schedule or an event starts. */
@Injectable()
export class BackgroundRunsService {
  /** Keyed by app, version and hash, so entries never become stale. */
  private readonly handlers = new LRUCache<string, Handlers>({
    maxSize: HANDLERS_KEPT,
    sizeCalculation: ({ webhook, schedule, event }) => 1 + webhook.length + schedule.length + event.length,
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly eligibility: RunEligibilityService,
    private readonly grants: RunGrantsService,
  ) {}

  /**
   * Returns a run grant for each of `runs`, in their order. The grant proves to the gateway for
   * which user and with which permissions the run acts. It is null if this version of the app has
   * no such handler, if the app cannot run, or if the event is unknown or does not reach the app
   * (`reachesApp`).
   */
  async createGrants(runs: readonly BackgroundRun[]): Promise<RunGrantsResponse> {
    const ids = runs.map(({ kind, event_id }) => (kind === 'event' && event_id?.toLowerCase()) || null);
    const known = await findPublishedEvents(
      this.dataSource,
      ids.filter((id) => id !== null),
    );
    const events = ids.map((id) => (id && known.get(id)) || null);
    const [eligibilities, handlers] = await Promise.all([
      this.eligibility.findEligibilities(
        runs.map(({ app_id, version, sha256 }, at) => ({
          ...eligibilityRequestFor(events[at] ?? null, app_id),
          key: events[at]?.key ?? null,
          apps: events[at]?.apps ?? null,
          version: { version, sha256 },
        })),
      ),
      this.loadHandlers(runs),
    ]);
    return {
      grants: runs.map((run, at) => {
        const isDeclared = handlers.get(versionKeyOf(run))?.[run.kind].includes(run.handler);
        return isDeclared ? this.grantFor(run, eligibilities[at] as Eligibility, events[at] ?? null) : null;
      }),
    };
  }

  /**
   * Exchanges the run grant of a schedule, which has no user, for one grant per user, in the tenant
   * of the user. Users for whom the app cannot act are left out.
   *
   * @throws AppError 403 like `RunGrantsService.authorize`, and `run_grant.refused` unless the run
   * is that of a schedule, without a user.
   */
  async exchangeGrant({ grant, user_ids }: RunGrantExchangeRequest): Promise<RunGrantExchangeResponse> {
    const run = await this.grants.authorize(grant);
    if (run.kind !== 'schedule' || run.userId !== null) return this.grants.refuse(run, 'wrong_kind');
    const { appId, version, sha256, chain } = run;
    const grants = (await this.findEligibilities(run, user_ids)).flatMap(({ user, narrowing }) => {
      if (!user) return [];
      const { userId, tenantId, scopes } = user;
      const about = { userId, scopes, ...toGrantNarrowing(narrowing), eventId: null };
      return [this.createGrant({ appId, version, sha256, kind: 'schedule', tenantId, chain, hop: 0, ...about })];
    });
    return { grants };
  }

  /**
   * Returns, with their tenants, those of `user_ids` for whom the app of the run can act now; the
   * host asks before the app uses documents of other users. A run that handles an event gets users
   * of the event's tenant only.
   *
   * @throws AppError 403 like `RunGrantsService.authorize`, and `run_grant.refused` if the run has
   * a user and does not handle an event.
   */
  async findUsers({ grant, user_ids }: RunUsersRequest): Promise<RunUsersResponse> {
    const run = await this.grants.authorize(grant);
    const isEvent = run.kind === 'event';
    if (!isEvent && run.userId !== null) return this.grants.refuse(run, 'wrong_kind');
    const served = (await this.findEligibilities(run, user_ids)).flatMap(({ user }) => user ?? []);
    const users = isEvent ? served.filter(({ tenantId }) => tenantId === run.tenantId) : served;
    return { users: users.map(({ userId, tenantId }) => ({ user_id: userId, tenant_id: tenantId })) };
  }

  /**
   * Checks that a run can continue. A run that tells an app about its removal cannot once the user
   * has installed the app again.
   *
   * @throws AppError 403 like `RunGrantsService.authorizeOwn` if it cannot.
   */
  async assertRunAllowed({ grant }: RunGrantCheckRequest): Promise<void> {
    await this.grants.authorizeOwn(grant);
  }

  private findEligibilities(
    { appId, version, sha256 }: AllowedRun,
    userIds: readonly string[],
  ): Promise<Eligibility[]> {
    return this.eligibility.findEligibilities(
      [...new Set(userIds)].map((userId) => ({ appId, userId, version: { version, sha256 } })),
    );
  }

  private grantFor(
    run: BackgroundRun,
    eligibility: Eligibility,
    event: PublishedEvent | null,
  ): RunGrantResponse | null {
    const { app_id: appId, version, sha256, kind, handler } = run;
    const { developer, narrowing } = eligibility;
    const chain = [`${appId}.__${kind}__${handler}`.slice(0, MAX_CHAIN_NAME)];
    const own = { appId, version, sha256, kind, chain, eventId: null };
    if (kind !== 'event') {
      if (!developer || refusalIn(eligibility, developer.tenantId)) return null;
      return this.createGrant({
        ...own,
        tenantId: developer.tenantId,
        userId: null,
        scopes: [],
        ...toGrantNarrowing(narrowing),
        hop: 0,
      });
    }
    if (!event || !matchesSubscription(handler, event.type) || !reachesApp(event, appId, eligibility)) return null;
    const { user } = eligibility;
    const scopes = user ? (event.scopes ? intersectScopes(user.scopes, event.scopes) : user.scopes) : [];
    const ofEvent = toGrantNarrowing(intersectNarrowings(narrowingOfEvent(event), narrowing));
    const removal = event.is_removal ? { isUninstalled: true as const } : {};
    const about = { tenantId: event.tenant_id, userId: user?.userId ?? null, scopes, eventId: event.id, ...removal };
    return this.createGrant({ ...own, ...about, ...ofEvent, hop: event.hop + 1 });
  }

  private createGrant<UserId extends string | null>(run: BackgroundGrant<UserId>): Granted<UserId> {
    const expiresAt = Date.now() + LIFE_MS[run.kind];
    return {
      grant: this.grants.createGrant({ ...run, runId: newId('run'), unattended: true, expiresAt }),
      expires_at: new Date(expiresAt).toISOString(),
      tenant_id: run.tenantId,
      user_id: run.userId,
      scopes: [...run.scopes],
      ...(run.isUninstalled && { is_removal: true }),
    };
  }

  /**
   * Returns the names of the handlers of these versions. Unknown versions have no entry. One
   * statement reads all that are not cached.
   */
  private async loadHandlers(runs: readonly BackgroundRun[]): Promise<Map<string, Handlers>> {
    const handlers = new Map<string, Handlers>();
    const unknown = new Map<string, BackgroundRun>();
    for (const run of runs) {
      const known = this.handlers.get(versionKeyOf(run));
      if (known) handlers.set(versionKeyOf(run), known);
      else unknown.set(versionKeyOf(run), run);
    }
    if (!unknown.size) return handlers;
    const asked = [...unknown.values()];
    const found = await this.dataSource.query<({ app_id: string; version: string; sha256: string } & Handlers)[]>(
      `SELECT v.app_id, v.version, encode(v.sha256, 'hex') AS sha256,
         jsonb_path_query_array(v.document, '$.app.webhooks[*].path') AS webhook,
         jsonb_path_query_array(v.document, '$.app.schedules[*].name') AS schedule,
         jsonb_path_query_array(v.document, '$.app.events.subscribes[*].type') AS event
       FROM unnest($1::text[], $2::text[], $3::text[]) AS l (app_id, version, sha256)
         JOIN app_versions v ON v.app_id = l.app_id AND v.version = l.version AND v.sha256 = decode(l.sha256, 'hex')
       WHERE v.document IS NOT NULL`,
      [asked.map(({ app_id }) => app_id), asked.map(({ version }) => version), asked.map(({ sha256 }) => sha256)],
    );
    for (const { app_id, version, sha256, webhook, schedule, event } of found) {
      const key = versionKeyOf({ app_id, version, sha256 });
      handlers.set(key, { webhook, schedule, event });
      this.handlers.set(key, { webhook, schedule, event });
    }
    return handlers;
  }
}

/**
 * True if a subscription matches events of this type: it is the type itself, or ends with `.*` or
 * `:*` and the type begins with the part before the `*`.
 */
const matchesSubscription = (subscription: string, type: string): boolean =>
  subscription === type || (/[.:]\*$/.test(subscription) && type.startsWith(subscription.slice(0, -1)));
