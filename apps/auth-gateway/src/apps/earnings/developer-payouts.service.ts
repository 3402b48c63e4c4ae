import {
  CommissionsService,
  PayoutDestinationsRepository,
  PayoutRefused,
  PayoutsService,
  WalletErrors,
} from '@platform/billing';
import { Injectable } from '@nestjs/common';
import type { ListPayoutsQuery, PayoutRequestCreate, PayoutResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { publishPayoutChange } from './payout-events.js';
import { AccountDeletionService } from '../../kernel/account-deletion/account-deletion.service.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { hasPayouts } from '../developers/developer-tiers.js';
import { DeveloperErrors } from '../developers/developers.errors.js';
import { lockDeveloper } from '../developers/lock-developer.js';
import { getDeveloperTier } from '../developers/get-developer-tier.js';
import { toPayoutResponse } from './payout-response.js';
import { PayoutErrors } from './payouts.errors.js';

/** Payouts of the calling developer. */
@Injectable()
export class DeveloperPayoutsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly commissions: CommissionsService,
    private readonly payouts: PayoutsService,
    private readonly destinations: PayoutDestinationsRepository,
    accountDeletion: AccountDeletionService,
  ) {
    accountDeletion.addAccessStep((tenant, userId) => this.prepareAccountDeletion(tenant, userId));
    accountDeletion.addDataStep((tenant, userId) => this.payouts.clearTexts(tenant, userId));
  }

  /**
   * Returns the payouts of the caller, newest first.
   *
   * @throws AppError 403 `developer.not_registered` if the caller is not a developer.
   */
  async listPayouts({ userId, tenantId }: UserCaller, page: ListPayoutsQuery): Promise<PayoutResponse[]> {
    const em = this.dataSource.manager;
    await getDeveloperTier(em, userId);
    const rows = await this.payouts.listPayouts(new TenantData(em, tenantId), userId, page);
    return rows.map(toPayoutResponse);
  }

  /**
   * Requests a payout. The credits leave the wallet for earnings at once.
   *
   * @param idempotentRequestId a retry with the same id returns the first payout. Null: each
   * request is a new payout.
   * @throws AppError 400 `payout.too_much` if the amount exceeds the available credits; 403
   * `developer.not_registered` if the caller is not a developer, `payout.not_in_tier` if the tier
   * has no payouts; 409 `payout.other_method` if the payout method differs from the saved one,
   * `wallet.closed`; ValidationFailed if the amount is missing or ambiguous.
   */
  requestPayout(
    { userId, tenantId }: UserCaller,
    request: PayoutRequestCreate,
    idempotentRequestId: string | null,
  ): Promise<PayoutResponse> {
    const amount = amountOf(request);
    return this.dataSource.transaction(async (em) => {
      const developer = await lockDeveloper(em, userId);
      if (!developer) throw DeveloperErrors.notRegistered();
      if (!hasPayouts(developer.tier)) throw PayoutErrors.notInTier(developer.tier);
      const tenant = new TenantData(em, tenantId);
      const destination = await this.destinations.findCurrent(tenant, userId);
      assertMethod(request.payout_method, destination?.method ?? MANUAL);
      const asked = { amount, destination, notes: request.notes ?? null, requestId: idempotentRequestId };
      const { payout, isNew } = await this.payouts.requestPayout(tenant, userId, asked).catch(refuse);
      const answer = toPayoutResponse(payout);
      if (!isNew) return answer;
      const { id, amount_tokens, amount_usd, status } = answer;
      const target = { type: 'payout', id: String(id) };
      await recordAudit(em, {
        action: 'payout.requested',
        target,
        tenantId,
        after: { status, amount_tokens, amount_usd },
      });
      await publishPayoutChange(em, { tenantId, userId }, answer);
      return answer;
    });
  }

  /**
   * Prepares an account deletion; does nothing for a user who is not a developer. Books all open
   * shares, which also creates the wallet for earnings if it is missing; a wallet created after the
   * deletion would never be closed. The booking locks the wallet, so no payout can be requested
   * meanwhile.
   *
   * @throws AppError 409 `user.payout_open` while a payout of the user is pending or approved.
   */
  private async prepareAccountDeletion(tenant: TenantData, userId: string): Promise<void> {
    if (!(await lockDeveloper(tenant.em, userId))) return;
    await this.commissions.bookDeveloperShares(userId, tenant.em);
    const open = await this.payouts.listOpenIds(tenant, userId);
    if (open.length) throw PayoutErrors.userHasOpen(open.map(Number));
  }
}

/**
 * Turns the refusal of a payout by the wallet into an error for the caller.
 *
 * @throws AppError 409 `wallet.closed` for a closed wallet, 400 `payout.too_much` if the amount
 * exceeds the available credits; any other error as it is.
 */
function refuse(error: unknown): never {
  if (!(error instanceof PayoutRefused)) throw error;
  throw error.outcome === 'closed' ? WalletErrors.closed() : PayoutErrors.tooMuch(error.available);
}

/** Payout method of developers without a saved account. */
const MANUAL = 'manual';

/**
 * Checks that a request names no other account than the saved one. Otherwise a stolen session could
 * redirect the money.
 *
 * @throws AppError 409 `payout.other_method` if it names another method than `kept`.
 */
function assertMethod(asked: string | null | undefined, kept: string): void {
  if (typeof asked === 'string' && asked !== kept) throw PayoutErrors.otherMethod(kept);
}

/**
 * Returns the requested amount in credits. The request can have it as `amount_tokens`, as `amount`,
 * or as both.
 *
 * @throws ValidationFailed if both fields are missing or differ.
 */
function amountOf({ amount_tokens, amount }: PayoutRequestCreate): number {
  const asked = amount_tokens ?? amount;
  if (typeof asked !== 'number') throw PayoutErrors.amountRequired();
  if (typeof amount === 'number' && amount !== asked) throw PayoutErrors.amountsDiffer();
  return asked;
}
