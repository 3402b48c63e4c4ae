import { Inject, Injectable } from '@nestjs/common';
import { DEFAULT_TENANT, type BatchCall, type BatchCallRequest, type CallRequest, type CallResponse } from '@platform/contracts';
import { hasScope, type UserCaller } from '@platform/guards';
import pLimit from 'p-limit';
import { Counter, Histogram, Registry } from 'prom-client';
import { CallTargets, type CallTarget } from './call-targets.js';
import { CallErrors } from './calls.errors.js';
import { failed, FunctionErrors, RUNTIME_UNAVAILABLE, succeeded } from './function-error.js';
import { ParamsChecks } from './params-checks.js';
import type { FunctionResult } from './system-extension.js';

/** Of each call, also of those in a batch. */
const TIMEOUT_SECONDS = 30;
const BATCH_AT_ONCE = 8;

/** Calls of functions of extensions, for a user. */
@Injectable()
export class Calls {
  private readonly outcomes: Counter;
  private readonly durations: Histogram;

  constructor(
    @Inject(CallTargets) private readonly targets: CallTargets,
    @Inject(ParamsChecks) private readonly paramsChecks: ParamsChecks,
    @Inject(Registry) registry: Registry,
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
   * Answers also when the function failed.
   *
   * @throws AppError 404 or 403 where the user may not call the extension, 501 where its functions cannot run yet.
   */
  async call(user: UserCaller, appId: string, request: CallRequest): Promise<CallResponse> {
    assertTenant(user, request.tenant_id);
    const target = await this.targets.get(user, appId);
    const answer = await this.run(user, target, request);
    if (answer.error_code === RUNTIME_UNAVAILABLE) throw CallErrors.runtimeUnavailable();
    return answer;
  }

  /**
   * In the order of the calls. Each has its own time and its own failure.
   *
   * @throws AppError 404 or 403 where the user may not call the extension; then nothing has run.
   */
  async batch(user: UserCaller, appId: string, { tenant_id, calls }: BatchCallRequest): Promise<CallResponse[]> {
    assertTenant(user, tenant_id);
    const target = await this.targets.get(user, appId);
    const limit = pLimit(BATCH_AT_ONCE);
    return Promise.all(calls.map((call) => limit(() => this.run(user, target, call))));
  }

  private async run(user: UserCaller, target: CallTarget, call: BatchCall): Promise<CallResponse> {
    const extension = target.isSystem ? target.appId : 'app';
    const end = this.durations.startTimer({ extension });
    const answer = await this.tryRun(user, target, call).then(succeeded, failed);
    end();
    this.outcomes.inc({ extension, outcome: answer.error_code ?? answer.status });
    return answer;
  }

  private async tryRun(user: UserCaller, target: CallTarget, { function: name, params = {} }: BatchCall): Promise<FunctionResult> {
    const called = target.functions.get(name);
    if (!called) throw FunctionErrors.unknown(target.appId, name);
    const lacking = called.required_scopes.filter((scope) => scope !== '*' && !hasScope(user.scopes, scope));
    if (lacking.length) throw FunctionErrors.permissionDenied(lacking);
    this.paramsChecks.check(called.params_schema, params);
    const { run } = called;
    if (!run) throw FunctionErrors.runtimeUnavailable();
    return withinTime((signal) => run({ user, signal }, params));
  }
}

/** `default` is what callers send who know of no tenants. */
function assertTenant(user: UserCaller, tenantId: string): void {
  if (tenantId !== DEFAULT_TENANT && tenantId !== user.tenantId) throw CallErrors.otherTenant();
}

async function withinTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(FunctionErrors.timeout(TIMEOUT_SECONDS));
      controller.abort();
    }, TIMEOUT_SECONDS * 1_000);
  });
  return Promise.race([work(controller.signal), timeout]).finally(() => clearTimeout(timer));
}
