import { Injectable } from '@nestjs/common';
import { columns, type RowOf, type TenantData } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { LIVE_STATUSES_SQL } from '../plans/subscription.entity.js';
import { PaymentMethod } from './payment-method.entity.js';
import { PaymentProvider, type SavedCard } from './payment-provider.js';

const CARD = columns(PaymentMethod, ['id', 'type', 'brand', 'last4', 'expMonth', 'expYear', 'isDefault', 'createdAt']);
export type CardRow = RowOf<typeof CARD>;
export type LockedCard = CardRow & { tenant_id: string; is_being_removed: boolean };

/**
 * Runs in the transaction that changes a card. `saved`: a new card. `removed`: the card is deleted;
 * another card is already the default if one is left. `default_changed`: the user chose this
 * default.
 */
export type CardListener = (
  em: EntityManager,
  change: { kind: 'saved' | 'removed' | 'default_changed'; userId: string; tenantId: string; cardId: string },
) => Promise<void>;

/**
 * SQL condition: no request is removing the card. A request that has not finished after a minute no
 * longer counts.
 */
const NOT_BEING_REMOVED = "(removing_at IS NULL OR removing_at < now() - interval '1 minute')";

/** Most cards in one batch. */
export const EXPIRING_BATCH = 100;

/**
 * Saved cards of users, as the provider last reported them. The default card of a user pays
 * renewals, and automatic top-ups for which no other card is chosen, without the user. Each user
 * has at most one default card.
 */
@Injectable()
export class CardsService {
  private readonly listeners: CardListener[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly provider: PaymentProvider,
  ) {}

  /**
   * Adds a listener for saved, removed and newly chosen default cards. Call this in the constructor
   * of a provider.
   */
  onChange(listener: CardListener): void {
    this.listeners.push(listener);
  }

  /** Cards of the user, newest first. */
  listCards(tenant: TenantData, userId: string): Promise<CardRow[]> {
    return tenant.query<CardRow>(
      `SELECT ${CARD} FROM payment_methods WHERE tenant_id = $tenant AND user_id = $1 AND is_live = $2 ORDER BY created_at DESC, id DESC`,
      [userId, this.provider.isLive],
    );
  }

  /** Id of the default card; null without one. */
  async findDefaultCard(userId: string, em: EntityManager = this.dataSource.manager): Promise<string | null> {
    const [card] = await em.query<Pick<CardRow, 'id'>[]>(
      'SELECT id FROM payment_methods WHERE user_id = $1 AND is_live = $2 AND is_default',
      [userId, this.provider.isLive],
    );
    return card?.id ?? null;
  }

  async isCardOfUser(userId: string, id: string, em: EntityManager = this.dataSource.manager): Promise<boolean> {
    const cards = await em.query<unknown[]>(
      'SELECT FROM payment_methods WHERE id = $1 AND user_id = $2 AND is_live = $3',
      [id, userId, this.provider.isLive],
    );
    return cards.length > 0;
  }

  /**
   * Makes the card the user's default, and runs the listeners if that changes the default. Locks
   * the user and the user's cards. False if the user does not have this card.
   */
  async setDefaultCard(em: EntityManager, userId: string, id: string): Promise<boolean> {
    const cards = await this.lockCards(em, userId);
    const chosen = cards.find((card) => card.id === id);
    if (!chosen) return false;
    if (chosen.is_default) return true;
    await setDefault(em, userId, this.provider.isLive, id);
    await this.notify(em, { kind: 'default_changed', userId, tenantId: chosen.tenant_id, cardId: id });
    return true;
  }

  /**
   * Locks and returns all cards of a user, newest first; before them it locks the user. The locks
   * last until the transaction of `em` ends. Call it before the transaction locks anything else of
   * the user. `is_being_removed` is true while another request removes the card, for up to a
   * minute.
   */
  async lockCards(em: EntityManager, userId: string): Promise<LockedCard[]> {
    // `storeCard` and `deleteCard` lock the user too, so that these changes run one after the
    // other.
    await em.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
    return em.query<LockedCard[]>(
      `SELECT ${CARD}, tenant_id, NOT ${NOT_BEING_REMOVED} AS is_being_removed FROM payment_methods WHERE user_id = $1 AND is_live = $2
       ORDER BY created_at DESC, id DESC FOR UPDATE`,
      [userId, this.provider.isLive],
    );
  }

