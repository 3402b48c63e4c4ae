import { Injectable } from '@nestjs/common';
import type { BatchCall } from '@platform/contracts';
import { CallQuotas } from './call-quotas.service.js';
import type { CallTarget } from './call-targets.service.js';
import { FunctionCalls, type CallOrigin } from './function-calls.service.js';

/**
 * Checks before calls, however they come about. Checks of a single call, such as its price, run
 * when the call begins.
 */
@Injectable()
export class CallAdmission {
  constructor(
    private readonly functions: FunctionCalls,
    private readonly quotas: CallQuotas,
  ) {}

  /**
   * Counts the calls for the rate limits of the app's developer, without those that
   * `FunctionCalls.check` refuses.
   *
   * @throws AppError 429 `rate_limited` if the limit of the developer's tier, or the user's quarter
   * of it, has no room for them.
   */
  async admit(
    target: CallTarget,
    calls: readonly BatchCall[],
    origin: Pick<CallOrigin, 'user' | 'check'>,
  ): Promise<void> {
    await this.quotas.ofApp(target, origin.user, this.functions.countGood(target, calls, origin));
  }
}
