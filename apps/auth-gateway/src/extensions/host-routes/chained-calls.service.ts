import { Injectable } from '@nestjs/common';
import type { CallResponse, InternalCallRequest } from '@platform/contracts';
import type { CancellationSignal } from '@platform/platform';
import { CallAdmissionService } from '../calls/call-admission.service.js';
import { CallTargetsService } from '../calls/call-targets.service.js';
import { FunctionCallsService } from '../calls/function-calls.service.js';
import { failureResponse, FunctionErrors } from '../calls/function-error.js';
import { narrowingOfGrant } from '../run-grants/run-grant.js';
import { RunGrantsService, type AllowedRun } from '../run-grants/run-grants.service.js';

/**
 * Most functions in a chain, including the first one. The host ends chains earlier if their limit
 * is lower.
 */
const MOST_IN_CHAIN = 6;

/** Calls between apps. */
@Injectable()
export class ChainedCallsService {
  constructor(
    private readonly targets: CallTargetsService,
    private readonly functions: FunctionCallsService,
    private readonly grants: RunGrantsService,
    private readonly admission: CallAdmissionService,
  ) {}

  /**
   * Calls a function for a run. The user must be able to call the app, and the run needs one of
   * `getCallScopes` and the scopes that the function requires. A run without a user can call only
   * functions of the same developer that require no scopes. The permission limit of the run also
   * limits the function. Errors are returned as an answer, also for a function that is in the chain
   * already, and for a seventh one.
   *
   * @throws AppError 403 `run_grant.*` if the run has ended, or if its app can no longer act for
   * the user.
   */
  async callForRun(appId: string, request: InternalCallRequest, signal: CancellationSignal): Promise<CallResponse> {
    const run = await this.grants.authorize(request.grant);
    const { user, tenantId, appId: fromApp, hop } = run;
    try {
      const chain = chainOf(run, request);
      assertChainAllowed(chain, `${appId}.${request.function}`);
      const target = user
        ? await this.targets.getTarget(user, appId)
        : await this.targets.getTargetOfSameDeveloper(fromApp, appId);
      const origin = {
        via: 'extension',
        user,
        narrowing: narrowingOfGrant(run),
        tenantId,
        signal,
        chain,
        fromApp,
        hop,
        unattended: run.unattended ?? false,
      } as const;
      await this.admission.admit(target, [request], origin);
      return await this.functions.callInSlot(target, request, origin);
    } catch (error) {
      return failureResponse(error);
    }
  }
}

/**
 * Returns the functions that led to this call, as `app.function`: first those of the run's grant,
 * then those of the same app that called each other during the run. `via` has the latter, as the
 * service that runs apps reports them.
 */
const chainOf = ({ appId, chain }: AllowedRun, { via = [] }: InternalCallRequest): string[] => [
  ...chain,
  ...via.map((name) => `${appId}.${name}`),
];

function assertChainAllowed(chain: readonly string[], next: string): void {
  if (chain.includes(next)) throw FunctionErrors.cycle(next);
  if (chain.length >= MOST_IN_CHAIN) throw FunctionErrors.tooDeep(MOST_IN_CHAIN);
}