  /**
   * Marks a card as being removed; the mark counts for a minute. The caller must have locked the
   * card with `lockCards`, and no other request may be removing it.
   */
  async startRemoval(em: EntityManager, id: string): Promise<void> {
    await em.query('UPDATE payment_methods SET removing_at = now() WHERE id = $1', [id]);
  }

  async cancelRemoval(id: string): Promise<void> {
    await this.dataSource.query('UPDATE payment_methods SET removing_at = NULL WHERE id = $1', [id]);
  }

  /**
   * Returns the ids of up to `EXPIRING_BATCH` cards that expire within 30 days or have expired, and
   * that pay for automatic top-ups or, as the default card, for a paid plan that was not canceled.
   * Marks them: each card is returned once, and again only after the provider has reported another
   * expiry date.
   */
  async claimExpiringCards(em: EntityManager): Promise<string[]> {
    const [expiring] = await em.query<[Pick<CardRow, 'id'>[], number]>(
      `UPDATE payment_methods m SET expiry_told = true FROM (
         SELECT m.id FROM (SELECT date_trunc('month', billing_now() AT TIME ZONE 'UTC' + interval '30 days') - interval '1 month' AS month) AS last, payment_methods m
         WHERE NOT m.expiry_told AND m.is_live = $1 AND m.exp_month > 0
           AND (m.exp_year, m.exp_month) <= (extract(year FROM last.month), extract(month FROM last.month))
           AND (EXISTS (SELECT FROM auto_topups a WHERE a.user_id = m.user_id AND a.enabled
                        AND CASE WHEN a.payment_method_id IS NULL THEN m.is_default ELSE a.payment_method_id = m.id END)
             OR m.is_default AND EXISTS (SELECT FROM subscriptions s JOIN plans p ON p.id = s.plan_id AND p.version = s.plan_version
                        WHERE s.user_id = m.user_id AND s.status IN ${LIVE_STATUSES_SQL} AND p.price_cents > 0 AND NOT s.cancel_at_period_end))
         ORDER BY m.exp_year, m.exp_month LIMIT ${EXPIRING_BATCH} FOR NO KEY UPDATE OF m SKIP LOCKED
       ) AS due WHERE due.id = m.id RETURNING m.id`,
      [this.provider.isLive],
    );
    return expiring.map(({ id }) => id);
  }

  /**
   * Reads a card from the provider, and stores its current state. Deletes it here (`deleteCard`) if
   * it no longer exists there, or no longer belongs to a customer of the platform. The first card
   * of a user becomes the default. The listeners run for a new or deleted card. Safe to repeat.
   *
   * @throws ServiceUnavailable if the provider is not available.
   */
  async refreshCard(id: string): Promise<void> {
    const card = await this.provider.findCard(id);
    await this.dataSource.transaction(async (em) => {
      const owner = card && (await this.lockOwner(em, card));
      if (card && owner) await this.storeCard(em, owner, card);
      else await this.deleteCard(em, id);
    });
  }

  /**
   * Deletes all cards of a user, in this mode (test or live), after the customer disappeared from
   * the provider, and runs the listeners for each. The caller must have locked the user.
   */
  async deleteCardsWithCustomer(em: EntityManager, userId: string): Promise<void> {
    const [gone] = await em.query<[{ id: string; tenant_id: string }[], number]>(
      'DELETE FROM payment_methods WHERE user_id = $1 AND is_live = $2 RETURNING id, tenant_id',
      [userId, this.provider.isLive],
    );
    for (const { id, tenant_id: tenantId } of gone)
      await this.notify(em, { kind: 'removed', userId, tenantId, cardId: id });
  }

