import { Injectable } from '@nestjs/common';
import { ApiError } from '@platform/client';
import {
  MAX_EXCHANGED_USERS,
  MAX_RUN_GRANTS,
  type BackgroundRun,
  type RunGrantResponse,
  type UserOfRun,
  type WebhookChannel,
} from '@platform/contracts';
import { Batcher } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { GatewayClient } from './gateway.client.js';
import { RunGrant } from './run-grant.js';

/**
 * Time before its expiry at which a webhook's grant is no longer used: a run may need it until its
 * end.
 */
const MARGIN_MS = 30_000;
const KEPT_AT_MOST_MS = 300_000;
/** Time for which a refusal to give a grant is cached. */
const NONE_KEPT_MS = 1_000;
const KEPT_BYTES = 8 * 1024 * 1024;
const REQUESTS_AT_ONCE = 4;

/** A run that may begin, with its user. */
export interface AuthorizedRun {
  grant: RunGrant;
  tenantId: string;
  /** Null for a run without a user. */
  userId: string | null;
  scopes: string[];
}

type Asked = Pick<BackgroundRun, keyof BackgroundRun>;
type Settled<Value> = { value: Value } | { error: unknown };

/**
 * Gets the grants of runs from the gateway. Requests of one turn of the event loop are sent
 * together. All methods throw ServiceUnavailable while the gateway is unreachable.
 */
@Injectable()
export class RunGrantsClient {
  private readonly begun = new Batcher<Asked, Settled<RunGrantResponse | null>>((runs) => this.begin(runs), {
    maxItems: MAX_RUN_GRANTS,
    maxRunning: REQUESTS_AT_ONCE,
  });
  private readonly exchanged = new Batcher<{ grant: string; userId: string }, Settled<RunGrantResponse | null>>(
    (users) => ofUsers(users, async (request) => (await this.gateway.exchangeRunGrant(request)).grants),
    { maxItems: MAX_EXCHANGED_USERS, maxRunning: REQUESTS_AT_ONCE },
  );
  private readonly found = new Batcher<{ grant: string; userId: string }, Settled<UserOfRun | null>>(
    (users) => ofUsers(users, async (request) => (await this.gateway.findUsersOfRun(request)).users),
    { maxItems: MAX_EXCHANGED_USERS, maxRunning: REQUESTS_AT_ONCE },
  );
  /** Grants of webhooks. They name no user, so all runs of a webhook can use the same one. */
  private readonly kept = new LRUCache<string, { grant: string | null }, Asked>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ grant }, key) => key.length + (grant?.length ?? 0) + 100,
    ttl: NONE_KEPT_MS,
    fetchMethod: async (_key, _stale, { context, options }) => {
      const given = await this.ask(context);
      if (given)
        options.ttl = Math.max(1, Math.min(Date.parse(given.expires_at) - Date.now() - MARGIN_MS, KEPT_AT_MOST_MS));
      return { grant: given?.grant ?? null };
    },
  });

  private readonly underWay = new Map<string, Promise<RunGrantResponse | null>>();

  constructor(private readonly gateway: GatewayClient) {}

  /**
   * Grant of a run from the text that the gateway has sent for it. It cannot be exchanged:
   * `forUser` refuses every user.
   */
  fromText(grant: string): RunGrant {
    return new RunGrant({ fetchGrant: () => Promise.resolve(grant), findTenantId: this.tenantOf });
  }

  /**
   * Grant of a webhook, requested at its first use; many webhooks never need it. All runs of the
   * same webhook, version and channel share it. The channel matters because a version that a
   * program deployed may have fewer permissions until it is published.
   */
  forWebhook(webhook: Omit<Asked, 'kind' | 'event_id'>, channel: WebhookChannel): RunGrant {
    const run: Asked = { ...webhook, kind: 'webhook' };
    const key = JSON.stringify([channel, run.app_id, run.version, run.sha256, run.handler]);
    return new RunGrant({
      fetchGrant: async () => (await this.kept.fetch(key, { context: run }))?.grant ?? null,
      discardGrant: (grant) => {
        if (this.kept.peek(key)?.grant === grant) this.kept.delete(key);
        return true;
      },
      findTenantId: this.tenantOf,
    });
  }

  /**
   * Grant of one attempt of a schedule, requested at its first use and then kept. The run can
   * exchange it to act for users.
   */
  forSchedule(schedule: Omit<Asked, 'kind' | 'event_id'>): RunGrant {
    let asked: Promise<string | null> | null = null;
    const ask = async (): Promise<string | null> => (await this.ask({ ...schedule, kind: 'schedule' }))?.grant ?? null;
    return new RunGrant({
      fetchGrant: () => {
        asked ??= ask().catch((error: unknown) => {
          asked = null;
          throw error;
        });
        return asked;
      },
      exchangeGrant: this.exchange,
      findTenantId: this.tenantOf,
    });
  }

  /**
   * Begins one attempt of a schedule for a user. Returns null if the app may not act for the user,
   * or may not run by itself, for example because it is suspended.
   *
   * @throws ServiceUnavailable if the gateway is unreachable; ApiError if it refuses the request.
   */
  async authorizeScheduleForUser(
    userId: string,
    schedule: Omit<Asked, 'kind' | 'event_id'>,
  ): Promise<AuthorizedRun | null> {
    const key = JSON.stringify([schedule.app_id, schedule.version, schedule.sha256, schedule.handler]);
    // Attempts for many users begin together, and share this grant. Their exchanges are then sent
    // together.
    let asked = this.underWay.get(key);
    if (!asked) {
      asked = this.ask({ ...schedule, kind: 'schedule' }).finally(() => this.underWay.delete(key));
      this.underWay.set(key, asked);
    }
    const ofNobody = await asked;
    const given = ofNobody && (await this.exchange(ofNobody.grant, userId));
    if (!given) return null;
    const { tenant_id: tenantId, scopes } = given;
    const rest = new RunGrant({
      fetchGrant: () => Promise.resolve(ofNobody.grant),
      exchangeGrant: this.exchange,
      findTenantId: this.tenantOf,
    });
    return { grant: new RunGrant({ fetchGrant: () => Promise.resolve(given.grant) }, rest), tenantId, userId, scopes };
  }

  /**
   * Begins one attempt to handle an event. Returns null if the app may not handle it, for example
   * because its user no longer has the app.
   *
   * @throws ServiceUnavailable if the gateway is unreachable; ApiError if it refuses the request.
   */
  async authorizeEvent(handler: Omit<Asked, 'kind'> & { event_id: string }): Promise<AuthorizedRun | null> {
    const given = await this.ask({ ...handler, kind: 'event' });
    if (!given) return null;
    const { grant, tenant_id: tenantId, user_id: userId, scopes, is_removal: isRemoval = false } = given;
    return { grant: isRemoval ? this.ofRemoval(grant) : this.fromText(grant), tenantId, userId, scopes };
  }

  private ofRemoval(grant: string): RunGrant {
    const get = () => Promise.resolve(grant);
    return new RunGrant({
      fetchGrant: get,
      findTenantId: this.tenantOf,
      assertAppRemoved: (text) => this.gateway.checkRunGrant({ grant: text }),
    });
  }

  private async ask(run: Asked): Promise<RunGrantResponse | null> {
    return valueOf(await this.begun.addItem(run));
  }

  private readonly exchange = async (grant: string, userId: string): Promise<RunGrantResponse | null> =>
    valueOf(await this.exchanged.addItem({ grant, userId }));

  private readonly tenantOf = async (grant: string, userId: string): Promise<string | null> =>
    valueOf(await this.found.addItem({ grant, userId }))?.tenant_id ?? null;

  /**
   * Requests grants for runs; null for a run that may not begin. If the gateway refuses the runs
   * together, it requests them one by one, so that a run that the gateway does not accept does not
   * affect the others.
   */
  private async begin(runs: Asked[]): Promise<Settled<RunGrantResponse | null>[]> {
    try {
      const { grants } = await this.gateway.requestRunGrants({ runs });
      return runs.map((_run, at) => ({ value: grants[at] ?? null }));
    } catch (error) {
      if (!(error instanceof ApiError) || runs.length === 1) return runs.map(() => ({ error }));
      return (await Promise.all(runs.map((run) => this.begin([run])))).flat();
    }
  }
}

