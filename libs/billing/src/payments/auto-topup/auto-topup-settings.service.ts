import { Injectable } from '@nestjs/common';
import { columns, type RowOf, type TenantData } from '@platform/persistence';
import { newId } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import { WalletsRepository } from '../../ledger/wallets.repository.js';
import { FREE_PLAN } from '../../plans/plan-definitions.js';
import { LIVE_STATUSES_SQL } from '../../plans/subscription.entity.js';
import { PaymentsRepository } from '../payments.repository.js';
import { AutoTopUpNoticesService } from './auto-topup-notices.service.js';
import type { ConsentGiver } from './auto-topup-consent.entity.js';
import { AutoTopUp, type PauseReason, type StopReason } from './auto-topup.entity.js';
import { consentText } from './consent-text.js';

/** Settings that a user chooses. */
export interface AutoTopUpChoice {
  enabled: boolean;
  /** Percentage of the credits that the plan includes: 1 to 50. */
  thresholdPct: number;
  /** Ten credits for each cent of `rechargeCents`. */
  rechargeTokens: number;
  rechargeCents: number;
  /** Null: the user's default card. */
  paymentMethodId: string | null;
  dailyCapCents: number;
  monthlyCapCents: number;
}

export interface AutoTopUpState extends AutoTopUpChoice {
  /**
   * Credits that the percentage means with the user's plan. 0 if the plan includes no credits;
   * nothing is bought then.
   */
  thresholdTokens: number;
  /** Null if the user has never consented. */
  consentedAt: Date | null;
  /** Billing time; null if the pause is over. */
  pausedUntil: Date | null;
  pausedReason: PauseReason | null;
  stoppedReason: StopReason | null;
}

/** Settings of a user without a choice of their own. */
const DEFAULT_AUTO_TOPUP: AutoTopUpChoice = {
  enabled: false,
  thresholdPct: 10,
  rechargeTokens: 20_000,
  rechargeCents: 2_000,
  paymentMethodId: null,
  dailyCapCents: 10_000,
  monthlyCapCents: 50_000,
};

/** The user, and how the user was authenticated. */
export interface ConsentingUser {
  userId: string;
  givenBy: ConsentGiver;
  sessionId: string | null;
}

const SETTINGS = columns(
  AutoTopUp,
  [
    'enabled',
    'thresholdPct',
    'rechargeTokens',
    'rechargeCents',
    'paymentMethodId',
    'dailyCapCents',
    'monthlyCapCents',
    'consentedAt',
    'pausedUntil',
    'pausedReason',
    'stoppedReason',
  ],
  'a',
);
type SettingsRow = RowOf<typeof SETTINGS> & { is_paused: boolean };

/** Minutes. */
const DECLINE_PAUSE_MINUTES = 60;
/** Declines in a row. */
const MOST_DECLINES = 3;

/**
 * Settings for automatic top-ups. Each method that changes them locks the wallet before the row of
 * the settings, because a settlement locks the wallet first too. A trigger updates the low mark of
 * the wallet.
 */
@Injectable()
export class AutoTopUpSettingsService {
  constructor(
    private readonly wallets: WalletsRepository,
    private readonly payments: PaymentsRepository,
    private readonly notices: AutoTopUpNoticesService,
  ) {}

  async getSettings(tenant: TenantData, userId: string): Promise<AutoTopUpState> {
    const [row] = await tenant.query<SettingsRow>(
      `SELECT ${SETTINGS}, coalesce(a.paused_until > billing_now(), false) AS is_paused FROM auto_topups a WHERE a.tenant_id = $tenant AND a.user_id = $1`,
      [userId],
    );
    const choice = row ? choiceOf(row) : DEFAULT_AUTO_TOPUP;
    const [threshold] = await tenant.query<{ tokens: string | null }>(
      `SELECT (p.included_tokens * $2::int / 100) AS tokens FROM users u
         LEFT JOIN subscriptions s ON s.user_id = u.id AND s.status IN ${LIVE_STATUSES_SQL}
         JOIN plans p ON p.id = coalesce(s.plan_id, '${FREE_PLAN}')
           AND p.version = coalesce(s.plan_version, (SELECT max(version) FROM plans WHERE id = '${FREE_PLAN}'))
       WHERE u.tenant_id = $tenant AND u.id = $1`,
      [userId, choice.thresholdPct],
    );
    return {
      ...choice,
      thresholdTokens: Number(threshold?.tokens ?? 0),
      consentedAt: choice.enabled ? (row?.consented_at ?? null) : null,
      pausedUntil: choice.enabled && row?.is_paused ? row.paused_until : null,
      pausedReason: choice.enabled && row?.is_paused ? row.paused_reason : null,
      stoppedReason: row?.stopped_reason ?? null,
    };
  }

