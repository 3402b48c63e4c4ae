import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CallCounts, type SpendingClass } from '@platform/billing';
import type { BatchCall, CallResponse, RunRequest } from '@platform/contracts';
import { hasScope, narrower, type Narrowing, type UserCaller } from '@platform/guards';
import { type CancellationSignal, currentContext, newId, Places, withinTime } from '@platform/platform';
import { Counter, Histogram, Registry } from 'prom-client';
import { ActionLog, type MadeCall } from '../actions/action-log.js';
import { ExtensionHostClient } from '../../kernel/peers/extension-host/extension-host-client.js';
import { scopesToCall } from '../../kernel/scopes/platform-scopes.js';
import { scopesInForce } from '../../apps/reach/granted-scopes.js';
import { narrowingInGrant } from '../run-grants/run-grant.js';
import { RunGrants } from '../run-grants/run-grants.service.js';
import { AbandonedCalls } from './abandoned-calls.js';
import { CALL_PLACES } from './call-places.js';
import type { CallTarget } from './call-targets.js';
import { CallCharges, FREE, isCharged, type CallCharge } from './call-charges.js';
import { CallRefusals } from './call-refusals.js';
import { CallErrors } from './calls.errors.js';
import { failed, FunctionError, FunctionErrors, succeeded } from './function-error.js';
import { lackedByKey } from './key-may-call.js';
import { ParamsChecks } from './params-checks.js';
import type { CalledFunction, FunctionResult } from './system-extension.js';
import { UncountedCalls, type UncountedCaller } from './uncounted-calls.js';

/** The host gives up first, and can say more of it. */
const SHARE_OF_HOST = 0.97;

/** For whom a function is called, and how it came to that. */
export interface CallOrigin {
  via: MadeCall['details']['via'];
  /** Null for a run of no user. */
  user: UserCaller | null;
  /**
   * What the credential was given that led to the call, also where it is for nobody: what the function leads to gets no more. Null where
   * that was a person. It does not come from `user`: of a run of an app its grant says it.
   */
  narrowing: Narrowing | null;
  tenantId: string;
  /** Aborted when nobody waits for the answer any more. */
  signal: CancellationSignal;
  /** The functions that led to the call, as `app.function`. */
  chain?: readonly string[];
  /** For the record. Which app calls as the user says `user.throughApp`. */
  fromApp?: string;
  /** Of the events that the function publishes; one more than that of the event that caused the call. 0 unless told. */
  hop?: number | undefined;
  /** Nobody is there: the call follows from a schedule, an event, a webhook or an automation. */
  unattended?: boolean;
  /** By which the call is paid once, however often a job makes it; absent: by the call itself. */
  chargeKey?: string;
  /** It goes on after its request: for so long, as a run of this task. `ended` ends it also where it is paid. */
  task?: { id: string; seconds: number; ended: CancellationSignal };
  /** `takeUncounted` was called for it. */
  isTaken?: boolean;
  /** A further check. @throws FunctionError. */
  check?: (called: CalledFunction) => void;
}

/** Calls of one function each, of whatever kind the extension is: checked, run, measured and recorded. */
@Injectable()
export class FunctionCalls implements OnApplicationShutdown {
  /** Of each call. */
  timeoutSeconds = 30;
  private readonly places = new Places(CALL_PLACES, CallErrors.tooManyAtOnce);
  private readonly abandoned = new AbandonedCalls(CALL_PLACES.perAsker);
  private readonly outcomes: Counter;
  private readonly durations: Histogram;

