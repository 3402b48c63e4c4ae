import type { JsonObject } from '@platform/app-document';
import { ApiError } from '@platform/client';
import { assertUsage, type ContextBilling, ExtensionError } from '@platform/extension-sdk/runtime';
import { isUnavailable } from '@platform/platform';
import type { GatewayClient } from '../kernel/gateway/gateway.client.js';
import { RunErrors, unavailableError } from '../handlers/run-errors.js';
import type { RunState } from './run-state.js';
import type { Run } from './run.js';

/** The member `ctx.billing` of one run. */
export class HostRunBilling implements ContextBilling {
  constructor(
    private readonly gateway: Pick<GatewayClient, 'fetchBalance' | 'fetchSubscription' | 'fetchLimits' | 'trackUsage'>,
    private readonly run: Pick<Run, 'grant' | 'userId'> & {
      state: Pick<RunState, 'storeOperations' | 'once' | 'runBillingCall'>;
    },
  ) {}

  getBalance(): Promise<number | null> {
    return this.read((grant) => this.gateway.fetchBalance(grant));
  }

  getSubscription(): Promise<JsonObject | null> {
    return this.read((grant) => this.gateway.fetchSubscription(grant));
  }

  checkLimits(): Promise<JsonObject | null> {
    return this.read((grant) => this.gateway.fetchLimits(grant));
  }

  async trackUsage(meter: string, quantity: number): Promise<void> {
    this.assertUser();
    assertUsage(meter, quantity);
    const { grant, state } = this.run;
    state.storeOperations.spend();
    const key = state.once.deriveUuid(`billing ${meter}`);
    try {
      await state.runBillingCall(() =>
        grant.callWithGrant((text) => this.gateway.trackUsage({ grant: text, meter, quantity, key })),
      );
    } catch (error) {
      if (error instanceof ApiError) throw new ExtensionError('BILLING_REFUSED', error.message);
      if (!isUnavailable(error, 'gateway')) throw error;
      throw unavailableError('BILLING', 'Usage cannot be counted at the moment.', { retryable: true, cause: error });
    }
  }

  /**
   * Asks the gateway about the user of the run. Returns null if the gateway refuses or is
   * unreachable: the app decides how to continue without the value.
   *
   * @throws ExtensionError USER_MISSING if the run has no user; BUDGET_EXCEEDED after too many
   * storage operations, among which this counts; RUN_REFUSED if the permission of the run has
   * ended; RUN_OVER, TIMEOUT or CANCELLED if the run ends before the request is sent.
   */
  private async read<Answer>(ask: (grant: string) => Promise<Answer>): Promise<Answer | null> {
    this.assertUser();
    const { grant, state } = this.run;
    state.storeOperations.spend();
    try {
      return await state.runBillingCall(() => grant.callWithGrant(ask));
    } catch (error) {
      if (error instanceof ApiError || isUnavailable(error, 'gateway')) return null;
      throw error;
    }
  }

  private assertUser(): void {
    if (this.run.userId === null) throw RunErrors.noUser();
  }
}
