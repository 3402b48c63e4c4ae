import { Injectable } from '@nestjs/common';
import { DEFAULT_TENANT, type BatchCallRequest, type CallRequest, type CallResponse } from '@platform/contracts';
import { lastingNarrowing, type UserCaller } from '@platform/guards';
import type { CancellationSignal } from '@platform/platform';
import pLimit from 'p-limit';
import { CallAdmission } from './call-admission.js';
import { CallQuotas } from './call-quotas.js';
import { CallTargets } from './call-targets.js';
import { CallErrors } from './calls.errors.js';
import { FunctionCalls } from './function-calls.js';
import { failed, refusalOf } from './function-error.js';

const BATCH_AT_ONCE = 8;

/** Calls of functions of extensions, for a user. */
@Injectable()
export class Calls {
  constructor(
    private readonly targets: CallTargets,
    private readonly functions: FunctionCalls,
    private readonly quotas: CallQuotas,
    private readonly admission: CallAdmission,
  ) {}

  /**
   * Answers also when the function failed.
   *
   * @throws AppError 404 or 403 where the user may not call the extension, 402 where they cannot pay for the call, 429 when they or all together call
   * too often, or too much at once, or they have no calls left this month.
   */
  async call(user: UserCaller, appId: string, request: CallRequest, signal: CancellationSignal): Promise<CallResponse> {
    assertTenant(user, request.tenant_id);
    await this.quotas.ofUser(user);
    const target = await this.targets.get(user, appId);
    const origin = { via: 'call', user, narrowing: lastingNarrowing(user), tenantId: user.tenantId, signal } as const;
    await this.admission.admit(target, [request], origin);
    const answer = await this.functions.run(target, request, origin);
    const refusal = refusalOf(answer);
    if (refusal) throw refusal;
    return answer;
  }

  /**
   * In the order of the calls. Each has its own time, from when it begins, and its own failure.
   *
   * @throws AppError 404 or 403 where the user may not call the extension, 429 for more calls than are left; then nothing has run.
   */
  async batch(
    user: UserCaller,
    appId: string,
    { tenant_id, calls }: BatchCallRequest,
    signal: CancellationSignal,
  ): Promise<CallResponse[]> {
    assertTenant(user, tenant_id);
    await this.quotas.ofUser(user, calls.length);
    const target = await this.targets.get(user, appId);
    const origin = { via: 'batch', user, narrowing: lastingNarrowing(user), tenantId: user.tenantId, signal } as const;
    await this.admission.admit(target, calls, origin);
    const limit = pLimit(BATCH_AT_ONCE);
    return Promise.all(calls.map((call) => limit(() => this.functions.run(target, call, origin).catch(failed))));
  }
}

/** A request names the caller's own tenant, or `default`, which is what clients send that know of no tenants. @throws AppError 403 for any other. */
export function assertTenant(user: UserCaller, tenantId: string): void {
  if (tenantId !== DEFAULT_TENANT && tenantId !== user.tenantId) throw CallErrors.otherTenant();
}
