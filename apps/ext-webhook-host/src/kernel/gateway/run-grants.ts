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
import { Batches } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { GatewayClient } from './gateway-client.js';
import { RunGrant } from './run-grant.js';

/** Of a webhook's grant: what a run may need until its end. */
const MARGIN_MS = 30_000;
const KEPT_AT_MOST_MS = 300_000;
/** That the gateway gives none. */
const NONE_KEPT_MS = 1_000;
const KEPT_BYTES = 8 * 1024 * 1024;
const REQUESTS_AT_ONCE = 4;

/** A run that may begin, and for whom. */
export interface BegunRun {
  grant: RunGrant;
  tenantId: string;
  /** Null for a run of no user. */
  userId: string | null;
  scopes: string[];
}

type Asked = Pick<BackgroundRun, keyof BackgroundRun>;
type Settled<Value> = { value: Value } | { error: unknown };

/**
 * Gets from the gateway what runs ask it with. What is asked for in one turn of the event loop goes in one request. Everything throws
 * ServiceUnavailable while the gateway is away.
 */
@Injectable()
export class RunGrants {
  private readonly begun = new Batches<Asked, Settled<RunGrantResponse | null>>((runs) => this.begin(runs), {
    maxItems: MAX_RUN_GRANTS,
    maxRunning: REQUESTS_AT_ONCE,
  });
  private readonly exchanged = new Batches<{ grant: string; userId: string }, Settled<RunGrantResponse | null>>(
    (users) => ofUsers(users, async (request) => (await this.gateway.exchangeRunGrant(request)).grants),
    { maxItems: MAX_EXCHANGED_USERS, maxRunning: REQUESTS_AT_ONCE },
  );
  private readonly found = new Batches<{ grant: string; userId: string }, Settled<UserOfRun | null>>(
    (users) => ofUsers(users, async (request) => (await this.gateway.usersOfRun(request)).users),
    { maxItems: MAX_EXCHANGED_USERS, maxRunning: REQUESTS_AT_ONCE },
  );
  /** Of webhooks, which are about nobody, so that all runs of one may use the same. */
  private readonly kept = new LRUCache<string, { grant: string | null }, Asked>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ grant }, key) => key.length + (grant?.length ?? 0) + 100,
    ttl: NONE_KEPT_MS,
    fetchMethod: async (_key, _stale, { context, options }) => {
      const given = await this.ask(context);
      if (given) options.ttl = Math.max(1, Math.min(Date.parse(given.expires_at) - Date.now() - MARGIN_MS, KEPT_AT_MOST_MS));
      return { grant: given?.grant ?? null };
    },
  });

  private readonly underWay = new Map<string, Promise<RunGrantResponse | null>>();

  constructor(private readonly gateway: GatewayClient) {}

  /** What the gateway gave for the run of a function. */
  given(grant: string): RunGrant {
    return new RunGrant({ get: () => Promise.resolve(grant), tenantOf: this.tenantOf });
  }

  /**
   * Asked for when it is needed first; many webhooks never do. Shared by the runs of the same webhook of the same version, as a draft or
   * published: what a program deployed may be allowed less until it is.
   */
  ofWebhook(webhook: Omit<Asked, 'kind' | 'event_id'>, channel: WebhookChannel): RunGrant {
    const run: Asked = { ...webhook, kind: 'webhook' };
    const key = JSON.stringify([channel, run.app_id, run.version, run.sha256, run.handler]);
    return new RunGrant({
      get: async () => (await this.kept.fetch(key, { context: run }))?.grant ?? null,
      refused: (grant) => {
        if (this.kept.peek(key)?.grant === grant) this.kept.delete(key);
        return true;
      },
      tenantOf: this.tenantOf,
    });
  }

  /** Of one attempt, asked for when it is needed first. */
  ofSchedule(schedule: Omit<Asked, 'kind' | 'event_id'>): RunGrant {
    let asked: Promise<string | null> | null = null;
    const ask = async (): Promise<string | null> => (await this.ask({ ...schedule, kind: 'schedule' }))?.grant ?? null;
    return new RunGrant({
      get: () => {
        asked ??= ask().catch((error: unknown) => {
          asked = null;
          throw error;
        });
        return asked;
      },
      exchange: this.exchange,
      tenantOf: this.tenantOf,
    });
  }

  /** Of one attempt at a schedule for a user. Null: the app may not act for them, or not run by itself. */
  async ofScheduleFor(userId: string, schedule: Omit<Asked, 'kind' | 'event_id'>): Promise<BegunRun | null> {
    const key = JSON.stringify([schedule.app_id, schedule.version, schedule.sha256, schedule.handler]);
    // Those for many users begin together, and are exchanged together then.
    let asked = this.underWay.get(key);
    if (!asked) {
      asked = this.ask({ ...schedule, kind: 'schedule' }).finally(() => this.underWay.delete(key));
      this.underWay.set(key, asked);
    }
    const ofNobody = await asked;
    const given = ofNobody && (await this.exchange(ofNobody.grant, userId));
    if (!given) return null;
    const { tenant_id: tenantId, scopes } = given;
    const rest = new RunGrant({ get: () => Promise.resolve(ofNobody.grant), exchange: this.exchange, tenantOf: this.tenantOf });
    return { grant: new RunGrant({ get: () => Promise.resolve(given.grant) }, rest), tenantId, userId, scopes };
  }

  /** Of one attempt to handle an event. Null: the app may not handle it, such as when its user no longer has the app. */
  async ofEvent(handler: Omit<Asked, 'kind'> & { event_id: string }): Promise<BegunRun | null> {
    const given = await this.ask({ ...handler, kind: 'event' });
    if (!given) return null;
    const { grant, tenant_id: tenantId, user_id: userId, scopes, is_removal: isRemoval = false } = given;
    return { grant: isRemoval ? this.ofRemoval(grant) : this.given(grant), tenantId, userId, scopes };
  }

  private ofRemoval(grant: string): RunGrant {
    const get = () => Promise.resolve(grant);
    return new RunGrant({ get, tenantOf: this.tenantOf, assertRemoved: (text) => this.gateway.checkRunGrant({ grant: text }) });
  }

  private async ask(run: Asked): Promise<RunGrantResponse | null> {
    return valueOf(await this.begun.add(run));
  }

  private readonly exchange = async (grant: string, userId: string): Promise<RunGrantResponse | null> =>
    valueOf(await this.exchanged.add({ grant, userId }));

  private readonly tenantOf = async (grant: string, userId: string): Promise<string | null> =>
    valueOf(await this.found.add({ grant, userId }))?.tenant_id ?? null;

  /** One that the gateway does not understand spoils nothing for the others. */
  private async begin(runs: Asked[]): Promise<Settled<RunGrantResponse | null>[]> {
    try {
      const { grants } = await this.gateway.runGrants({ runs });
      return runs.map((_run, at) => ({ value: grants[at] ?? null }));
    } catch (error) {
      if (!(error instanceof ApiError) || runs.length === 1) return runs.map(() => ({ error }));
      return (await Promise.all(runs.map((run) => this.begin([run])))).flat();
    }
  }
}

/** Of each user what the gateway answers to their grant, with one request for each grant. */
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
