import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CallCountsService, type SpendingClass } from '@platform/billing';
import type { BatchCall, CallResponse, RunRequest } from '@platform/contracts';
import { hasScope, intersectNarrowings, type Narrowing, type UserCaller } from '@platform/guards';
import { type CancellationSignal, currentContext, newId, ConcurrencyLimit, withinTime } from '@platform/platform';
import { Counter, Histogram, Registry } from 'prom-client';
import { ActionLogService, type RecordedCall } from '../actions/action-log.service.js';
import { ExtensionHostClient } from '../../kernel/peers/extension-host/extension-host.client.js';
import { getCallScopes } from '../../kernel/scopes/platform-scopes.js';
import { intersectScopes } from '../../apps/reach/granted-scopes.js';
import { toGrantNarrowing } from '../run-grants/run-grant.js';
import { RunGrantsService } from '../run-grants/run-grants.service.js';
import { AbandonedCalls } from './abandoned-calls.js';
import { CALL_CONCURRENCY_LIMITS } from './call-concurrency-limits.js';
import type { CallTarget } from './call-targets.service.js';
import { CallChargesService, FREE_CHARGE, isCharged, type CallCharge } from './call-charges.service.js';
import { CallRefusals } from './call-refusals.js';
import { CallErrors } from './calls.errors.js';
import { failureResponse, FunctionError, FunctionErrors, successResponse } from './function-error.js';
import { findMissingKeyScope } from './key-scopes.js';
import { ParamsValidationService } from './params-validation.service.js';
import type { CalledFunction, FunctionResult } from './system-extensions.registry.js';
import { UncountedCallsService, type UncountedCaller } from './uncounted-calls.service.js';

/** Share of the time limit that the host gets. The host ends first, because its error says more. */
const SHARE_OF_HOST = 0.97;

/** The caller of a function, and how the call came about. */
export interface CallOrigin {
  via: RecordedCall['details']['via'];
  /** Null for a run without a user. */
  user: UserCaller | null;
  /**
   * Permission limit of the credential that led to the call; it also limits everything that the
   * function starts. Also set for a run without a user. Null if a person called. For a run of an
   * app, take it from the run grant, not from `user`.
   */
  narrowing: Narrowing | null;
  tenantId: string;
  /** Aborted when the caller no longer waits for the answer. */
  signal: CancellationSignal;
  /** Functions that led to the call, as `app.function`. */
  chain?: readonly string[];
  /** The calling app, for charges and records. `user.throughApp` is the app whose scopes apply. */
  fromApp?: string;
  /**
   * Hop count of events that the function publishes: one more than that of the event that caused
   * the call. Default: 0.
   */
  hop?: number | undefined;
  /** True if no user waits: a schedule, an event, a webhook or an automation started the call. */
  unattended?: boolean;
  /**
   * Key under which the call is paid once, even if a job repeats it. Default: the ID of the call.
   */
  chargeKey?: string;
  /**
   * Set if the call runs as a task after its request, for up to `seconds`. `ended` cancels it even
   * if it is paid.
   */
  task?: { id: string; seconds: number; ended: CancellationSignal };
  /** True if `consumeUncounted` was called for it. */
  isTaken?: boolean;
  /** Additional check. @throws FunctionError. */
  check?: (called: CalledFunction) => void;
}

/**
 * Runs single calls to functions of the platform and of apps: checks, runs, measures and records
 * them.
 */
@Injectable()
export class FunctionCallsService implements OnApplicationShutdown {
  /** Time limit of a call that is no task. */
  timeoutSeconds = 30;
  private readonly concurrencyLimit = new ConcurrencyLimit(CALL_CONCURRENCY_LIMITS, CallErrors.tooManyAtOnce);
  private readonly abandoned = new AbandonedCalls(CALL_CONCURRENCY_LIMITS.perRequester);
  private readonly outcomes: Counter;
  private readonly durations: Histogram;

