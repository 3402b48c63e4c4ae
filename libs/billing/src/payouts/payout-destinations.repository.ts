import { Injectable } from '@nestjs/common';
import { columns, type RowOf, type TenantData } from '@platform/persistence';
import { PayoutDestination } from './payout-destination.entity.js';

const DESTINATION = columns(PayoutDestination, ['id', 'method', 'sealedDetails', 'createdAt']);
export type PayoutDestinationRow = RowOf<typeof DESTINATION>;

/** Accounts to which payouts are sent. */
@Injectable()
export class PayoutDestinationsRepository {
  /** Current destination; null if the developer has saved none. */
  async findCurrent(tenant: TenantData, userId: string): Promise<PayoutDestinationRow | null> {
    const [row] = await tenant.query<PayoutDestinationRow>(
      `SELECT ${DESTINATION} FROM payout_destinations WHERE tenant_id = $tenant AND user_id = $1 AND replaced_at IS NULL`,
      [userId],
    );
    return row ?? null;
  }

  /**
   * Saves a new current destination and returns it. The previous one stays for the payouts that
   * were requested with it. The caller must have locked the developer.
   */
  async replace(
    tenant: TenantData,
    userId: string,
    { id, method, sealedDetails }: { id: string; method: string; sealedDetails: string },
  ): Promise<PayoutDestinationRow> {
    await tenant.query(
      'UPDATE payout_destinations SET replaced_at = now() WHERE tenant_id = $tenant AND user_id = $1 AND replaced_at IS NULL',
      [userId],
    );
    const [row] = await tenant.query<PayoutDestinationRow>(
      `INSERT INTO payout_destinations (id, tenant_id, user_id, method, sealed_details) VALUES ($1, $tenant, $2, $3, $4) RETURNING ${DESTINATION}`,
      [id, userId, method, sealedDetails],
    );
    return row as PayoutDestinationRow;
  }

  /**
   * Clears method and details of all destinations during account deletion. The rows stay, because
   * payouts refer to them, but none is current.
   */
  async clearDetails(tenant: TenantData, userId: string): Promise<void> {
    await tenant.query(
      "UPDATE payout_destinations SET method = 'manual', sealed_details = NULL, replaced_at = coalesce(replaced_at, now()) WHERE tenant_id = $tenant AND user_id = $1",
      [userId],
    );
  }
}
