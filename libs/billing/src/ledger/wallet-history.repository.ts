import { Injectable } from '@nestjs/common';
import { columns, type RowOf, type TenantData } from '@platform/persistence';
import type { Page } from '../page.js';
import { LedgerBooking } from './ledger-booking.entity.js';
import type { WalletKind } from './wallet.entity.js';

const LISTED = columns(
  LedgerBooking,
  ['walletId', 'seq', 'amount', 'kind', 'appId', 'function', 'description', 'at', 'balanceAfter'],
  'e',
);
export type BookingRow = RowOf<typeof LISTED>;

/** Bookings of users' wallets. */
@Injectable()
export class WalletHistoryRepository {
  /**
   * Lists the bookings of a wallet, newest first; empty if the user has no such wallet or no more
   * bookings. The entries of a wallet are numbered without gaps. An offset is therefore a number to
   * begin at, and a late page is as fast as the first.
   */
  listBookings(
    tenant: TenantData,
    userId: string,
    { limit, offset }: Page,
    kind: WalletKind = 'user',
  ): Promise<BookingRow[]> {
    return tenant.query<BookingRow>(
      `SELECT ${LISTED} FROM wallets w JOIN ledger_entries e ON e.wallet_id = w.id AND e.seq BETWEEN w.seq - $4::bigint - $3::bigint + 1 AND w.seq - $4::bigint
       WHERE w.tenant_id = $tenant AND w.user_id = $1 AND w.kind = $2 ORDER BY e.seq DESC`,
      [userId, kind, limit, offset],
    );
  }
}
