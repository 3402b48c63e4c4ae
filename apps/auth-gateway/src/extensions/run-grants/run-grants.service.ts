import { Inject, Injectable } from '@nestjs/common';
import { callerFieldsOfKey, intersectNarrowings, type UserCaller } from '@platform/guards';
import { newId } from '@platform/platform';
import { CONFIG, type Config } from '../../config.js';
import { intersectScopes } from '../../apps/reach/granted-scopes.js';
import { GrantRefusalsService } from './grant-refusals.service.js';
import {
  narrowingOfGrant,
  toGrantNarrowing,
  openGrant,
  otherAppsOfGrant,
  sealGrant,
  type RunGrant,
} from './run-grant.js';
import { RunGrantErrors, type Refusal } from './run-grants.errors.js';
import { refusalIn, RunEligibilityService, type Eligibility } from './run-eligibility.service.js';

/**
 * Extra lifetime of a grant after the time limit of its run, for requests that are still in
 * progress.
 */
const MARGIN_MS = 5_000;
/**
 * Time in which a finished run can still be reported: the gateway may have been unavailable when it
 * ended.
 */
export const REPORT_PERIOD_MS = 24 * 3_600_000;

/** A run of a function that this process started. */
export type StartedRun = Omit<RunGrant, 'runId' | 'kind' | 'eventId' | 'expiresAt'>;

/** A run, and the user for whom it can act now. */
export interface AllowedRun extends Omit<RunGrant, 'scopes'> {
  /**
   * Has those scopes of the run that the app and the user still have. Null for a run without a
   * user.
   */
  user: UserCaller | null;
}