  /**
   * Saves the user's choice. Stores a consent if automatic top-ups are on now and the user turned
   * them on, raised the threshold, the amount or a limit, or changed the card. The caller must have
   * locked the user. Pauses of a limit end. The pause of an hour after a decline continues unless
   * the card changed; otherwise a declined card could be tried again and again.
   *
   * If automatic top-ups are on now, one that waits for the customer is given up, and a balance
   * that is already below the threshold is soon raised.
   */
  async saveSettings(
    tenant: TenantData,
    { userId, ...giver }: ConsentingUser,
    before: AutoTopUpState,
    choice: AutoTopUpChoice,
  ): Promise<void> {
    const { em } = tenant;
    // Locks the payment before the wallet, in the order of a settlement.
    if (choice.enabled) await this.payments.cancelOpenAutoTopUp(em, userId);
    const walletId = await this.wallets.ensureWallet(userId, 'user', em);
    await lockWallet(em, userId);
    const consents = choice.enabled && (!before.enabled || allowsMore(before, choice));
    const isOtherCard = before.paymentMethodId !== choice.paymentMethodId;
    await em.query(
      `INSERT INTO auto_topups AS a (user_id, tenant_id, enabled, threshold_pct, recharge_tokens, recharge_cents, payment_method_id, daily_cap_cents, monthly_cap_cents,
         consented_at)
       SELECT u.id, u.tenant_id, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $2 THEN now() END FROM users u WHERE u.id = $1
       ON CONFLICT (user_id) DO UPDATE SET enabled = $2, threshold_pct = $3, recharge_tokens = $4, recharge_cents = $5, payment_method_id = $6, daily_cap_cents = $7,
         monthly_cap_cents = $8, consented_at = CASE WHEN $9 THEN now() ELSE a.consented_at END, stopped_reason = CASE WHEN $2 THEN NULL ELSE a.stopped_reason END,
         declines = CASE WHEN a.stopped_reason = 'declined' OR $10 THEN 0 ELSE a.declines END,
         paused_until = CASE WHEN a.paused_reason = 'declined' AND NOT $10 THEN a.paused_until END,
         paused_reason = CASE WHEN a.paused_reason = 'declined' AND NOT $10 THEN a.paused_reason END, updated_at = now()`,
      [
        userId,
        choice.enabled,
        choice.thresholdPct,
        choice.rechargeTokens,
        choice.rechargeCents,
        choice.paymentMethodId,
        choice.dailyCapCents,
        choice.monthlyCapCents,
        consents,
        isOtherCard,
      ],
    );
    if (consents) await this.storeConsent(tenant, { userId, ...giver }, choice);
    if (!choice.enabled) return;
    await em.query('UPDATE wallet_crossings SET look_at = billing_now() WHERE wallet_id = $1', [walletId]);
    await addCrossingIfLow(em, userId);
  }

  /**
   * Disables automatic top-ups until the user enables them again, deletes the wallet's crossings
   * (the records that the balance fell below its low mark), and notifies the user. Does nothing if
   * automatic top-ups are not enabled.
   */
  async disable(em: EntityManager, userId: string, reason: StopReason, paymentId: string | null = null): Promise<void> {
    await lockWallet(em, userId);
    const [[stopped]] = await em.query<[{ tenant_id: string }[], number]>(
      `UPDATE auto_topups SET enabled = false, stopped_reason = $2, payment_method_id = CASE WHEN $2 = 'card_removed' THEN NULL ELSE payment_method_id END,
         updated_at = now()
       WHERE user_id = $1 AND enabled RETURNING tenant_id`,
      [userId, reason],
    );
    if (!stopped) return;
    await em.query(
      "DELETE FROM wallet_crossings c USING wallets w WHERE w.user_id = $1 AND w.kind = 'user' AND c.wallet_id = w.id",
      [userId],
    );
    await this.notices.notify(em, { kind: 'stopped', userId, tenantId: stopped.tenant_id, reason, paymentId });
  }

  /**
   * Records a declined card of an automatic top-up and notifies the user: pauses automatic top-ups
   * for an hour, and stops them after the third decline in a row. Does nothing for a user without
   * settings.
   */
  async recordDecline(
    em: EntityManager,
    { userId, paymentId, why }: { userId: string; paymentId: string; why: string | null },
  ): Promise<void> {
    await lockWallet(em, userId);
    const [[row]] = await em.query<[{ tenant_id: string; declines: number; paused_until: Date }[], number]>(
      `UPDATE auto_topups SET declines = declines + 1, paused_until = billing_now() + $2 * interval '1 minute', paused_reason = 'declined', updated_at = now()
       WHERE user_id = $1 RETURNING tenant_id, declines, paused_until`,
      [userId, DECLINE_PAUSE_MINUTES],
    );
    if (!row) return;
    const { tenant_id: tenantId, declines, paused_until: until } = row;
    if (declines >= MOST_DECLINES) return this.disable(em, userId, 'declined', paymentId);
    await this.notices.notify(em, { kind: 'declined', userId, tenantId, paymentId, why, until });
  }