  constructor(
    private readonly actions: ActionLogService,
    private readonly host: ExtensionHostClient,
    private readonly paramsChecks: ParamsValidationService,
    private readonly grants: RunGrantsService,
    private readonly counts: CallCountsService,
    private readonly charges: CallChargesService,
    private readonly uncounted: UncountedCallsService,
    registry: Registry,
  ) {
    this.outcomes = new Counter({
      name: 'extension_calls_total',
      help: 'Calls by outcome; `app` stands for every extension that is not part of the platform',
      labelNames: ['extension', 'outcome'],
      registers: [registry],
    });
    this.durations = new Histogram({
      name: 'extension_call_duration_seconds',
      help: 'Duration of calls, from the check of the params on',
      labelNames: ['extension'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [registry],
    });
  }

  /**
   * Runs the call when a slot of the concurrency limit is free. If the call is refused, if the
   * function fails, or if the caller disconnects during the wait (`CANCELLED`), returns an answer
   * with the status `error`. The call is recorded before this returns.
   *
   * @throws AppError 429 `rate_limited` if too many calls of the user or to the app are running, or
   * if the daily limit of calls that use up no call of a plan is reached; nothing has run then.
   */
  async callInSlot(target: CallTarget, call: BatchCall, origin: CallOrigin): Promise<CallResponse> {
    const { signal } = origin;
    try {
      return await this.withSlot(target, origin, () => this.callNow(target, call, origin), signal);
    } catch (error) {
      // The caller disconnected before a slot was free. `callNow` records that and runs nothing.
      if (signal.aborted && error === signal.reason) return this.callNow(target, call, origin);
      throw error;
    }
  }

  /**
   * Runs `work` in a slot of the concurrency limit, and returns its result. `work` must make the
   * call with `callNow`. It takes no slot and runs at once for a function of the platform, for a
   * call that an app makes, and without a user.
   *
   * @throws AppError 429 `rate_limited` if too many calls of the user or to the app are running;
   * the reason of `signal` if that is aborted during the wait.
   */
  withSlot<T>(
    { appId, isSystem }: CallTarget,
    { via, user }: Pick<CallOrigin, 'via' | 'user'>,
    work: () => Promise<T>,
    signal?: CancellationSignal,
  ): Promise<T> {
    if (isSystem || via === 'extension' || !user) return work();
    return this.concurrencyLimit.runInSlot({ app: appId, from: user.userId }, work, signal);
  }

  /**
   * Waits for abandoned calls to end, because they are charged. No other call can begin at this
   * point.
   */
  onApplicationShutdown(): Promise<void> {
    return this.abandoned.waitUntilEnded();
  }

  /**
   * Asserts that the user can begin another paid call: fewer than 64 paid calls that the user made
   * in person or by API key are still running in this process after their caller disconnected.
   *
   * @throws AppError 429 `rate_limited` otherwise.
   */
  assertRoomForPaidCall({ userId }: UserCaller): void {
    if (!this.abandoned.hasRoom(callerOf({ userId }, {}))) throw CallErrors.tooManyAtOnce();
  }

  /**
   * Counts the call for the daily limits of `UncountedCallsService` if it uses up no call of a
   * plan. Do this before `callNow` with `isTaken`.
   *
   * @throws AppError 429 `rate_limited` if such a limit is reached.
   */
  async consumeUncounted(target: CallTarget, origin: Pick<CallOrigin, 'user' | 'fromApp'>): Promise<void> {
    if (!isCounted(target, origin)) await this.uncounted.consume(uncountedCallerOf(target, origin));
  }

  /**
   * Runs the call at once, without a slot of the concurrency limit. Answers like `callInSlot`; with
   * the error `CANCELLED` if `signal` is aborted before the function began or during a free call.
   *
   * @throws AppError 429 `rate_limited` if the daily limit of calls that use up no call of a plan
   * is reached; nothing has run then.
   */
  async callNow(target: CallTarget, call: BatchCall, origin: CallOrigin): Promise<CallResponse> {
    const extension = target.isSystem ? target.appId : 'app';
    const end = this.durations.startTimer({ extension });
    const id = newId('act');
    const { user } = origin;
    const mayCount = isCounted(target, origin);
    if (!mayCount && !origin.isTaken) await this.uncounted.consume(uncountedCallerOf(target, origin));
    const counted: { charge: CallCharge | null } = { charge: null };
    let ended = (): void => undefined;
    const attempt = async () => {
      const { run } = this.validateCall(target, call, origin);
      counted.charge = await this.reserve(id, target, call.function, origin);
      const charge = counted.charge ?? FREE_CHARGE;
      // Nothing has run, so nothing is paid.
      assertCallerConnected(origin);
      if (charge !== FREE_CHARGE && user) ended = this.abandoned.watch(callerOf(user, origin), origin.signal);
      return this.runWithinTimeLimit(run, target, call, origin, charge);
    };
    const answer = await attempt().then(successResponse, failureResponse);
    const { charge } = counted;
    // The call was refused before it ran. Above this limit its action is not recorded either.
    if (mayCount && !charge) await this.uncounted.consume(uncountedCallerOf(target, origin));
    const price = charge ? await charge.end(answer.status === 'success') : 0;
    const seconds = end();
    this.outcomes.inc({ extension, outcome: outcomeOf(target, answer) });
    await this.recordAction({ id, price }, target, call.function, origin, answer, seconds * 1_000).finally(ended);
    return answer;
  }

  /**
   * Checks a call without running it, and returns the called function. An app that calls for a user
   * also needs one of `getCallScopes`, however the call comes about.
   *
   * @throws FunctionError `UNKNOWN_SUB_FUNCTION` if the function does not exist,
   * `PERMISSION_DENIED` if the caller lacks a permission, `VALIDATION_*` if the params are invalid;
   * or the error of the additional `check`.
   */
  validateCall(
    target: CallTarget,
    { function: name, params }: BatchCall,
    { user, check }: Pick<CallOrigin, 'user' | 'check'>,
  ): CalledFunction {
    const called = target.functions.get(name);
    if (!called) throw FunctionErrors.unknown(target.appId, name);
    const needed = called.required_scopes.filter((scope) => scope !== '*');
    if (!user && needed.length) throw FunctionErrors.needsUser();
    const lacking = needed.filter((scope) => user && !hasScope(user.scopes, scope));
    const notGiven = lacking.filter((scope) => user?.keyScopes && !hasScope(user.keyScopes, scope));
    if (notGiven.length) throw FunctionErrors.keyLacks(notGiven);
    if (lacking.length) throw FunctionErrors.permissionDenied(lacking);
    const isThroughApp = user?.throughApp !== undefined;
    if (isThroughApp) assertExposed(target, user, called);
    // The scopes of a run decide which apps it can call. The key already limits these scopes.
    const lacked = findMissingKeyScope(user, isThroughApp ? null : target.appId, called.key_scope);
    if (lacked !== null) throw FunctionErrors.keyLacks([lacked]);
    check?.(called);
    this.paramsChecks.validateParams(called.params_schema, params ?? {});
    return called;
  }

  /** Number of calls that `validateCall` accepts. */
  countValid(target: CallTarget, calls: readonly BatchCall[], origin: Pick<CallOrigin, 'user' | 'check'>): number {
    return calls.filter((call) => {
      try {
        return Boolean(this.validateCall(target, call, origin));
      } catch (error) {
        if (error instanceof FunctionError) return false;
        throw error;
      }
    }).length;
  }

  /**
   * Reserves the price of the call, then counts the call for the plan: a call that cannot be paid
   * uses up no call of the plan. Free and not counted are functions of the platform, the user's own
   * apps, calls of an app to itself, and runs without a user.
   *
   * @returns null for a call that is not counted, or whose caller has disconnected.
   * @throws CallRefusal if the user has no calls or credits left, did not agree to the price, or
   * has too many abandoned calls; FunctionError `CANCELLED` if the caller disconnects meanwhile.
   */
  private async reserve(id: string, target: CallTarget, name: string, origin: CallOrigin): Promise<CallCharge | null> {
    const { user, fromApp, chargeKey: key = id } = origin;
    if (!user || origin.signal.aborted || !isCounted(target, origin)) return null;
    const charge = await this.charges.reserve({
      target,
      function: name,
      user,
      fromApp,
      key,
      spendingClass: spendingClassOf(origin),
    });
    try {
      // A caller that disconnected during the wait for the wallet loses no call of the plan either.
      assertCallerConnected(origin);
      if (charge !== FREE_CHARGE && !this.abandoned.hasRoom(callerOf(user, origin)))
        throw CallRefusals.tooManyAbandoned();
      const taken = await this.counts.countCall(user.userId);
      if (!taken.granted) throw CallRefusals.usageLimit(taken);
      return charge;
    } catch (error) {
      await charge.end(false);
      throw error;
    }
  }

  /**
   * Runs the function within its time limit. A free call ends when its caller disconnects. A paid
   * call continues: otherwise a caller could disconnect between the effect and the answer, and pay
   * nothing. Only `ended` of its task ends it early.
   *
   * @throws FunctionError `BACKEND_TIMEOUT` after the time limit, `CANCELLED` if the call is ended;
   * or the error of the function.
   */
  private runWithinTimeLimit(
    run: CalledFunction['run'],
    target: CallTarget,
    call: BatchCall,
    origin: CallOrigin,
    charge: CallCharge,
  ): Promise<FunctionResult> {
    const { signal: gone, task } = origin;
    const seconds = task?.seconds ?? this.timeoutSeconds;
    const cancels = charge === FREE_CHARGE ? gone : task?.ended;
    const limit = {
      ms: seconds * 1_000,
      timeout: () => FunctionErrors.timeout(seconds),
      ...(cancels && { signal: cancels, cancelled: () => FunctionErrors.callerGone() }),
    };
    return withinTime(limit, async (signal) => {
      const params = call.params ?? {};
      if (!run) return this.runOnHost(target, call.function, params, origin, signal);
      if (!origin.user) throw FunctionErrors.needsUser();
      return run({ user: origin.user, signal }, params);
    });
  }

  private async runOnHost(
    { appId, version, channel, account, granted, narrowing: ofVersion }: CallTarget,
    name: string,
    params: Record<string, unknown>,
    { via, user, narrowing: ofCaller, tenantId, chain: before = [], hop = 0, unattended, task }: CallOrigin,
    signal: CancellationSignal,
  ): Promise<FunctionResult> {
    if (!version) throw FunctionErrors.noDocument();
    const timeoutMs = Math.ceil((task?.seconds ?? this.timeoutSeconds) * 1_000 * SHARE_OF_HOST);
    const chain = [...before, `${appId}.${name}`];
    const scopes = user ? intersectScopes(user.scopes, granted) : [];
    const narrowing = toGrantNarrowing(intersectNarrowings(ofCaller, ofVersion));
    const { grant, end } = this.grants.startRun(
      {
        ...{ appId, ...version, tenantId, userId: user?.userId ?? null, scopes, ...narrowing, chain, hop },
        ...((unattended || via === 'automation') && { unattended: true as const }),
        ...(task && { taskId: task.id }),
      },
      timeoutMs,
    );
    const request: RunRequest = {
      grant,
      app_id: appId,
      ...version,
      function: name,
      params,
      user:
        user && account
          ? { ...account, user_id: user.userId, tenant_id: tenantId, role: user.role, scopes: [...scopes] }
          : null,
      tenant_id: tenantId,
      chain,
      timeout_ms: timeoutMs,
      channel,
      hop,
      ...(task && { is_task: true }),
    };
    const answer = await this.host.runFunction(request, signal).finally(end);
    const { status, data, summary, ui, error, error_code, retryable } = answer;
    if (status === 'error')
      throw new FunctionError(error_code ?? 'INTERNAL', error ?? 'The function failed.', { retryable, data });
    return { data, ui, ...(summary !== null && { summary }) };
  }

  private recordAction(
    { id, price }: { id: string; price: number },
    target: CallTarget,
    name: string,
    origin: CallOrigin,
    answer: CallResponse,
    durationMs: number,
  ): Promise<void> {
    const requestId = currentContext()?.requestId;
    return this.actions.record({
      id,
      userId: origin.user?.userId ?? null,
      tenantId: origin.tenantId,
      appId: target.appId,
      function: name,
      actionType: target.functions.get(name)?.action_type ?? null,
      status: answer.status,
      errorCode: answer.error_code,
      error: answer.error,
      durationMs,
      actionPrice: price,
      extensionPrice: price,
      details: {
        via: origin.via,
        ...(requestId && { chain_id: requestId }),
        ...(origin.fromApp && { from_app: origin.fromApp }),
      },
    });
  }
}

/** True if the call uses up a call of the user's plan once it is accepted. */
const isCounted = (target: CallTarget, { user, fromApp }: Pick<CallOrigin, 'user' | 'fromApp'>): boolean =>
  user !== null && isCharged(target, user, fromApp);

const uncountedCallerOf = (
  { appId }: CallTarget,
  { user, fromApp }: Pick<CallOrigin, 'user' | 'fromApp'>,
): UncountedCaller => ({
  userId: user?.userId ?? null,
  fromApp: fromApp ?? null,
  appId,
});

/** @throws FunctionError `CANCELLED` if the caller no longer waits for the answer. */
function assertCallerConnected({ signal }: CallOrigin): void {
  if (signal.aborted) throw FunctionErrors.callerGone();
}

/**
 * Key of the limit of abandoned calls. Each app has its own, so abandoned calls of an app do not
 * limit the user's other calls.
 */
const callerOf = ({ userId }: Pick<UserCaller, 'userId'>, { fromApp }: Pick<CallOrigin, 'fromApp'>): string =>
  `${userId} ${fromApp ?? ''}`;

/**
 * Returns the class of the call, which selects the user's monthly spending limit: `unattended` if
 * the origin says that no user waits for the call, and for an automation that an app wrote;
 * `other_apps` for any other call that an app makes. Null if the user calls in person, as a task,
 * or by an automation that the user wrote: no limit applies.
 */
function spendingClassOf({ via, unattended, user }: CallOrigin): SpendingClass | null {
  if (unattended) return 'unattended';
  if (via === 'extension') return 'other_apps';
  return via === 'automation' && user?.throughApp !== undefined ? 'unattended' : null;
}

/** @throws FunctionError `PERMISSION_DENIED` if the calling app has no scope for this function. */
function assertExposed({ appId }: CallTarget, user: UserCaller, called: CalledFunction): void {
  const scopes = getCallScopes(appId, called);
  if (!scopes.some((scope) => hasScope(user.scopes, scope))) throw FunctionErrors.notExposed(scopes);
}

/**
 * Returns the outcome of a call for the metric: its error code, or its status without one. For an
 * error code that is not in `OWN_CODES`, the outcome of an app's call is `error`: apps define such
 * codes, and their number has no limit.
 */
const outcomeOf = ({ isSystem }: CallTarget, { status, error_code }: CallResponse): string =>
  isSystem || (error_code !== null && OWN_CODES.has(error_code)) ? (error_code ?? status) : status;

const OWN_CODES: ReadonlySet<string> = new Set([
  'BACKEND_5XX',
  'BACKEND_TIMEOUT',
  'BUDGET_EXCEEDED',
  'CANCELLED',
  'INSUFFICIENT_CREDITS',
  'INTERNAL',
  'PERMISSION_DENIED',
  'PRICE_NOT_AGREED',
  'SPENDING_LIMIT_REACHED',
  'STEP_FAILED',
  'TIMEOUT',
  'UNKNOWN_SUB_FUNCTION',
  'USAGE_LIMIT_EXCEEDED',
  'VALIDATION_MISSING_FIELD',
  'VALIDATION_TYPE_ERROR',
]);