  constructor(
    private readonly actions: ActionLog,
    private readonly host: ExtensionHostClient,
    private readonly paramsChecks: ParamsChecks,
    private readonly grants: RunGrants,
    private readonly counts: CallCounts,
    private readonly charges: CallCharges,
    private readonly uncounted: UncountedCalls,
    registry: Registry,
  ) {
    this.outcomes = new Counter({
      name: 'extension_calls_total',
      help: 'Calls by what became of them; `app` stands for every extension that is not of the system',
      labelNames: ['extension', 'outcome'],
      registers: [registry],
    });
    this.durations = new Histogram({
      name: 'extension_call_duration_seconds',
      help: 'Time that a call took, from the check of its params on',
      labelNames: ['extension'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [registry],
    });
  }

  /**
   * Once there is a place for it. Answers also when the function failed, and not before the call is recorded.
   *
   * @throws AppError 429 when too much of the user or of the app is under way, or `UncountedCalls` refuses it; then nothing has run.
   */
  async run(target: CallTarget, call: BatchCall, origin: CallOrigin): Promise<CallResponse> {
    const { signal } = origin;
    try {
      return await this.inPlace(target, origin, () => this.runNow(target, call, origin), signal);
    } catch (error) {
      // Whoever has gone while it waited: that is recorded, and nothing runs.
      if (signal.aborted && error === signal.reason) return this.runNow(target, call, origin);
      throw error;
    }
  }

  /**
   * Runs `work`, which makes the call by `runNow`, while it holds a place.
   *
   * @throws AppError 429, as `run`, or the reason of `signal` when that is aborted while it waits.
   */
  inPlace<T>(
    { appId, isSystem }: CallTarget,
    { via, user }: Pick<CallOrigin, 'via' | 'user'>,
    work: () => Promise<T>,
    signal?: CancellationSignal,
  ): Promise<T> {
    if (isSystem || via === 'extension' || !user) return work();
    return this.places.with({ app: appId, from: user.userId }, work, signal);
  }

  /** Nobody waits for calls that were abandoned, but they are charged. By now no other call can begin. */
  onApplicationShutdown(): Promise<void> {
    return this.abandoned.ended();
  }

  /** @throws AppError 429 where a paid call of the user would be refused, since too many go on that they have left. */
  assertRoom({ userId }: UserCaller): void {
    if (!this.abandoned.hasRoom(callerOf({ userId }, {}))) throw CallErrors.tooManyAtOnce();
  }

  /** Takes the call off the limit of `UncountedCalls`, where it counts for no plan, before `runNow` makes it with `isTaken`. @throws AppError 429. */
  async takeUncounted(target: CallTarget, origin: Pick<CallOrigin, 'user' | 'fromApp'>): Promise<void> {
    if (!isCounted(target, origin)) await this.uncounted.take(uncountedCallerOf(target, origin));
  }

  /** The call itself, without asking for a place. Answers as `run`. */
  async runNow(target: CallTarget, call: BatchCall, origin: CallOrigin): Promise<CallResponse> {
    const extension = target.isSystem ? target.appId : 'app';
    const end = this.durations.startTimer({ extension });
    const id = newId('act');
    const { user } = origin;
    const mayCount = isCounted(target, origin);
    if (!mayCount && !origin.isTaken) await this.uncounted.take(uncountedCallerOf(target, origin));
    const counted: { charge: CallCharge | null } = { charge: null };
    let ended = (): void => undefined;
    const attempt = async () => {
      const { run } = this.check(target, call, origin);
      counted.charge = await this.begin(id, target, call.function, origin);
      const charge = counted.charge ?? FREE;
      // Nothing has run, so nothing is paid.
      assertThere(origin);
      if (charge !== FREE && user) ended = this.abandoned.watch(callerOf(user, origin), origin.signal);
      return this.tryRun(run, target, call, origin, charge);
    };
    const answer = await attempt().then(succeeded, failed);
    const { charge } = counted;
    // It was refused before it ran. Beyond the limit its action is not recorded either.
    if (mayCount && !charge) await this.uncounted.take(uncountedCallerOf(target, origin));
    const price = charge ? await charge.end(answer.status === 'success') : 0;
    const seconds = end();
    this.outcomes.inc({ extension, outcome: outcomeOf(target, answer) });
    await this.record({ id, price }, target, call.function, origin, answer, seconds * 1_000).finally(ended);
    return answer;
  }

  /**
   * However the call comes about, an app that calls for a user needs one of `scopesToCall` beside what the function requires.
   *
   * @throws FunctionError unless the function is there, this caller may call it and the params fit.
   */
  check(target: CallTarget, { function: name, params }: BatchCall, { user, check }: Pick<CallOrigin, 'user' | 'check'>): CalledFunction {
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
    // Which apps an app may call say the scopes of its run, which are as narrow as the key.
    const lacked = lackedByKey(user, isThroughApp ? null : target.appId, called.key_scope);
    if (lacked !== null) throw FunctionErrors.keyLacks([lacked]);
    check?.(called);
    this.paramsChecks.check(called.params_schema, params ?? {});
    return called;
  }

  /** How many of the calls `check` lets pass. */
  countGood(target: CallTarget, calls: readonly BatchCall[], origin: Pick<CallOrigin, 'user' | 'check'>): number {
    return calls.filter((call) => {
      try {
        return Boolean(this.check(target, call, origin));
      } catch (error) {
        if (error instanceof FunctionError) return false;
        throw error;
      }
    }).length;
  }

  /**
   * Promises the price of the call, and counts it then: what cannot be paid uses up no calls. Free, and not counted, are the extensions of the system,
   * one's own apps, what an app calls of itself, and runs of no user.
   *
   * @returns null for a call that does not count.
   * @throws FunctionError, also where the user has no calls or credits left: a `CallRefusal`.
   */
  private async begin(id: string, target: CallTarget, name: string, origin: CallOrigin): Promise<CallCharge | null> {
    const { user, fromApp, chargeKey: key = id } = origin;
    if (!user || origin.signal.aborted || !isCounted(target, origin)) return null;
    const charge = await this.charges.begin({ target, function: name, user, fromApp, key, spendingClass: spendingClassOf(origin) });
    try {
      // Whoever left while it waited for the wallet loses no call of their plan either.
      assertThere(origin);
      if (charge !== FREE && !this.abandoned.hasRoom(callerOf(user, origin))) throw CallRefusals.tooManyAbandoned();
      const taken = await this.counts.takeCall(user.userId);
      if (!taken.granted) throw CallRefusals.usageLimit(taken);
      return charge;
    } catch (error) {
      await charge.end(false);
      throw error;
    }
  }

  /** What is paid goes on when the caller has gone: else whoever goes after the effect and before the answer would have it for nothing. */
  private tryRun(
    run: CalledFunction['run'],
    target: CallTarget,
    call: BatchCall,
    origin: CallOrigin,
    charge: CallCharge,
  ): Promise<FunctionResult> {
    const { signal: gone, task } = origin;
    const seconds = task?.seconds ?? this.timeoutSeconds;
    const cancels = charge === FREE ? gone : task?.ended;
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
    const scopes = user ? scopesInForce(user.scopes, granted) : [];
    const narrowing = narrowingInGrant(narrower(ofCaller, ofVersion));
    const { grant, end } = this.grants.begin(
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
      user: user && account ? { ...account, user_id: user.userId, tenant_id: tenantId, role: user.role, scopes: [...scopes] } : null,
      tenant_id: tenantId,
      chain,
      timeout_ms: timeoutMs,
      // An older host, which takes no such key, knows published apps alone.
      ...(channel === 'draft' && { channel }),
      hop,
      ...(task && { is_task: true }),
    };
    const answer = await this.host.run(request, signal).finally(end);
    const { status, data, summary, ui, error, error_code, retryable } = answer;
    if (status === 'error') throw new FunctionError(error_code ?? 'INTERNAL', error ?? 'The function failed.', { retryable, data });
    return { data, ui, ...(summary !== null && { summary }) };
  }

  private record(
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
      details: { via: origin.via, ...(requestId && { chain_id: requestId }), ...(origin.fromApp && { from_app: origin.fromApp }) },
    });
  }
}

