import { Injectable } from '@nestjs/common';
import type { BatchCall } from '@platform/contracts';
import { CallQuotasService } from './call-quotas.service.js';
import type { CallTarget } from './call-targets.service.js';
import { FunctionCallsService, type CallOrigin } from './function-calls.service.js';

/**
 * Checks before calls, however they come about. Checks of a single call, such as its price, run
 * when the call begins.
 */
@Injectable()
export class CallAdmissionService {
  constructor(
    private readonly functions: FunctionCallsService,
    private readonly quotas: CallQuotasService,
  ) {}

  /**
   * Counts the calls for the rate limits of the app's developer, without those that
   * `FunctionCallsService.validateCall` refuses.
   *
   * @throws AppError 429 `rate_limited` if the limit of the developer's tier, or the user's quarter
   * of it, has no room for them.
   */
  async admit(
    target: CallTarget,
    calls: readonly BatchCall[],
    origin: Pick<CallOrigin, 'user' | 'check'>,
  ): Promise<void> {
    await this.quotas.consumeOfApp(target, origin.user, this.functions.countValid(target, calls, origin));
  }
}
