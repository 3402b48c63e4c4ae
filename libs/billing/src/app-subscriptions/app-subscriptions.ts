import { Injectable } from '@nestjs/common';
import { queryPrepared } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { Ledger } from '../ledger/ledger.js';
import type { MovementResult, Settlement } from '../ledger/movements.js';

/** What a user has paid of an app that is paid by the month. */
export interface PaidMonths {
  /** Whether the last one has not ended. */
  isPaid: boolean;
  /** The number of the month that is paid next, from 1. */
  next: number;
}

interface PaidRow {
  number: number;
  is_paid: boolean;
}

/** Months of apps that are paid by the month. A month begins with the call that pays it. */
@Injectable()
export class AppSubscriptions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly ledger: Ledger,
  ) {}

  async paidBy(userId: string, appId: string): Promise<PaidMonths> {
    const [last] = await queryPrepared<PaidRow>(
      this.dataSource,
      `SELECT number, ends_at > billing_now() AS is_paid FROM app_subscription_periods
       WHERE user_id = $1 AND app_id = $2 ORDER BY number DESC LIMIT 1`,
      [userId, appId],
    );
    return { isPaid: last?.is_paid ?? false, next: (last?.number ?? 0) + 1 };
  }

  /** The key of the movement that pays a month: two calls that begin it pay once. */
  keyOf(userId: string, appId: string, number: number): string {
    return `app:${userId}:${appId}:${number}`;
  }

  /** Pays a month of what is held and begins it, both or neither. Where it is paid already the hold ends, and nothing else changes. */
  pay(
    walletId: string,
    settlement: Settlement,
    month: { userId: string; appId: string; number: number; priceVersion: number },
  ): Promise<MovementResult> {
    const { userId, appId, number, priceVersion } = month;
    return this.dataSource.transaction(async (em) => {
      const result = await this.ledger.settle(walletId, settlement, em);
      if (result.outcome === 'done') {
        await em.query(
          `INSERT INTO app_subscription_periods (user_id, app_id, number, price_version, starts_at, ends_at)
           VALUES ($1, $2, $3, $4, billing_now(), billing_now() + interval '1 month')`,
          [userId, appId, number, priceVersion],
        );
      }
      return result;
    });
  }
}
