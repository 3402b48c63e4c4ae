import { Injectable } from '@nestjs/common';
import { formatCredits } from '@platform/billing';
import type {
  ActionType,
  BatchCall,
  CallResponse,
  ConfirmedResponse,
  OperateRequest,
  OperateResponse,
} from '@platform/contracts';
import { lastingNarrowing, type UserCaller } from '@platform/guards';
import type { CancellationSignal } from '@platform/platform';
import { DataSource } from 'typeorm';
import { CallAdmissionService } from '../calls/call-admission.service.js';
import { CallQuotasService } from '../calls/call-quotas.service.js';
import { CallTargetsService, type CallTarget } from '../calls/call-targets.service.js';
import { assertTenant } from '../calls/calls.service.js';
import { FunctionCallsService, type CallOrigin } from '../calls/function-calls.service.js';
import { CallChargesService } from '../calls/call-charges.service.js';
import { failureResponse, FunctionError } from '../calls/function-error.js';
import type { CalledFunction, InPanel } from '../calls/system-extensions.registry.js';
import { ConfirmationErrors } from './confirmations.errors.js';
import { requiresConfirmation, movesMoney, type ConfirmationRules } from './confirmation-rules.js';
import { ConfirmationsService } from './confirmations.service.js';

const originOf = (user: UserCaller, signal: CancellationSignal): CallOrigin => ({
  via: 'operate',
  user,
  narrowing: lastingNarrowing(user),
  tenantId: user.tenantId,
  signal,
});

/**
 * Returns the answer of a call in the form of `operate`. Leaves out `error` on success, because
 * clients read its presence as a failure.
 */
const resultOf = ({ error, ...answer }: CallResponse): OperateResponse => ({
  kind: 'tool_result',
  content: error === null ? answer : { ...answer, error },
});

