import { PayoutDecisionsService, type PayoutDecision } from '@platform/billing';
import { Inject, Injectable } from '@nestjs/common';
import type {
  ApprovePayoutRequest,
  ListOpenPayoutsQuery,
  OpenPayoutResponse,
  OpenPayoutStatus,
  PayoutResponse,
  PayPayoutRequest,
  RejectPayoutRequest,
} from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { DataSource, type EntityManager } from 'typeorm';
import { publishPayoutChange } from './payout-events.js';
import { CONFIG, type Config } from '../../config.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { assertPlatformCaller } from '../../organisation/current-tenant/platform-callers.js';
import { PayoutDestinationsService } from './payout-destinations.service.js';
import { toOpenPayoutResponse, toPayoutResponse } from './payout-response.js';
import { PayoutErrors } from './payouts.errors.js';

interface Decided {
  action: 'payout.approved' | 'payout.rejected' | 'payout.paid';
  from: OpenPayoutStatus;
  decide: (em: EntityManager) => Promise<PayoutDecision | null>;
}

/**
 * Decisions of the operator on payouts. The same decision again changes nothing and returns the
 * payout; another one gets 409.
 */
@Injectable()
export class AdminPayoutsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly decisions: PayoutDecisionsService,
    private readonly destinations: PayoutDestinationsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Returns payouts with the requested status (pending or approved), longest waiting first.
   *
   * @throws AppError 403 `insufficient_scope` if the caller is neither an administrator of the
   * platform nor a trusted backend.
   */
  async listOpenPayouts(caller: Caller, { status, ...page }: ListOpenPayoutsQuery): Promise<OpenPayoutResponse[]> {
    assertPlatformCaller(caller);
    const rows = await this.decisions.listOpenPayouts(status, page, this.config.CARD_DISPUTE_DAYS);
    return rows.map((row) => toOpenPayoutResponse(row, this.destinations.decryptAccount(row)));
  }

  /**
   * Approves a pending payout. If it is approved already, returns it unchanged.
   *
   * @throws AppError 403 `insufficient_scope` if the caller is neither an administrator of the
   * platform nor a trusted backend; 404 `payout.not_found`; 409 `payout.wrong_status` if it was
   * paid or rejected, `payout.debt` if the developer owes the platform credits.
   */
  approvePayout(caller: Caller, id: number, { note }: ApprovePayoutRequest): Promise<PayoutResponse> {
    return this.decidePayout(caller, {
      action: 'payout.approved',
      from: 'pending',
      decide: (em) => this.decisions.approve(em, id, note),
    });
  }

  /**
   * Rejects a payout and returns its credits to the developer. If it is rejected already, returns
   * it unchanged.
   *
   * @throws AppError 403 `insufficient_scope` if the caller is neither an administrator of the
   * platform nor a trusted backend; 404 `payout.not_found`; 409 `payout.wrong_status` if its status
   * is neither `from` nor rejected.
   */
  rejectPayout(caller: Caller, id: number, { note, from }: RejectPayoutRequest): Promise<PayoutResponse> {
    return this.decidePayout(caller, {
      action: 'payout.rejected',
      from,
      decide: (em) => this.decisions.reject(em, id, from, note),
    });
  }

  /**
   * Records that the money of an approved payout was sent. If this was recorded with the same
   * `reference`, returns the payout unchanged.
   *
   * @throws AppError 403 `insufficient_scope` if the caller is neither an administrator of the
   * platform nor a trusted backend; 404 `payout.not_found`; 409 `payout.wrong_status` if it is not
   * approved, or was paid with another `reference`.
   */
  recordPayoutPaid(caller: Caller, id: number, { reference }: PayPayoutRequest): Promise<PayoutResponse> {
    return this.decidePayout(caller, {
      action: 'payout.paid',
      from: 'approved',
      decide: (em) => this.decisions.markPaid(em, id, reference),
    });
  }

  private decidePayout(caller: Caller, { action, from, decide }: Decided): Promise<PayoutResponse> {
    assertPlatformCaller(caller);
    return this.dataSource.transaction(async (em) => {
      const decision = await decide(em);
      if (!decision) throw PayoutErrors.notFound();
      const { outcome, payout, debt = 0 } = decision;
      if (outcome === 'in_debt') throw PayoutErrors.inDebt(debt);
      if (outcome === 'refused') throw PayoutErrors.wrongStatus(payout.status);
      const answer = toPayoutResponse(payout);
      if (outcome === 'done') {
        const { status, amount_tokens, amount_usd } = answer;
        const target = { type: 'payout', id: payout.id };
        const states = { before: { status: from }, after: { status, amount_tokens, amount_usd } };
        await recordAudit(em, { action, target, tenantId: payout.tenant_id, ...states });
        await publishPayoutChange(em, { tenantId: payout.tenant_id, userId: payout.developer_id }, answer);
      }
      return answer;
    });
  }
}
