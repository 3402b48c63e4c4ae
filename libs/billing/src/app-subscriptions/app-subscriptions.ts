import { Injectable } from '@nestjs/common';
import { queryPrepared } from '@platform/persistence';
import { DataSource } from 'typeorm';

/** What a user has paid of an app that is paid by the month. */
export interface PaidMonths {
  /** Whether the last one has not ended. */
  isPaid: boolean;
  /** The number of the month that is paid next, from 1. */
  next: number;
}

interface PaidRow {
  months: number;
  is_paid: boolean;
}

/** Months of apps that are paid by the month. A month begins with the call that pays it, so the entry of the payment is all that is kept of it. */
@Injectable()
export class AppSubscriptions {
  constructor(private readonly dataSource: DataSource) {}

  /** @param developerId a month that was paid to another one, who had an app of this id before, is none of this app's. */
  async paidBy(userId: string, appId: string, developerId: string | null): Promise<PaidMonths> {
    const [paid] = await queryPrepared<PaidRow>(
      this.dataSource,
      `SELECT count(*)::integer AS months, coalesce(max(e.at) FILTER (WHERE e.developer_id IS NOT DISTINCT FROM $3) + interval '1 month' > billing_now(), false) AS is_paid
       FROM wallets w JOIN ledger_entries e ON e.wallet_id = w.id AND e.kind = 'app_subscription' AND e.app_id = $2
       WHERE w.user_id = $1 AND w.kind = 'user'`,
      [userId, appId, developerId],
    );
    return { isPaid: paid?.is_paid ?? false, next: (paid?.months ?? 0) + 1 };
  }

  /** The key of the movement that pays a month: two calls that begin it pay once. */
  keyOf(userId: string, appId: string, number: number): string {
    return `app:${userId}:${appId}:${number}`;
  }
}