/** Calls by a program in the name of a person, which the person may have to confirm first. */
@Injectable()
export class OperationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly targets: CallTargetsService,
    private readonly functions: FunctionCallsService,
    private readonly confirmations: ConfirmationsService,
    private readonly quotas: CallQuotasService,
    private readonly admission: CallAdmissionService,
    private readonly charges: CallChargesService,
  ) {}

  /**
   * Calls a function, or asks the user first: for functions that can move money (`movesMoney`), and
   * for calls that change something or cost credits if `requiresConfirmation` says so. A call that
   * `FunctionCallsService.validateCall` refuses, and one that the user cannot pay or did not agree
   * to pay, fails at once. For a function that only the panel can perform, stores a confirmation
   * and returns the address in the panel.
   *
   * @throws AppError 404 or 403 like `CallTargetsService.getTarget` if the user cannot call the
   * app, 403 `other_tenant` if `tenant_id` names another tenant, 429 `confirmation.too_many` if 50
   * confirmations wait, or `rate_limited` above a rate limit or concurrency limit.
   */
  async operate(
    user: UserCaller,
    appId: string,
    request: OperateRequest,
    signal: CancellationSignal,
  ): Promise<OperateResponse> {
    assertTenant(user, request.tenant_id);
    await this.quotas.consumeOfUser(user);
    const target = await this.targets.getTarget(user, appId);
    const called = this.findAllowedFunction(target, request, user);
    if (called?.inPanel) return this.requestPanelStep(called.inPanel, user, appId, called.action_type, request, signal);
    const asked = { target, function: request.function, user, fromApp: undefined };
    const price = called ? await this.charges.getCurrentPrice(asked) : 0;
    if (!called || !(await this.needsConfirmation(user, appId, { called, price }, request.confirmation_bypassed))) {
      const call = { function: request.function, params: request.params ?? {} };
      await this.admission.admit(target, [call], { user });
      return resultOf(await this.functions.callInSlot(target, call, originOf(user, signal)));
    }
    // No confirmation for a call that the user cannot pay, or that costs more than they agreed to.
    const unpayable = await this.charges.findRefusal(asked, price);
    if (unpayable) return resultOf(failureResponse(unpayable));
    const actionType = called.action_type;
    const confirmation = await this.confirmations.createConfirmation(user, {
      appId,
      function: request.function,
      actionType,
      params: request.params ?? {},
      price,
      summary: `${appId}: ${request.function} (${actionType}${price ? `, costs ${formatCredits(price)}` : ''})`,
    });
    const { id, summary, expires_at } = confirmation;
    return { kind: 'confirmation', confirmation, confirmation_id: id, summary, expires_at };
  }

  /**
   * Makes the call that waits, once, and returns the confirmation with the result. A call that
   * fails counts as made. If the caller disconnects while waiting for a slot of the concurrency
   * limit, the call is not made and still waits for a confirmation.
   *
   * @throws AppError 403 `money.release_denied` for a function that only the panel can perform; 404
   * or 403 like `CallTargetsService.getTarget` if the user can no longer call the app; 409
   * `confirmation.changed` if a newer version has another `action_type` or no such function, or if
   * the call costs more than when the user was asked; 429 `rate_limited` above a limit, and the
   * call still waits then; and like `ConfirmationsService.getCaller` and `recordAnswer`.
   */
  async confirm(user: UserCaller, id: string, signal: CancellationSignal): Promise<ConfirmedResponse> {
    await this.quotas.consumeOfUser(user);
    const asked = await this.confirmations.getConfirmation(user, id);
    const caller = await this.confirmations.getCaller(user, id);
    const target = await this.targets.getTarget(caller, asked.app_id);
    const called = target.functions.get(asked.function);
    if (called?.action_type !== asked.action_type) throw ConfirmationErrors.changed();
    if (called.inPanel) throw ConfirmationErrors.inPanel();
    const call = { function: asked.function, params: asked.params };
    // These checks come before the answer, because a call is never asked about again after its
    // answer.
    if (asked.status === 'pending') {
      const price = await this.charges.getCurrentPrice({
        target,
        function: asked.function,
        user: caller,
        fromApp: undefined,
      });
      if (price > asked.price) throw ConfirmationErrors.costsMore(price, asked.price);
      if (price > 0) this.functions.assertRoomForPaidCall(caller);
      await this.admission.admit(target, [call], { user: caller });
      await this.functions.consumeUncounted(target, { user: caller });
    }
    const origin = { ...originOf(caller, signal), isTaken: true };
    const work = async () => {
      const confirmation = await this.confirmations.recordAnswer(user, id, 'confirmed');
      return Object.assign(confirmation, { result: await this.functions.callNow(target, call, origin) });
    };
    return this.functions.withSlot(target, origin, work, signal);
  }

  /**
   * Stores the request of a function that only the user can perform, in the panel, so that the
   * requester and the user see it. Answers with the address in the panel; with the failure if the
   * step is impossible.
   *
   * @throws AppError like `ConfirmationsService.createConfirmation`.
   */
  private async requestPanelStep(
    where: InPanel,
    user: UserCaller,
    appId: string,
    actionType: ActionType,
    { function: name, params: given }: OperateRequest,
    signal: CancellationSignal,
  ): Promise<OperateResponse> {
    const params = given ?? {};
    const done = await where({ user, signal }, params).catch((error: unknown) => failureResponse(error));
    if (!('panelUrl' in done)) return resultOf(done);
    const { panelUrl, summary } = done;
    const confirmation = await this.confirmations.createConfirmation(user, {
      appId,
      function: name,
      actionType,
      params,
      price: 0,
      summary,
    });
    const { id, expires_at } = confirmation;
    return {
      kind: 'panel_approval_required',
      confirmation,
      confirmation_id: id,
      panel_url: panelUrl,
      summary,
      expires_at,
    };
  }

  /**
   * Returns the called function; null if `FunctionCallsService.validateCall` refuses the call: then
   * no confirmation is needed.
   */
  private findAllowedFunction(target: CallTarget, call: BatchCall, user: UserCaller): CalledFunction | null {
    try {
      return this.functions.validateCall(target, call, { user });
    } catch (error) {
      if (error instanceof FunctionError) return null;
      throw error;
    }
  }

  /**
   * True if the user must confirm the call. A function that can move money (`movesMoney`) always
   * needs it, with any policy and setting. A free read needs none. All others follow
   * `requiresConfirmation`.
   */
  private async needsConfirmation(
    { userId }: UserCaller,
    appId: string,
    { called, price }: { called: CalledFunction; price: number },
    isBypassed: boolean,
  ): Promise<boolean> {
    if (movesMoney(appId, called)) return true;
    if (called.action_type === 'read' && price === 0) return false;
    const [rules] = await this.dataSource.query<ConfirmationRules[]>(
      `SELECT r.confirmation_policy, u.confirmation_enabled
       FROM users u JOIN roles r ON r.tenant_id = u.tenant_id AND r.name = u.role WHERE u.id = $1`,
      [userId],
    );
    return !rules || requiresConfirmation(rules, called.action_type, isBypassed);
  }
}