/** Makes and opens run grants, and checks at each use that they still hold. */
@Injectable()
export class RunGrantsService {
  /** Marks the runs that this process starts. */
  private readonly here = newId('run');
  private begun = 0;
  /** Runs of this process that have not ended. */
  private readonly running = new Set<string>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly eligibility: RunEligibilityService,
    private readonly refusals: GrantRefusalsService,
  ) {}

  /**
   * Makes a grant for a run of a function that this process waits for. This process refuses the
   * grant after `end` was called; other processes accept it until 5 s after the time limit of the
   * run.
   */
  startRun(run: StartedRun, timeoutMs: number): { grant: string; end: () => void } {
    const runId = `${this.here}:${++this.begun}`;
    this.running.add(runId);
    const grant = this.createGrant({
      ...run,
      runId,
      kind: 'function',
      eventId: null,
      expiresAt: Date.now() + timeoutMs + MARGIN_MS,
    });
    return { grant, end: () => this.running.delete(runId) };
  }

  createGrant(grant: RunGrant): string {
    return sealGrant(this.config.SECRET_KEYS, grant);
  }

  /**
   * Reads a grant without checking that its app can still act. Use it only for reports about a run.
   * Refused grants are recorded in the audit log (`GrantRefusalsService`).
   *
   * @param afterwardsMs milliseconds for which an expired grant is accepted. If it is above 0, an
   * ended run is accepted, too.
   * @throws AppError 403 `run_grant.invalid` if the text is no grant of this platform,
   * `run_grant.expired` after its lifetime, `run_grant.ended` if this process started the run and
   * it has ended.
   */
  async parseGrant(text: string, afterwardsMs = 0): Promise<RunGrant> {
    const grant = openGrant(this.config.SECRET_KEYS, text);
    if (!grant) {
      await this.refusals.recordRefusal('invalid', null);
      throw RunGrantErrors.invalid();
    }
    if (grant.expiresAt + afterwardsMs <= Date.now()) {
      await this.refusals.recordRefusal('expired', grant);
      throw RunGrantErrors.expired();
    }
    if (!afterwardsMs && this.hasEnded(grant)) {
      await this.refusals.recordRefusal('ended', grant);
      throw RunGrantErrors.ended();
    }
    return grant;
  }

  /**
   * Returns the run of a grant, with the user for whom it can act now. With `afterwardsMs`, any
   * version of the app is accepted. A run that tells the app about its removal is refused: use
   * `authorizeOwn` for it.
   *
   * @param afterwardsMs see `parseGrant`.
   * @throws AppError 403 like `parseGrant`, and `run_grant.refused` if the app can no longer act
   * for the user, or if another version replaced that of the run more than 10 minutes ago.
   */
  async authorize(text: string, afterwardsMs = 0): Promise<AllowedRun> {
    const grant = await this.parseGrant(text, afterwardsMs);
    return this.requireAllowedRun(grant, await this.findAllowedRun(grant, { afterwardsMs }));
  }

  /**
   * Like `authorize`, but returns null if the app can no longer act and `isDone` says that this
   * report was made before.
   *
   * @throws AppError like `authorize` otherwise.
   */
  async authorizeUnlessDone(
    text: string,
    afterwardsMs: number,
    isDone: (grant: RunGrant) => Promise<boolean>,
  ): Promise<AllowedRun | null> {
    const grant = await this.parseGrant(text, afterwardsMs);
    const run = await this.findAllowedRun(grant, { afterwardsMs });
    if (typeof run === 'string' && (await isDone(grant))) return null;
    return this.requireAllowedRun(grant, run);
  }

  /**
   * Like `authorize`, for data of the app itself that only the run receives. Also accepts a run
   * that tells the app about its removal.
   *
   * @throws AppError 403 like `authorize`; `run_grant.refused` also if such a run's user has the
   * app again.
   */
  async authorizeOwn(text: string): Promise<AllowedRun> {
    const grant = await this.parseGrant(text);
    return this.requireAllowedRun(grant, await this.findAllowedRun(grant, { mayBeUninstalled: true }));
  }

  private async findAllowedRun(
    grant: RunGrant,
    { afterwardsMs = 0, mayBeUninstalled = false },
  ): Promise<AllowedRun | Refusal> {
    const { appId, userId, version, sha256, key, apps, isUninstalled = false } = grant;
    // Refused even if the user has installed the app again: this run belongs to the old
    // installation.
    if (isUninstalled && !mayBeUninstalled) return 'not_installed';
    const eligibility = await this.eligibility.findEligibility({
      appId,
      userId,
      key,
      apps: apps ?? null,
      hasBegun: true,
      isUninstalled,
      ...(!afterwardsMs && { version: { version, sha256 } }),
    });
    const refusal = refusalIn(eligibility, grant.tenantId);
    if (refusal) return refusal;
    const run = { ...grant, ...toGrantNarrowing(intersectNarrowings(narrowingOfGrant(grant), eligibility.narrowing)) };
    return { ...run, user: callerOf(eligibility, run) };
  }

  private requireAllowedRun(grant: RunGrant, run: AllowedRun | Refusal): AllowedRun | Promise<never> {
    return typeof run === 'string' ? this.refuse(grant, run) : run;
  }

  /**
   * Records that the grant is refused, and always throws.
   *
   * @throws AppError 403 `run_grant.refused` with the text for the reason `why`.
   */
  async refuse(grant: Omit<RunGrant, 'scopes'>, why: Refusal): Promise<never> {
    await this.refusals.recordRefusal(why, { ...grant, scopes: [] });
    throw RunGrantErrors.refused(why);
  }

  private hasEnded({ runId }: RunGrant): boolean {
    return runId.startsWith(`${this.here}:`) && !this.running.has(runId);
  }
}

function callerOf({ user }: Eligibility, run: RunGrant): UserCaller | null {
  const { appId, scopes, narrowing, key } = run;
  const otherApps = otherAppsOfGrant(run);
  return (
    user && {
      kind: 'user',
      ...user,
      scopes: intersectScopes(user.scopes, scopes),
      throughApp: appId,
      ...(otherApps.length && { otherApps }),
      ...(narrowing && { narrowedTo: narrowing }),
      ...callerFieldsOfKey(key),
    }
  );
}
