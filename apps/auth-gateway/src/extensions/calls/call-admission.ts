import { Injectable } from '@nestjs/common';
import type { BatchCall } from '@platform/contracts';
import { CallQuotas } from './call-quotas.js';
import type { CallTarget } from './call-targets.js';
import { FunctionCalls, type CallOrigin } from './function-calls.js';

/** What is asked before calls, however they come about. What is asked of each call by itself, such as its price, is asked when it begins. */
@Injectable()
export class CallAdmission {
  constructor(
    private readonly functions: FunctionCalls,
    private readonly quotas: CallQuotas,
  ) {}

  /** Only the calls that will be made count. @throws AppError 429 when the app is called more often than its developer's tier allows. */
  async admit(target: CallTarget, calls: readonly BatchCall[], origin: Pick<CallOrigin, 'user' | 'check'>): Promise<void> {
    await this.quotas.ofApp(target, origin.user, this.functions.countGood(target, calls, origin));
  }
}