  /**
   * Records that an automatic top-up was paid, and notifies the user: the next one gets the next
   * number, the count of declines starts again, and a pause ends. If automatic top-ups are still on
   * and the balance is below the wallet's low mark (the user's threshold), more credits are bought
   * soon. Does nothing for a user without settings.
   */
  async recordCharge(em: EntityManager, { userId, paymentId, credits, amountCents }: SuccessfulCharge): Promise<void> {
    await lockWallet(em, userId);
    const [[row]] = await em.query<[{ tenant_id: string; enabled: boolean }[], number]>(
      `UPDATE auto_topups SET number = number + 1, declines = 0, paused_until = NULL, paused_reason = NULL, updated_at = now()
       WHERE user_id = $1 RETURNING tenant_id, enabled`,
      [userId],
    );
    if (!row) return;
    if (row.enabled) await addCrossingIfLow(em, userId);
    await this.notices.notify(em, {
      kind: 'charged',
      userId,
      tenantId: row.tenant_id,
      paymentId,
      credits,
      amountCents,
    });
  }

  /**
   * Pauses automatic top-ups until the given time, because a limit was reached, and notifies the
   * user. Does nothing if they are not enabled.
   */
  async pause(em: EntityManager, userId: string, reason: PauseReason, until: Date): Promise<void> {
    await lockWallet(em, userId);
    const [[row]] = await em.query<[{ tenant_id: string }[], number]>(
      `UPDATE auto_topups SET paused_until = $2, paused_reason = $3, updated_at = now() WHERE user_id = $1 AND enabled RETURNING tenant_id`,
      [userId, until, reason],
    );
    if (row) await this.notices.notify(em, { kind: 'limit', userId, tenantId: row.tenant_id, reason, until });
  }

  /**
   * Stops automatic top-ups after a card of the user was deleted: if the user had chosen this card
   * for them, or had chosen none and has no card left. With no chosen card, they otherwise continue
   * with the default card. If they are off, the settings only lose the chosen card.
   */
  async handleCardRemoval(em: EntityManager, userId: string, cardId: string): Promise<void> {
    const [gone] = await em.query<unknown[]>(
      `SELECT FROM auto_topups a WHERE a.user_id = $1 AND a.enabled
         AND (a.payment_method_id = $2 OR (a.payment_method_id IS NULL AND NOT EXISTS (SELECT FROM payment_methods m WHERE m.user_id = $1)))`,
      [userId, cardId],
    );
    if (gone) await this.disable(em, userId, 'card_removed');
    else
      await em.query('UPDATE auto_topups SET payment_method_id = NULL WHERE user_id = $1 AND payment_method_id = $2', [
        userId,
        cardId,
      ]);
  }

  private async storeConsent(
    tenant: TenantData,
    { userId, givenBy, sessionId }: ConsentingUser,
    choice: AutoTopUpChoice,
  ): Promise<void> {
    const { thresholdTokens } = await this.getSettings(tenant, userId);
    const { thresholdPct, rechargeTokens, rechargeCents, dailyCapCents, monthlyCapCents, paymentMethodId } = choice;
    const settings = {
      threshold_pct: thresholdPct,
      threshold_tokens: thresholdTokens,
      recharge_tokens: rechargeTokens,
      recharge_cents: rechargeCents,
      daily_cap_cents: dailyCapCents,
      monthly_cap_cents: monthlyCapCents,
    };
    await tenant.query(
      `INSERT INTO auto_topup_consents (id, tenant_id, user_id, text, settings, given_by, session_id, card)
       VALUES ($1, $tenant, $2, $3, $4, $5, $6, $7)`,
      [
        newId('consent'),
        userId,
        consentText(choice, thresholdTokens),
        JSON.stringify(settings),
        givenBy,
        sessionId,
        paymentMethodId,
      ],
    );
  }
}

interface SuccessfulCharge {
  userId: string;
  paymentId: string;
  credits: number;
  amountCents: number;
}

async function lockWallet(em: EntityManager, userId: string): Promise<void> {
  await em.query("SELECT FROM wallets WHERE user_id = $1 AND kind = 'user' FOR NO KEY UPDATE", [userId]);
}

/**
 * Adds a crossing of the user's wallet if balance minus debt is below its low mark, so that the
 * sweep handles the wallet. The trigger only notices a balance that falls below the mark.
 */
async function addCrossingIfLow(em: EntityManager, userId: string): Promise<void> {
  await em.query(
    `INSERT INTO wallet_crossings (wallet_id, seq) SELECT id, coalesce(seq, 0) FROM wallets
     WHERE user_id = $1 AND kind = 'user' AND closed_at IS NULL AND balance - debt < low_mark ON CONFLICT DO NOTHING`,
    [userId],
  );
}

const allowsMore = (before: AutoTopUpChoice, after: AutoTopUpChoice): boolean =>
  (['thresholdPct', 'rechargeCents', 'dailyCapCents', 'monthlyCapCents'] as const).some(
    (name) => after[name] > before[name],
  ) || before.paymentMethodId !== after.paymentMethodId;

const choiceOf = (row: SettingsRow): AutoTopUpChoice => ({
  enabled: row.enabled,
  thresholdPct: row.threshold_pct,
  rechargeTokens: Number(row.recharge_tokens),
  rechargeCents: row.recharge_cents,
  paymentMethodId: row.payment_method_id,
  dailyCapCents: row.daily_cap_cents,
  monthlyCapCents: row.monthly_cap_cents,
});
