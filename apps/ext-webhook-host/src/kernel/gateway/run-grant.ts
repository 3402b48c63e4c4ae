import { ApiError } from '@platform/client';
import type { RunGrantResponse } from '@platform/contracts';
import { RunErrors } from '../../handlers/run-errors.js';

/** Source of the grant with which a run calls the gateway. */
export interface GrantSource {
  /**
   * Returns the text of the grant; null if the gateway gives none.
   *
   * @throws ServiceUnavailable if the gateway is unreachable.
   */
  fetchGrant(): Promise<string | null>;
  /**
   * Called with a grant that the gateway has refused. Returns true if `fetchGrant` can return
   * another one.
   */
  discardGrant?(grant: string): boolean;
  /**
   * Exchanges the grant of a schedule for that of a user; null if the app may not act for the user.
   *
   * @throws ServiceUnavailable if the gateway is unreachable.
   */
  exchangeGrant?(grant: string, userId: string): Promise<RunGrantResponse | null>;
  /**
   * Tenant of a user for whom the app may act; null for other users.
   *
   * @throws ServiceUnavailable if the gateway is unreachable.
   */
  findTenantId?(grant: string, userId: string): Promise<string | null>;
  /**
   * Checks that the user has not installed the app again. Set only for a run that handles the
   * removal of the app.
   *
   * @throws ApiError if the user has; ServiceUnavailable if the gateway is unreachable.
   */
  assertAppRemoved?(grant: string): Promise<void>;
}

/** The same run, acting for one user. */
export interface UserGrant {
  grant: RunGrant;
  tenantId: string;
  scopes: string[];
}

/**
 * Grant with which a run calls the gateway: a text that proves for which user the run acts, and
 * that only the gateway makes and reads. It is fetched at its first use and sent to the gateway
 * only. The text cannot be read from this object, so that it gets into no log and to no handler.
 */
export class RunGrant {
  readonly #source: GrantSource;
  readonly #ofNobody: RunGrant | null;
  readonly #users = new Map<string, Promise<UserGrant | null>>();
  readonly #tenants = new Map<string, Promise<string | null>>();

  /**
   * @param ofNobody grant of the run without a user that continues for this user. Other users are
   * requested with it.
   */
  constructor(source: GrantSource, ofNobody: RunGrant | null = null) {
    this.#source = source;
    this.#ofNobody = ofNobody;
  }

  /**
   * Calls `ask` with the text of the grant, and returns its result. If the gateway refuses a cached
   * grant, it tries once more with a new one.
   *
   * @throws ExtensionError RUN_REFUSED if the gateway gives no grant, or refuses the grant;
   * ServiceUnavailable while the gateway is unreachable; the errors of `ask`.
   */
  async callWithGrant<Answer>(ask: (grant: string) => Promise<Answer>): Promise<Answer> {
    for (let isFirst = true; ; isFirst = false) {
      const grant = await this.#source.fetchGrant();
      if (grant === null) throw RunErrors.refused();
      try {
        return await ask(grant);
      } catch (error) {
        if (!isGrantRefusal(error)) throw error;
        // The refused request had no effect. A cached grant may have expired.
        const isWorthAnother = this.#source.discardGrant?.(grant) ?? false;
        if (!isFirst || !isWorthAnother) throw RunErrors.refused(error);
      }
    }
  }

  /**
   * The same run for a user; asked once for each user.
   *
   * @throws ExtensionError USER_NOT_AVAILABLE if the app, or a run of this kind, may not act for
   * the user; RUN_REFUSED if the gateway refuses the grant; ServiceUnavailable while it is
   * unreachable.
   */
  getUserGrant(userId: string): Promise<UserGrant> {
    if (this.#ofNobody) return this.#ofNobody.getUserGrant(userId);
    return askedOnce(this.#users, userId, () => this.#exchanged(userId));
  }

  /**
   * Tenant of a user for whom the app may act; asked once for each user.
   *
   * @throws ExtensionError USER_NOT_AVAILABLE if the app may not act for the user; RUN_REFUSED if
   * the gateway refuses the grant; ServiceUnavailable while it is unreachable.
   */
  getTenantId(userId: string): Promise<string> {
    if (this.#ofNobody) return this.#ofNobody.getTenantId(userId);
    return askedOnce(this.#tenants, userId, () =>
      this.callWithGrant(async (grant) => (await this.#source.findTenantId?.(grant, userId)) ?? null),
    );
  }

  /** True if the run handles the removal of the app by its user. */
  get handlesRemoval(): boolean {
    return this.#source.assertAppRemoved !== undefined;
  }

  /**
   * Checks that the user has not installed the app again, in a run for which `handlesRemoval` is
   * true. Asks the gateway each time.
   *
   * @throws ExtensionError RUN_REFUSED if the user has; ServiceUnavailable while the gateway is
   * unreachable.
   */
  assertAppRemoved(): Promise<void> {
    return this.callWithGrant(async (grant) => this.#source.assertAppRemoved?.(grant));
  }

  async #exchanged(userId: string): Promise<UserGrant | null> {
    const given = await this.callWithGrant(
      async (grant) => (await this.#source.exchangeGrant?.(grant, userId)) ?? null,
    );
    return (
      given && {
        grant: new RunGrant({ fetchGrant: () => Promise.resolve(given.grant) }, this),
        tenantId: given.tenant_id,
        scopes: given.scopes,
      }
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

/** True if the gateway refused the grant. The request then had no effect. */
export const isGrantRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code.startsWith('run_grant.');