/** True for a call that uses up a call of the user's plan, once it is found good. */
const isCounted = (target: CallTarget, { user, fromApp }: Pick<CallOrigin, 'user' | 'fromApp'>): boolean =>
  user !== null && isCharged(target, user, fromApp);

const uncountedCallerOf = ({ appId }: CallTarget, { user, fromApp }: Pick<CallOrigin, 'user' | 'fromApp'>): UncountedCaller => ({
  userId: user?.userId ?? null,
  fromApp: fromApp ?? null,
  appId,
});

/** @throws FunctionError where nobody waits for the answer any more. */
function assertThere({ signal }: CallOrigin): void {
  if (signal.aborted) throw FunctionErrors.callerGone();
}

/** Whose calls are counted together: one app that leaves calls takes nothing of the user's other calls. */
const callerOf = ({ userId }: Pick<UserCaller, 'userId'>, { fromApp }: Pick<CallOrigin, 'fromApp'>): string => `${userId} ${fromApp ?? ''}`;

/** Null where the user spends in person. What an automation does that the user wrote, they asked for. */
function spendingClassOf({ via, unattended, user }: CallOrigin): SpendingClass | null {
  if (unattended) return 'unattended';
  if (via === 'extension') return 'other_apps';
  return via === 'automation' && user?.throughApp !== undefined ? 'unattended' : null;
}

/** @throws FunctionError. */
function assertExposed({ appId }: CallTarget, user: UserCaller, called: CalledFunction): void {
  const scopes = scopesToCall(appId, called);
  if (!scopes.some((scope) => hasScope(user.scopes, scope))) throw FunctionErrors.notExposed(scopes);
}

/** The codes of apps are theirs, and as many as they like. */
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
