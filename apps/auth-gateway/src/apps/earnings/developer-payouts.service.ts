import { Commissions, PayoutDestinationsRepository, PayoutRefused, Payouts, WalletErrors } from '@platform/billing';
import { Injectable } from '@nestjs/common';
import type { ListPayoutsQuery, PayoutRequestCreate, PayoutResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { publishPayoutChange } from './payout-events.js';
import { Erasures } from '../../kernel/erasure/erasures.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { hasPayouts } from '../developers/developer-tiers.js';
import { DeveloperErrors } from '../developers/developers.errors.js';
import { lockDeveloper } from '../developers/lock-developer.js';
import { tierOf } from '../developers/tier-of.js';
import { toPayout } from './payout-response.js';
import { PayoutErrors } from './payouts.errors.js';

/** Payouts of the developer who asks for them. */
@Injectable()
export class DeveloperPayouts {
  constructor(
    private readonly dataSource: DataSource,
    private readonly commissions: Commissions,
    private readonly payouts: Payouts,
    private readonly destinations: PayoutDestinationsRepository,
    erasures: Erasures,
  ) {
    erasures.addAccessStep((tenant, userId) => this.prepareErasure(tenant, userId));
    erasures.addDataStep((tenant, userId) => this.payouts.forgetTexts(tenant, userId));
  }

  /** The newest first. @throws AppError 403 for who is no developer. */
  async list({ userId, tenantId }: UserCaller, page: ListPayoutsQuery): Promise<PayoutResponse[]> {
    const em = this.dataSource.manager;
    await tierOf(em, userId);
    const rows = await this.payouts.list(new TenantData(em, tenantId), userId, page);
    return rows.map(toPayout);
  }

  /**
   * The credits leave the wallet of earnings at once.
   *
   * @param idempotentRequestId the same when a request is tried again, which then makes no other payout
   * @throws AppError 403 for a user who is no developer or whose tier has no payouts, 400 for more than there is, 409 for another way of payment than the kept one.
   */
  request({ userId, tenantId }: UserCaller, request: PayoutRequestCreate, idempotentRequestId: string | null): Promise<PayoutResponse> {
    const amount = amountOf(request);
    return this.dataSource.transaction(async (em) => {
      const developer = await lockDeveloper(em, userId);
      if (!developer) throw DeveloperErrors.notRegistered();
      if (!hasPayouts(developer.tier)) throw PayoutErrors.notInTier(developer.tier);
      const tenant = new TenantData(em, tenantId);
      const destination = await this.destinations.findCurrent(tenant, userId);
      assertMethod(request.payout_method, destination?.method ?? MANUAL);
      const asked = { amount, destination, notes: request.notes ?? null, requestId: idempotentRequestId };
      const { payout, isNew } = await this.payouts.request(tenant, userId, asked).catch(refuse);
      const answer = toPayout(payout);
      if (!isNew) return answer;
      const { id, amount_tokens, amount_usd, status } = answer;
      const target = { type: 'payout', id: String(id) };
      await recordAudit(em, { action: 'payout.requested', target, tenantId, after: { status, amount_tokens, amount_usd } });
      await publishPayoutChange(em, { tenantId, userId }, answer);
      return answer;
    });
  }

  /**
   * Before a developer is erased: books all of their shares, which makes their wallet of earnings where there is none (one that is made after the erasure would
   * not be closed), and refuses while a payout is open.
   *
   * @throws AppError 409 while a payout is open. The wallet is locked by now, so none is asked for meanwhile.
   */
  private async prepareErasure(tenant: TenantData, userId: string): Promise<void> {
    if (!(await lockDeveloper(tenant.em, userId))) return;
    await this.commissions.bookOf(userId, tenant.em);
    const open = await this.payouts.openIds(tenant, userId);
    if (open.length) throw PayoutErrors.userHasOpen(open.map(Number));
  }
}

/** @throws AppError for a refusal, and any other error as it is. */
function refuse(error: unknown): never {
  if (!(error instanceof PayoutRefused)) throw error;
  throw error.outcome === 'closed' ? WalletErrors.closed() : PayoutErrors.tooMuch(error.available);
}

/** The way of payment of developers who keep no account. */
const MANUAL = 'manual';

/** A request names no other account than the kept one: whoever holds a session could send the money elsewhere. */
function assertMethod(asked: string | null | undefined, kept: string): void {
  if (typeof asked === 'string' && asked !== kept) throw PayoutErrors.otherMethod(kept);
}

/** @throws ValidationFailed unless one of both is there, or both are the same. */
function amountOf({ amount_tokens, amount }: PayoutRequestCreate): number {
  const asked = amount_tokens ?? amount;
  if (typeof asked !== 'number') throw PayoutErrors.amountRequired();
  if (typeof amount === 'number' && amount !== asked) throw PayoutErrors.amountsDiffer();
  return asked;
}
