import { Injectable } from '@nestjs/common';
import { inCredits } from '@platform/billing';
import type { ActionType, BatchCall, CallResponse, ConfirmedResponse, OperateRequest, OperateResponse } from '@platform/contracts';
import { lastingNarrowing, type UserCaller } from '@platform/guards';
import type { CancellationSignal } from '@platform/platform';
import { DataSource } from 'typeorm';
import { CallAdmission } from '../calls/call-admission.js';
import { CallQuotas } from '../calls/call-quotas.js';
import { CallTargets, type CallTarget } from '../calls/call-targets.js';
import { assertTenant } from '../calls/calls.service.js';
import { FunctionCalls, type CallOrigin } from '../calls/function-calls.js';
import { CallCharges } from '../calls/call-charges.js';
import { failed, FunctionError } from '../calls/function-error.js';
import type { CalledFunction, InPanel } from '../calls/system-extension.js';
import { ConfirmationErrors } from './confirmations.errors.js';
import { asksFirst, movesMoney, type ConfirmationRules } from './confirmation-rules.js';
import { Confirmations } from './confirmations.service.js';

const originOf = (user: UserCaller, signal: CancellationSignal): CallOrigin => ({
  via: 'operate',
  user,
  narrowing: lastingNarrowing(user),
  tenantId: user.tenantId,
  signal,
});

/** Leaves `error` out on success: clients take its presence for a failure. */
const resultOf = ({ error, ...answer }: CallResponse): OperateResponse => ({
  kind: 'tool_result',
  content: error === null ? answer : { ...answer, error },
});

/** Calls on behalf of a person by something that acts for them, which may have to ask them first. */
@Injectable()
export class Operations {
  constructor(
    private readonly dataSource: DataSource,
    private readonly targets: CallTargets,
    private readonly functions: FunctionCalls,
    private readonly confirmations: Confirmations,
    private readonly quotas: CallQuotas,
    private readonly admission: CallAdmission,
    private readonly charges: CallCharges,
  ) {}

  /**
   * Calls a function, or asks first where the role of the user, and they themselves, have it so. What cannot be called at all is told at once.
   *
   * @throws AppError 404 or 403 where the user may not call the extension, 429 when too much waits for them or is called.
   */
  async operate(user: UserCaller, appId: string, request: OperateRequest, signal: CancellationSignal): Promise<OperateResponse> {
    assertTenant(user, request.tenant_id);
    await this.quotas.ofUser(user);
    const target = await this.targets.get(user, appId);
    const called = this.allowed(target, request, user);
    if (called?.inPanel) return this.inPanel(called.inPanel, user, appId, called.action_type, request, signal);
    const asked = { target, function: request.function, user, fromApp: undefined };
    const price = called ? await this.charges.priceNow(asked) : 0;
    if (!called || !(await this.mustAsk(user, appId, { called, price }, request.confirmation_bypassed))) {
      const call = { function: request.function, params: request.params ?? {} };
      await this.admission.admit(target, [call], { user });
      return resultOf(await this.functions.run(target, call, originOf(user, signal)));
    }
    // Nobody confirms what cannot be paid, or costs more than they agreed to.
    const unpayable = await this.charges.refusalNow(asked, price);
    if (unpayable) return resultOf(failed(unpayable));
    const actionType = called.action_type;
    const confirmation = await this.confirmations.ask(user, {
      appId,
      function: request.function,
      actionType,
      params: request.params ?? {},
      price,
      summary: `${appId}: ${request.function} (${actionType}${price ? `, costs ${inCredits(price)}` : ''})`,
    });
    const { id, summary, expires_at } = confirmation;
    return { kind: 'confirmation', confirmation, confirmation_id: id, summary, expires_at };
  }

  /**
   * Makes the call that was asked for, once. It may fail: then, too, it was made. Of whoever has gone while it waited for a place nothing is
   * made, and it still waits to be confirmed.
   *
   * @throws AppError 403 for what is done in the panel, 404 or 403 where the user may not call the extension any more, 409 when a newer version does something else to the world
   * by this name or it costs more than when the user was asked, 429 when too much is called, which leaves it to be confirmed later, and as
   * `Confirmations.callerOf` and `answer`.
   */
  async confirm(user: UserCaller, id: string, signal: CancellationSignal): Promise<ConfirmedResponse> {
    await this.quotas.ofUser(user);
    const asked = await this.confirmations.get(user, id);
    const caller = await this.confirmations.callerOf(user, id);
    const target = await this.targets.get(caller, asked.app_id);
    const called = target.functions.get(asked.function);
    if (called?.action_type !== asked.action_type) throw ConfirmationErrors.changed();
    if (called.inPanel) throw ConfirmationErrors.inPanel();
    const call = { function: asked.function, params: asked.params };
    // Before the answer: what is answered is never asked again.
    if (asked.status === 'pending') {
      const price = await this.charges.priceNow({ target, function: asked.function, user: caller, fromApp: undefined });
      if (price > asked.price) throw ConfirmationErrors.costsMore(price, asked.price);
      if (price > 0) this.functions.assertRoom(caller);
      await this.admission.admit(target, [call], { user: caller });
      await this.functions.takeUncounted(target, { user: caller });
    }
    const origin = { ...originOf(caller, signal), isTaken: true };
    const work = async () => {
      const confirmation = await this.confirmations.answer(user, id, 'confirmed');
      return Object.assign(confirmation, { result: await this.functions.runNow(target, call, origin) });
    };
    return this.functions.inPlace(target, origin, work, signal);
  }

  /** Writes down what was asked for, so that whoever asked, and its user, see it; the user does it in the panel, or nobody does. */
  private async inPanel(
    where: InPanel,
    user: UserCaller,
    appId: string,
    actionType: ActionType,
    { function: name, params: given }: OperateRequest,
    signal: CancellationSignal,
  ): Promise<OperateResponse> {
    const params = given ?? {};
    const done = await where({ user, signal }, params).catch((error: unknown) => failed(error));
    if (!('panelUrl' in done)) return resultOf(done);
    const { panelUrl, summary } = done;
    const confirmation = await this.confirmations.ask(user, { appId, function: name, actionType, params, price: 0, summary });
    const { id, expires_at } = confirmation;
    return { kind: 'panel_approval_required', confirmation, confirmation_id: id, panel_url: panelUrl, summary, expires_at };
  }

  /** The function, unless the call will be refused in any case: then nobody need be asked. */
  private allowed(target: CallTarget, call: BatchCall, user: UserCaller): CalledFunction | null {
    try {
      return this.functions.check(target, call, { user });
    } catch (error) {
      if (error instanceof FunctionError) return null;
      throw error;
    }
  }

  /** Nobody is asked before what only reads and costs nothing. About money everybody is, whatever else was said. */
  private async mustAsk(
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
    return !rules || asksFirst(rules, called.action_type, isBypassed);
  }
}