/**
 * Answers of the gateway for each user, with one request for each grant. The answer is null for a
 * user whom the gateway does not name, and an error if the request failed.
 */
async function ofUsers<Answer extends { user_id: string }>(
  users: { grant: string; userId: string }[],
  request: (asked: { grant: string; user_ids: string[] }) => Promise<Answer[]>,
): Promise<Settled<Answer | null>[]> {
  const byGrant = new Map<string, Set<string>>();
  for (const { grant, userId } of users) byGrant.set(grant, (byGrant.get(grant) ?? new Set()).add(userId));
  const answers = new Map<string, Settled<ReadonlyMap<string, Answer>>>();
  const ask = async ([grant, userIds]: [string, Set<string>]): Promise<void> => {
    try {
      const given = await request({ grant, user_ids: [...userIds] });
      answers.set(grant, { value: new Map(given.map((answer) => [answer.user_id, answer])) });
    } catch (error) {
      answers.set(grant, { error });
    }
  };
  await Promise.all([...byGrant].map(ask));
  return users.map(({ grant, userId }) => {
    const answer = answers.get(grant) ?? { error: new Error('No grant was asked for.') };
    return 'error' in answer ? answer : { value: answer.value.get(userId) ?? null };
  });
}

function valueOf<Value>(settled: Settled<Value>): Value {
  if ('error' in settled) throw settled.error;
  return settled.value;
}
