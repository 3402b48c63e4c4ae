import { Injectable } from '@nestjs/common';
import type { ExpiredRows, TenantData } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { ALL_CUSTOMERS_SQL } from '../former-customer.entity.js';
import type { ProviderDecline } from '../payment-provider.js';

/**
 * Number of declined attempts of a user in an hour after which further attempts are refused. Honest
 * users do not reach it, and banks block a seller at which cards are tested.
 */
const MOST_DECLINES_PER_HOUR = 8;

export const OLD_DECLINES: ExpiredRows = {
  table: 'payment_declines',
  key: 'attempt_id',
  where: "declined_at < now() - interval '1 day'",
};

/** The user had too many declined attempts to pay or to save a card in the last hour. */
export class TooManyDeclines extends Error {
  /** @param seconds until the next attempt is allowed. */
  constructor(readonly seconds: number) {
    super('Too many attempts of the user were declined in the last hour.');
  }
}

/** Declined attempts of users. Each attempt counts once, even if it is reported several times. */
@Injectable()
export class DeclinesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Stores declines; an attempt that is already stored changes nothing. Ignores customers that are
   * unknown here or belong to a deleted user.
   */
  async addDeclines(em: EntityManager, declines: readonly ProviderDecline[]): Promise<void> {
    if (!declines.length) return;
    await em.query(
      `INSERT INTO payment_declines (attempt_id, user_id, intent_id, declined_at)
       SELECT d.attempt_id, c.user_id, d.intent_id, least(now(), d.declined_at)
       FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) AS d (attempt_id, customer_id, intent_id, declined_at)
         JOIN ${ALL_CUSTOMERS_SQL} AS c ON c.provider_customer_id = d.customer_id JOIN users u ON u.id = c.user_id AND u.erased_at IS NULL
       ORDER BY d.attempt_id ON CONFLICT DO NOTHING`,
      [
        declines.map(({ attemptId }) => attemptId),
        declines.map(({ customerId }) => customerId),
        declines.map(({ intentId }) => intentId),
        declines.map(({ declinedAt }) => declinedAt),
      ],
    );
  }

  /** Deletes the declines during account deletion. */
  async deleteDeclines({ em }: TenantData, userId: string): Promise<void> {
    await em.query('DELETE FROM payment_declines WHERE user_id = $1', [userId]);
  }

  /**
   * Checks that the user may try to pay or to save a card.
   *
   * @throws TooManyDeclines if 8 attempts of the user were declined in the last hour.
   */
  async assertBelowLimit(userId: string, em: EntityManager = this.dataSource.manager): Promise<void> {
    const seconds = await secondsToWait(em, userId);
    if (seconds !== null) throw new TooManyDeclines(seconds);
  }

  /**
   * Id of the user with a declined attempt of this payment or set-up, if 8 attempts of that user
   * were declined in the last hour; otherwise null.
   */
  async findBlockedUser(intentId: string): Promise<string | null> {
    const em = this.dataSource.manager;
    const [decline] = await em.query<{ user_id: string }[]>(
      'SELECT user_id FROM payment_declines WHERE intent_id = $1 LIMIT 1',
      [intentId],
    );
    return decline && (await secondsToWait(em, decline.user_id)) !== null ? decline.user_id : null;
  }
}

/** Seconds until the next attempt is allowed; null if it is allowed now. */
async function secondsToWait(em: EntityManager, userId: string): Promise<number | null> {
  const [row] = await em.query<{ seconds: number }[]>(
    `SELECT greatest(1, ceil(extract(epoch FROM declined_at + interval '1 hour' - now())))::int AS seconds FROM payment_declines
     WHERE user_id = $1 AND declined_at > now() - interval '1 hour' ORDER BY declined_at DESC OFFSET ${MOST_DECLINES_PER_HOUR - 1} LIMIT 1`,
    [userId],
  );
  return row?.seconds ?? null;
}
