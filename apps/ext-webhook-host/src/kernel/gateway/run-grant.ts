import { ApiError } from '@platform/client';
import type { RunGrantResponse } from '@platform/contracts';
import { RunErrors } from '../../handlers/run-errors.js';

/** How a run comes by what it asks the gateway with. */
export interface GrantSource {
  /** Null: the gateway gives none. @throws ServiceUnavailable. */
  get(): Promise<string | null>;
  /** Told of a grant that the gateway has refused. Returns whether another may be had. */
  refused?(grant: string): boolean;
  /** The grant of a user for that of a schedule; null where the app may not act for them. @throws ServiceUnavailable. */
  exchange?(grant: string, userId: string): Promise<RunGrantResponse | null>;
  /** The tenant of a user for whom the app may act; null for anybody else. @throws ServiceUnavailable. */
  tenantOf?(grant: string, userId: string): Promise<string | null>;
  /** Only of a run that tells the app that its user has removed it. @throws ApiError when they have it again; ServiceUnavailable. */
  assertRemoved?(grant: string): Promise<void>;
}

/** A run as one user. */
export interface UserGrant {
  grant: RunGrant;
  tenantId: string;
  scopes: string[];
}

/**
 * With what a run asks the gateway: text that proves on whose behalf, which only the gateway makes and reads. It is asked for when it is
 * needed first and given to the gateway alone. It cannot be read from this object, so that it comes into no log and to no handler.
 */
export class RunGrant {
  readonly #source: GrantSource;
  readonly #ofNobody: RunGrant | null;
  readonly #users = new Map<string, Promise<UserGrant | null>>();
  readonly #tenants = new Map<string, Promise<string | null>>();

  /** @param ofNobody of the run that goes on for the user whose grant this is; it is that which other users are asked for with. */
  constructor(source: GrantSource, ofNobody: RunGrant | null = null) {
    this.#source = source;
    this.#ofNobody = ofNobody;
  }

  /** What `ask` gives. @throws ExtensionError RUN_REFUSED where the gateway gives or takes no grant; ServiceUnavailable; what `ask` throws. */
  async use<Answer>(ask: (grant: string) => Promise<Answer>): Promise<Answer> {
    for (let isFirst = true; ; isFirst = false) {
      const grant = await this.#source.get();
      if (grant === null) throw RunErrors.refused();
      try {
        return await ask(grant);
      } catch (error) {
        if (!isGrantRefusal(error)) throw error;
        // Nothing was done with it. One that was kept may have become too old.
        const isWorthAnother = this.#source.refused?.(grant) ?? false;
        if (!isFirst || !isWorthAnother) throw RunErrors.refused(error);
      }
    }
  }

  /** The same run for a user; asked once for each. @throws ExtensionError USER_NOT_AVAILABLE, RUN_REFUSED; ServiceUnavailable. */
  forUser(userId: string): Promise<UserGrant> {
    if (this.#ofNobody) return this.#ofNobody.forUser(userId);
    return askedOnce(this.#users, userId, () => this.#exchanged(userId));
  }

  /** The tenant of a user for whom the app may act, asked once for each. @throws as `forUser`. */
  tenantOf(userId: string): Promise<string> {
    if (this.#ofNobody) return this.#ofNobody.tenantOf(userId);
    return askedOnce(this.#tenants, userId, () => this.use(async (grant) => (await this.#source.tenantOf?.(grant, userId)) ?? null));
  }

  /** Whether the run tells the app that its user has removed it. */
  get tellsRemoval(): boolean {
    return this.#source.assertRemoved !== undefined;
  }

  /** Of such a run: that this is so still, asked anew each time. @throws ExtensionError RUN_REFUSED; ServiceUnavailable. */
  assertRemoved(): Promise<void> {
    return this.use(async (grant) => this.#source.assertRemoved?.(grant));
  }

  async #exchanged(userId: string): Promise<UserGrant | null> {
    const given = await this.use(async (grant) => (await this.#source.exchange?.(grant, userId)) ?? null);
    return (
      given && { grant: new RunGrant({ get: () => Promise.resolve(given.grant) }, this), tenantId: given.tenant_id, scopes: given.scopes }
    );
  }
}

async function askedOnce<Answer>(
  known: Map<string, Promise<Answer | null>>,
  userId: string,
  ask: () => Promise<Answer | null>,
): Promise<Answer> {
  let asked = known.get(userId);
  if (!asked) {
    asked = ask();
    known.set(userId, asked);
    asked.catch(() => known.delete(userId));
  }
  const answer = await asked;
  if (answer === null) throw RunErrors.userNotAvailable(userId);
  return answer;
}

/** That the gateway does not take a grant. Then it has done nothing. */
export const isGrantRefusal = (error: unknown): error is ApiError => error instanceof ApiError && error.code.startsWith('run_grant.');
