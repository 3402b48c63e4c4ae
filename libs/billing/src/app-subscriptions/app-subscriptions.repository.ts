import { Injectable } from '@nestjs/common';
import { queryPrepared } from '@platform/persistence';
import { DataSource } from 'typeorm';

/** Months of an app that a user has paid. */
export interface PaidMonths {
  /** True if the last paid month has not ended. */
  isPaid: boolean;
  /** Number of the next month to pay, from 1. */
  next: number;
}

interface PaidRow {
  months: number;
  is_paid: boolean;
}

/**
 * Apps with a monthly price. A month begins with the call that pays it, so its ledger entry is the
 * only record of it.
 */
@Injectable()
export class AppSubscriptionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Reads whether the user's monthly price of an app is paid, and the number of the next month to
   * pay. `isPaid` is true while the last month that was paid to `developerId` runs (by the billing
   * clock). `next` also counts the months that were paid to earlier developers of the same app id.
   *
   * @param developerId current developer of the app.
   */
  async getMonthState(userId: string, appId: string, developerId: string | null): Promise<PaidMonths> {
    const [paid] = await queryPrepared<PaidRow>(
      this.dataSource,
      `SELECT count(*)::integer AS months, coalesce(max(e.at) FILTER (WHERE e.developer_id IS NOT DISTINCT FROM $3) + interval '1 month' > billing_now(), false) AS is_paid
       FROM wallets w JOIN ledger_entries e ON e.wallet_id = w.id AND e.kind = 'app_subscription' AND e.app_id = $2
       WHERE w.user_id = $1 AND w.kind = 'user'`,
      [userId, appId, developerId],
    );
    return { isPaid: paid?.is_paid ?? false, next: (paid?.months ?? 0) + 1 };
  }

  /**
   * Idempotency key of the movement that pays the month with this number. Two calls that begin the
   * month pay once.
   */
  movementKey(userId: string, appId: string, number: number): string {
    return `app:${userId}:${appId}:${number}`;
  }
}
