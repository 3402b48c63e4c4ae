import { Inject, Injectable } from '@nestjs/common';
import {
  AutoTopUpSettingsService as Settings,
  CardsService,
  MAX_PAYMENT_CENTS,
  type AutoTopUpChoice,
  type AutoTopUpState,
} from '@platform/billing';
import type { AutoTopUpSettings, AutoTopUpUpdate } from '@platform/contracts';
import { QuotasService, type UserCaller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG, type Config } from '../../../config.js';
import { UserErrors } from '../../../identity/accounts/users.errors.js';
import { recordAudit } from '../../../kernel/audit/record-audit.js';
import { AccountDeletionService, rowsOfUser } from '../../../kernel/account-deletion/account-deletion.service.js';
import { PaymentMethodErrors } from '../cards/payment-methods.errors.js';
import { PaymentErrors } from '../payments.errors.js';
import { CONSENT_LIMIT } from '../payments.limits.js';
import { assertTopUpPrice } from '../topups/topup-prices.js';
import { AutoTopUpErrors } from './auto-topup.errors.js';

/** Settings of users for automatic top-ups. */
@Injectable()
export class UserAutoTopUpsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly cards: CardsService,
    private readonly quotas: QuotasService,
    @Inject(CONFIG) private readonly config: Config,
    accountDeletion: AccountDeletionService,
  ) {
    accountDeletion.addAccessStep(rowsOfUser('auto_topups'));
    accountDeletion.addDataStep(async (tenant, userId) => {
      await tenant.query(
        'UPDATE auto_topup_consents SET session_id = NULL, card = NULL WHERE tenant_id = $tenant AND user_id = $1',
        [userId],
      );
    });
  }

  async getAutoTopUp({ userId, tenantId }: UserCaller): Promise<AutoTopUpSettings> {
    return toSettings(await this.settings.getSettings(new TenantData(this.dataSource.manager, tenantId), userId));
  }

  /**
   * Changes the settings and returns all of them. An absent field stays as it is.
   *
   * @throws AppError 400 `topup.…` if the price does not match the credits or is out of range; 400
   * `auto_topup.cap_too_small`; 402 `payment.card_required` when enabling without a saved card; 404
   * `payment_method.not_found` for a card that the user does not have; 404 `user.not_found` for a
   * deleted user; 429 `rate_limited` if the user enabled automatic top-ups too often today.
   */
  async updateAutoTopUp(
    { userId, tenantId, sessionId }: UserCaller,
    request: AutoTopUpUpdate,
  ): Promise<AutoTopUpSettings> {
    if (request.enabled) await this.quotas.consume(CONSENT_LIMIT, userId);
    return this.dataSource.transaction(async (em) => {
      const tenant = new TenantData(em, tenantId);
      const [user] = await tenant.query(
        'SELECT FROM users WHERE tenant_id = $tenant AND id = $1 AND erased_at IS NULL FOR NO KEY UPDATE',
        [userId],
      );
      if (!user) throw UserErrors.notFound();
      const before = await this.settings.getSettings(tenant, userId);
      const choice = applyChanges(before, request);
      // Prices and cards can have changed since the last save. Disabling must never fail because of
      // that.
      const isToBeSold = choice.enabled || choice.rechargeCents !== before.rechargeCents;
      assertTopUpPrice(
        choice.rechargeTokens,
        choice.rechargeCents,
        isToBeSold ? this.config.TOPUP_MAX_CENTS : MAX_PAYMENT_CENTS,
      );
      if (choice.dailyCapCents < choice.rechargeCents || choice.monthlyCapCents < choice.dailyCapCents)
        throw AutoTopUpErrors.capTooSmall();
      if (choice.enabled || choice.paymentMethodId !== before.paymentMethodId)
        await this.assertCard(em, userId, choice);
      const givenBy = sessionId === undefined ? 'service' : 'session';
      await this.settings.saveSettings(tenant, { userId, givenBy, sessionId: sessionId ?? null }, before, choice);
      const [was, is] = [toAuditFields(before), toAuditFields(choice)];
      if (JSON.stringify(was) !== JSON.stringify(is)) {
        await recordAudit(em, {
          action: 'user.auto_topup_changed',
          target: { type: 'user', id: userId },
          tenantId,
          before: was,
          after: is,
        });
      }
      return toSettings(await this.settings.getSettings(tenant, userId));
    });
  }

  private async assertCard(
    em: EntityManager,
    userId: string,
    { enabled, paymentMethodId }: AutoTopUpChoice,
  ): Promise<void> {
    if (paymentMethodId !== null && !(await this.cards.isCardOfUser(userId, paymentMethodId, em)))
      throw PaymentMethodErrors.notFound();
    if (enabled && paymentMethodId === null && (await this.cards.findDefaultCard(userId, em)) === null)
      throw PaymentErrors.cardRequired();
  }
}

const applyChanges = (before: AutoTopUpState, request: AutoTopUpUpdate): AutoTopUpChoice => ({
  enabled: request.enabled,
  thresholdPct: request.threshold_pct ?? before.thresholdPct,
  rechargeTokens: request.recharge_tokens ?? before.rechargeTokens,
  rechargeCents: request.recharge_cents ?? before.rechargeCents,
  paymentMethodId: request.payment_method_id == null ? before.paymentMethodId : request.payment_method_id || null,
  dailyCapCents: request.daily_cap_cents ?? before.dailyCapCents,
  monthlyCapCents: request.monthly_cap_cents ?? before.monthlyCapCents,
});

/** Values for the audit log, without the card. */
const toAuditFields = (choice: AutoTopUpChoice) => ({
  enabled: choice.enabled,
  threshold_pct: choice.thresholdPct,
  recharge_cents: choice.rechargeCents,
  daily_cap_cents: choice.dailyCapCents,
  monthly_cap_cents: choice.monthlyCapCents,
});

const toSettings = (state: AutoTopUpState): AutoTopUpSettings => ({
  enabled: state.enabled,
  threshold_pct: state.thresholdPct,
  recharge_tokens: state.rechargeTokens,
  recharge_cents: state.rechargeCents,
  payment_method_id: state.paymentMethodId ?? '',
  daily_cap_cents: state.dailyCapCents,
  monthly_cap_cents: state.monthlyCapCents,
  threshold_tokens: state.thresholdTokens,
  consented_at: state.consentedAt,
  paused_until: state.pausedUntil,
  paused_reason: state.pausedReason,
  stopped_reason: state.stoppedReason,
});
