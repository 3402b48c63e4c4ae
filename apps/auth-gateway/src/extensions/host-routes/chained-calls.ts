import { Inject, Injectable } from '@nestjs/common';
import type { CallResponse, InternalCallRequest } from '@platform/contracts';
import { commonScopes, hasScope, type UserCaller } from '@platform/guards';
import type { CancellationSignal } from '@platform/platform';
import { GatewayCredentials } from '../../sessions/gateway-credentials.js';
import { CallQuotas } from '../calls/call-quotas.js';
import { CallTargets, type CallTarget } from '../calls/call-targets.js';
import { assertTenant } from '../calls/calls.service.js';
import { FunctionCalls } from '../calls/function-calls.js';
import { failed, FunctionErrors } from '../calls/function-error.js';

/** The first one included. The host ends chains that have less earlier. */
const MOST_IN_CHAIN = 6;

/** Calls of one app by another. */
@Injectable()
export class ChainedCalls {
  constructor(
    @Inject(CallTargets) private readonly targets: CallTargets,
    @Inject(FunctionCalls) private readonly functions: FunctionCalls,
    @Inject(GatewayCredentials) private readonly credentials: GatewayCredentials,
    @Inject(CallQuotas) private readonly quotas: CallQuotas,
  ) {}

  /**
   * For a user: as that user, who must have the app and hold `app:action_type` or `extensions:action_type` beside what the function
   * requires. For nobody: apps of the same developer, and of those only functions that require no scope. Whatever is wrong is an answer.
   */
  async call(appId: string, request: InternalCallRequest, signal: CancellationSignal): Promise<CallResponse> {
    const { user_id, chain, from_app: fromApp, hop } = request;
    try {
      assertMayGoOn(chain, `${appId}.${request.function}`);
      const user = user_id === null ? null : await this.userOf(user_id, request);
      const target = user ? await this.targets.get(user, appId) : await this.targets.ofSameDeveloper(fromApp, appId);
      await this.quotas.ofApp(target);
      const tenantId = user?.tenantId ?? request.tenant_id;
      const check = ({ action_type }: { action_type: string }) => assertExposed(target, user, action_type);
      return await this.functions.run(target, request, { via: 'extension', user, tenantId, signal, chain, fromApp, hop, check });
    } catch (error) {
      return failed(error);
    }
  }

  private async userOf(userId: string, { tenant_id, scopes }: InternalCallRequest): Promise<UserCaller> {
    const user = await this.credentials.actingUser(userId);
    assertTenant(user, tenant_id);
    return scopes ? { ...user, scopes: commonScopes(user.scopes, scopes) } : user;
  }
}

function assertMayGoOn(chain: readonly string[], next: string): void {
  if (chain.includes(next)) throw FunctionErrors.cycle(next);
  if (chain.length >= MOST_IN_CHAIN) throw FunctionErrors.tooDeep(MOST_IN_CHAIN);
}

function assertExposed({ appId }: CallTarget, user: UserCaller | null, actionType: string): void {
  const isExposed = !user || [appId, 'extensions'].some((resource) => hasScope(user.scopes, `${resource}:${actionType}`));
  if (!isExposed) throw FunctionErrors.notExposed(appId, actionType);
}
