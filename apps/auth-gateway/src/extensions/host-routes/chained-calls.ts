import { Injectable } from '@nestjs/common';
import type { CallResponse, InternalCallRequest } from '@platform/contracts';
import type { CancellationSignal } from '@platform/platform';
import { CallAdmission } from '../calls/call-admission.js';
import { CallTargets } from '../calls/call-targets.js';
import { FunctionCalls } from '../calls/function-calls.js';
import { failed, FunctionErrors } from '../calls/function-error.js';
import { narrowingIn } from '../run-grants/run-grant.js';
import { RunGrants, type AllowedRun } from '../run-grants/run-grants.service.js';

/** The first one included. The host ends chains that have less earlier. */
const MOST_IN_CHAIN = 6;

/** Calls of one app by another. */
@Injectable()
export class ChainedCalls {
  constructor(
    private readonly targets: CallTargets,
    private readonly functions: FunctionCalls,
    private readonly grants: RunGrants,
    private readonly admission: CallAdmission,
  ) {}

  /**
   * For a user: as that user, who must have the app, and with the scopes of the run, among which must be one of `scopesToCall` beside what
   * the function requires. For nobody: apps of the same developer, and of those only functions that require no scope. Either way what is
   * called is as narrow as the run. What is wrong with the call is an answer.
   *
   * @throws AppError 403 for the grant.
   */
  async call(appId: string, request: InternalCallRequest, signal: CancellationSignal): Promise<CallResponse> {
    const run = await this.grants.allow(request.grant);
    const { user, tenantId, appId: fromApp, hop } = run;
    try {
      const chain = chainOf(run, request);
      assertMayGoOn(chain, `${appId}.${request.function}`);
      const target = user ? await this.targets.get(user, appId) : await this.targets.ofSameDeveloper(fromApp, appId);
      const origin = {
        via: 'extension',
        user,
        narrowing: narrowingIn(run),
        tenantId,
        signal,
        chain,
        fromApp,
        hop,
        unattended: run.unattended ?? false,
      } as const;
      await this.admission.admit(target, [request], origin);
      return await this.functions.run(target, request, origin);
    } catch (error) {
      return failed(error);
    }
  }
}

/** As the gateway knows it, then what the host says of the functions of the app that called each other in the run. */
const chainOf = ({ appId, chain }: AllowedRun, { via = [] }: InternalCallRequest): string[] => [
  ...chain,
  ...via.map((name) => `${appId}.${name}`),
];

function assertMayGoOn(chain: readonly string[], next: string): void {
  if (chain.includes(next)) throw FunctionErrors.cycle(next);
  if (chain.length >= MOST_IN_CHAIN) throw FunctionErrors.tooDeep(MOST_IN_CHAIN);
}
