import { Inject, Injectable } from '@nestjs/common';
import { calledBy, narrower, type UserCaller } from '@platform/guards';
import { newId } from '@platform/platform';
import { CONFIG, type Config } from '../../config.js';
import { scopesInForce } from '../../apps/reach/granted-scopes.js';
import { Refusals } from './refusals.js';
import { narrowingIn, narrowingInGrant, openGrant, otherAppsIn, sealGrant, unattendedIn, type RunGrant } from './run-grant.js';
import { RunGrantErrors, type Refusal } from './run-grants.errors.js';
import { refusalIn, RunEligibility, type Eligibility } from './run-eligibility.js';

/** Beyond the time that a run has, for what is under way by then. */
const MARGIN_MS = 5_000;
/** For telling what a run did: the gateway may have been away when it did it. */
export const TOLD_AFTERWARDS_MS = 24 * 3_600_000;

/** A run of a function, which this process began. */
export type BegunRun = Omit<RunGrant, 'runId' | 'kind' | 'eventId' | 'expiresAt'>;

/** A run, and for whom it may act now. */
export interface AllowedRun extends Omit<RunGrant, 'scopes'> {
  /** With what the run was given, as far as the app and the user may still. Null for a run of no user. */
  user: UserCaller | null;
}

/** Makes run grants, opens them, and says what they are good for at the moment they are used. */
@Injectable()
export class RunGrants {
  /** Of this process: marks the runs that it begins itself. */
  private readonly here = newId('run');
  private begun = 0;
  /** Those of this process that have not ended. */
  private readonly running = new Set<string>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly eligibility: RunEligibility,
    private readonly refusals: Refusals,
  ) {}

  /** Of a function's run, which this process waits for: the grant ends with `end`, elsewhere when the time of the run is over. */
  begin(run: BegunRun, timeoutMs: number): { grant: string; end: () => void } {
    const runId = `${this.here}:${++this.begun}`;
    this.running.add(runId);
    const grant = this.make({ ...run, runId, kind: 'function', eventId: null, expiresAt: Date.now() + timeoutMs + MARGIN_MS });
    return { grant, end: () => this.running.delete(runId) };
  }

  make(grant: RunGrant): string {
    return sealGrant(this.config.SECRET_KEYS, grant);
  }

  /**
   * What a grant says, whether or not it still holds: only for what is to be told of a run.
   *
   * @param afterwardsMs how long after its time.
   * @throws AppError 403 `run_grant.invalid`, `run_grant.expired`, and `run_grant.ended` unless it may be told afterwards.
   */
  async open(text: string, afterwardsMs = 0): Promise<RunGrant> {
    const grant = openGrant(this.config.SECRET_KEYS, text);
    if (!grant) {
      await this.refusals.record('invalid', null);
      throw RunGrantErrors.invalid();
    }
    if (grant.expiresAt + afterwardsMs <= Date.now()) {
      await this.refusals.record('expired', grant);
      throw RunGrantErrors.expired();
    }
    if (!afterwardsMs && this.hasEnded(grant)) {
      await this.refusals.record('ended', grant);
      throw RunGrantErrors.ended();
    }
    return grant;
  }

  /**
   * For whom the run may act at this moment. What is told afterwards is told by whichever version ran then. A run that tells the app of its
   * removal acts for nobody: `allowOwn` is for that one.
   *
   * @param afterwardsMs as of `open`.
   * @throws AppError 403 as of `open`, and `run_grant.refused` where what it says does not hold any more.
   */
  async allow(text: string, afterwardsMs = 0): Promise<AllowedRun> {
    const grant = await this.open(text, afterwardsMs);
    return this.orRefuse(grant, await this.runOf(grant, { afterwardsMs }));
  }

  /** As `allow`, but null where it may not act and `isDone` says that what is told was told before. */
  async allowUnlessDone(text: string, afterwardsMs: number, isDone: (grant: RunGrant) => Promise<boolean>): Promise<AllowedRun | null> {
    const grant = await this.open(text, afterwardsMs);
    const run = await this.runOf(grant, { afterwardsMs });
    if (typeof run === 'string' && (await isDone(grant))) return null;
    return this.orRefuse(grant, run);
  }

  /** As `allow`, for what is the app's own and of which nobody but the run hears: also while it is told that its user has removed it. */
  async allowOwn(text: string): Promise<AllowedRun> {
    const grant = await this.open(text);
    return this.orRefuse(grant, await this.runOf(grant, { mayBeUninstalled: true }));
  }

  private async runOf(grant: RunGrant, { afterwardsMs = 0, mayBeUninstalled = false }): Promise<AllowedRun | Refusal> {
    const { appId, userId, version, sha256, key, apps, isUninstalled = false } = grant;
    // Also when the user has it again by now: this run is not of that installation.
    if (isUninstalled && !mayBeUninstalled) return 'not_installed';
    const eligibility = await this.eligibility.find({
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
    const run = { ...grant, ...unattendedIn(grant), ...narrowingInGrant(narrower(narrowingIn(grant), eligibility.narrowing)) };
    return { ...run, user: callerOf(eligibility, run) };
  }

  private orRefuse(grant: RunGrant, run: AllowedRun | Refusal): AllowedRun | Promise<never> {
    return typeof run === 'string' ? this.refuse(grant, run) : run;
  }

  /** @throws AppError 403 `run_grant.refused`, always. */
  async refuse(grant: Omit<RunGrant, 'scopes'>, why: Refusal): Promise<never> {
    await this.refusals.record(why, { ...grant, scopes: [] });
    throw RunGrantErrors.refused(why);
  }

  private hasEnded({ runId }: RunGrant): boolean {
    return runId.startsWith(`${this.here}:`) && !this.running.has(runId);
  }
}

function callerOf({ user }: Eligibility, run: RunGrant): UserCaller | null {
  const { appId, scopes, narrowing, key } = run;
  const otherApps = otherAppsIn(run);
  return (
    user && {
      kind: 'user',
      ...user,
      scopes: scopesInForce(user.scopes, scopes),
      throughApp: appId,
      ...(otherApps.length && { otherApps }),
      ...(narrowing && { narrowedTo: narrowing }),
      ...calledBy(key),
    }
  );
}
