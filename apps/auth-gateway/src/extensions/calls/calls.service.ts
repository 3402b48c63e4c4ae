import { Injectable } from '@nestjs/common';
import { DEFAULT_TENANT, type BatchCallRequest, type CallRequest, type CallResponse } from '@platform/contracts';
import { lastingNarrowing, type UserCaller } from '@platform/guards';
import type { CancellationSignal } from '@platform/platform';
import pLimit from 'p-limit';
import { CallAdmissionService } from './call-admission.service.js';
import { CallQuotasService } from './call-quotas.service.js';
import { CallTargetsService } from './call-targets.service.js';
import { CallErrors } from './calls.errors.js';
import { FunctionCallsService } from './function-calls.service.js';
import { failureResponse, refusalOf } from './function-error.js';

const BATCH_AT_ONCE = 8;

/** Calls functions of apps for a user. */
@Injectable()
export class CallsService {
  constructor(
    private readonly targets: CallTargetsService,
    private readonly functions: FunctionCallsService,
    private readonly quotas: CallQuotasService,
    private readonly admission: CallAdmissionService,
  ) {}

  /**
   * Calls one function, and returns its answer, also if the function failed.
   *
   * @throws AppError 404 or 403 like `CallTargetsService.getTarget`, 403 `other_tenant` if
   * `tenant_id` names another tenant, 402 if the user cannot pay or has reached a spending limit,
   * 409 if they did not agree to the price, 429 above a rate limit or concurrency limit, or if the
   * plan has no calls left this month.
   */
  async call(user: UserCaller, appId: string, request: CallRequest, signal: CancellationSignal): Promise<CallResponse> {
    assertTenant(user, request.tenant_id);
    await this.quotas.consumeOfUser(user);
    const target = await this.targets.getTarget(user, appId);
    const origin = { via: 'call', user, narrowing: lastingNarrowing(user), tenantId: user.tenantId, signal } as const;
    await this.admission.admit(target, [request], origin);
    const answer = await this.functions.callInSlot(target, request, origin);
    const refusal = refusalOf(answer);
    if (refusal) throw refusal;
    return answer;
  }

  /**
   * Calls functions of one app, 8 at a time, and returns their answers in the order of the calls.
   * Each call has its own time limit, counted from its start. A call that failed or was refused has
   * the status `error`.
   *
   * @throws AppError 404 or 403 like `CallTargetsService.getTarget`, 403 `other_tenant` if
   * `tenant_id` names another tenant, 429 if a rate limit has no room for all of the calls. Nothing
   * has run then.
   */
  async callBatch(
    user: UserCaller,
    appId: string,
    { tenant_id, calls }: BatchCallRequest,
    signal: CancellationSignal,
  ): Promise<CallResponse[]> {
    assertTenant(user, tenant_id);
    await this.quotas.consumeOfUser(user, calls.length);
    const target = await this.targets.getTarget(user, appId);
    const origin = { via: 'batch', user, narrowing: lastingNarrowing(user), tenantId: user.tenantId, signal } as const;
    await this.admission.admit(target, calls, origin);
    const limit = pLimit(BATCH_AT_ONCE);
    return Promise.all(
      calls.map((call) => limit(() => this.functions.callInSlot(target, call, origin).catch(failureResponse))),
    );
  }
}

/**
 * Asserts that a request names the user's own tenant, or `default`, which clients without tenants
 * send.
 *
 * @throws AppError 403 `other_tenant` for another tenant.
 */
export function assertTenant(user: UserCaller, tenantId: string): void {
  if (tenantId !== DEFAULT_TENANT && tenantId !== user.tenantId) throw CallErrors.otherTenant();
}
