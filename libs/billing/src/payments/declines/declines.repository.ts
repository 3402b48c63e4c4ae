import { Injectable } from '@nestjs/common';
import type { ExpiredRows, TenantData } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { ALL_CUSTOMERS_SQL } from '../former-customer.entity.js';
import type { ProviderDecline } from '../payment-provider.js';

/** So many declined tries in an hour are an error of nobody: banks block sellers at whom cards are tried. */
const MOST_DECLINES_PER_HOUR = 8;

export const OLD_DECLINES: ExpiredRows = { table: 'payment_declines', key: 'attempt_id', where: "declined_at < now() - interval '1 day'" };

/** Too many tries of this user to pay, or to save a card, were declined in the last hour. */
export class TooManyDeclines extends Error {
  /** @param seconds until another try is taken. */
  constructor(readonly seconds: number) {
    super('Too many tries of the user were declined in the last hour.');
  }
}

/** Declined tries of users. Each counts once, however often it is heard of. */
@Injectable()
export class DeclinesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Leaves out declines of customers that are not known here, or are erased. */
  async addAll(em: EntityManager, declines: readonly ProviderDecline[]): Promise<void> {
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

  /** Deletes the declines of a user who is erased. */
  async forgetAll({ em }: TenantData, userId: string): Promise<void> {
    await em.query('DELETE FROM payment_declines WHERE user_id = $1', [userId]);
  }

  /** @throws TooManyDeclines. */
  async assertFew(userId: string, em: EntityManager = this.dataSource.manager): Promise<void> {
    const seconds = await secondsToWait(em, userId);
    if (seconds !== null) throw new TooManyDeclines(seconds);
  }

  /** The user who has tried this payment or set-up, where too many of their tries were declined; else null. */
  async findBlocked(intentId: string): Promise<string | null> {
    const em = this.dataSource.manager;
    const [decline] = await em.query<{ user_id: string }[]>('SELECT user_id FROM payment_declines WHERE intent_id = $1 LIMIT 1', [
      intentId,
    ]);
    return decline && (await secondsToWait(em, decline.user_id)) !== null ? decline.user_id : null;
  }
}

/** Seconds until fewer tries count; null where a try is taken now. */
async function secondsToWait(em: EntityManager, userId: string): Promise<number | null> {
  const [row] = await em.query<{ seconds: number }[]>(
    `SELECT greatest(1, ceil(extract(epoch FROM declined_at + interval '1 hour' - now())))::int AS seconds FROM payment_declines
     WHERE user_id = $1 AND declined_at > now() - interval '1 hour' ORDER BY declined_at DESC OFFSET ${MOST_DECLINES_PER_HOUR - 1} LIMIT 1`,
    [userId],
  );
  return row?.seconds ?? null;
}