  /**
   * Deletes the cards of both modes (test and live) during account deletion, without listeners. The
   * provider deletes them with the customer.
   */
  async deleteCardsWithAccount(tenant: TenantData, userId: string): Promise<void> {
    await tenant.query('DELETE FROM payment_methods WHERE tenant_id = $tenant AND user_id = $1', [userId]);
  }

  /**
   * Deletes a card here, not at the provider. If it was the default, the newest other card becomes
   * the default. Then runs the listeners. Does nothing for an unknown card.
   */
  async deleteCard(em: EntityManager, id: string): Promise<void> {
    // Without this lock, this transaction and one that saves a card could both miss that no card is
    // the default.
    await em.query(
      'SELECT FROM users WHERE id = (SELECT user_id FROM payment_methods WHERE id = $1) FOR NO KEY UPDATE',
      [id],
    );
    const [[gone]] = await em.query<
      [{ user_id: string; tenant_id: string; is_default: boolean; is_live: boolean }[], number]
    >('DELETE FROM payment_methods WHERE id = $1 RETURNING user_id, tenant_id, is_default, is_live', [id]);
    if (!gone) return;
    const [newest] = gone.is_default ? await this.lockCards(em, gone.user_id) : [];
    if (newest) await setDefault(em, gone.user_id, gone.is_live, newest.id);
    await this.notify(em, { kind: 'removed', userId: gone.user_id, tenantId: gone.tenant_id, cardId: id });
  }

  private async notify(em: EntityManager, change: Parameters<CardListener>[1]): Promise<void> {
    for (const listener of this.listeners) await listener(em, change);
  }

  /**
   * Owner of the card. Locks the user, so that only one of two first cards becomes the default.
   * Null if the customer is unknown here or the user was deleted.
   */
  private async lockOwner(em: EntityManager, { customerId }: SavedCard): Promise<Owner | null> {
    await em.query(
      'SELECT FROM users WHERE id = (SELECT user_id FROM billing_customers WHERE provider_customer_id = $1) FOR NO KEY UPDATE',
      [customerId],
    );
    // Read after the lock: the customer can have disappeared while the lock was waiting.
    const [owner] = await em.query<Owner[]>(
      `SELECT c.user_id, c.tenant_id FROM billing_customers c JOIN users u ON u.id = c.user_id AND u.erased_at IS NULL
       WHERE c.provider_customer_id = $1 AND c.is_live = $2`,
      [customerId, this.provider.isLive],
    );
    return owner ?? null;
  }

  private async storeCard(em: EntityManager, { user_id, tenant_id }: Owner, card: SavedCard): Promise<void> {
    const [saved] = await em.query<{ is_new: boolean }[]>(
      `INSERT INTO payment_methods (id, tenant_id, user_id, is_live, type, brand, last4, exp_month, exp_year, is_default, created_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, NOT EXISTS (SELECT FROM payment_methods WHERE user_id = $3 AND is_live = $4 AND is_default), $10
       ON CONFLICT (id) DO UPDATE SET brand = $6, last4 = $7, exp_month = $8, exp_year = $9,
         expiry_told = payment_methods.expiry_told AND (payment_methods.exp_month, payment_methods.exp_year) = ($8, $9)
       RETURNING xmax = 0 AS is_new`,
      [
        card.id,
        tenant_id,
        user_id,
        this.provider.isLive,
        card.type,
        card.brand,
        card.last4,
        card.expMonth,
        card.expYear,
        card.createdAt,
      ],
    );
    if (saved?.is_new) await this.notify(em, { kind: 'saved', userId: user_id, tenantId: tenant_id, cardId: card.id });
  }
}

interface Owner {
  user_id: string;
  tenant_id: string;
}

/**
 * Makes a card the only default card of its user. Two statements, because the unique index allows
 * only one default card at any moment.
 */
async function setDefault(em: EntityManager, userId: string, isLive: boolean, id: string): Promise<void> {
  await em.query(
    'UPDATE payment_methods SET is_default = false WHERE user_id = $1 AND is_live = $2 AND is_default AND id <> $3',
    [userId, isLive, id],
  );
  await em.query('UPDATE payment_methods SET is_default = true WHERE id = $1', [id]);
}
