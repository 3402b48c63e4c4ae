import { Injectable } from '@nestjs/common';
import { sha256 } from '@platform/platform';
import { columns, type RowOf, type TenantData } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { BillingCustomer } from './billing-customer.entity.js';
import { PaymentProvider } from './payment-provider.js';

const CUSTOMER = columns(BillingCustomer, ['userId', 'providerCustomerId', 'isLive']);
export type CustomerRow = RowOf<typeof CUSTOMER>;

/** Users as the provider knows them. */
@Injectable()
export class Customers {
  constructor(
    private readonly dataSource: DataSource,
    private readonly provider: PaymentProvider,
  ) {}

  /** The id that the provider has for the user; null where it does not know them. */
  async find(userId: string): Promise<string | null> {
    const [customer] = await this.dataSource.query<{ provider_customer_id: string }[]>(
      'SELECT provider_customer_id FROM billing_customers WHERE user_id = $1 AND is_live = $2',
      [userId, this.provider.isLive],
    );
    return customer?.provider_customer_id ?? null;
  }

  /**
   * Tells the provider about the user, once. Of two that come at once both get the same id.
   *
   * @throws ServiceUnavailable, and Error when there is no such user.
   */
  async ensure(userId: string): Promise<string> {
    const known = await this.find(userId);
    if (known !== null) return known;
    const [user] = await this.dataSource.query<{ tenant_id: string; email: string; name: string | null }[]>(
      "SELECT tenant_id, email, nullif(concat_ws(' ', first_name, last_name), '') AS name FROM users WHERE id = $1 AND erased_at IS NULL",
      [userId],
    );
    if (!user) throw new Error(`There is no user ${userId} who could pay.`);
    const { tenant_id: tenantId, email, name } = user;
    // The provider refuses a key that comes with other content, and a user may have another address by the next try.
    const key = `cust:${userId}:${sha256(JSON.stringify([email, name]))
      .toString('hex')
      .slice(0, 16)}`;
    const made = await this.provider.createCustomer({ userId, email, name }, key);
    await this.dataSource.query(
      `INSERT INTO billing_customers (user_id, tenant_id, provider_customer_id, is_live) VALUES ($1, $2, $3, $4)
       ON CONFLICT (user_id, is_live) DO NOTHING`,
      [userId, tenantId, made, this.provider.isLive],
    );
    return (await this.find(userId)) ?? made;
  }

  /** What the provider calls a user, in tests and for real. */
  async idsOf(tenant: TenantData, userId: string): Promise<string[]> {
    const rows = await tenant.query<CustomerRow>(`SELECT ${CUSTOMER} FROM billing_customers WHERE tenant_id = $tenant AND user_id = $1`, [
      userId,
    ]);
    return rows.map(({ provider_customer_id }) => provider_customer_id);
  }

  /** Null where it was forgotten. */
  async findByProviderId(customerId: string): Promise<CustomerRow | null> {
    const [row] = await this.dataSource.query<CustomerRow[]>(`SELECT ${CUSTOMER} FROM billing_customers WHERE provider_customer_id = $1`, [
      customerId,
    ]);
    return row ?? null;
  }

  /**
   * Has the provider delete it, with its cards. One of another mode than this gateway's (test or live) is forgotten here alone, since the key of one mode does not
   * reach the other. @throws ServiceUnavailable.
   */
  async forget({ provider_customer_id: id, is_live: isLive }: CustomerRow): Promise<void> {
    if (isLive === this.provider.isLive) await this.provider.deleteCustomer(id);
    await this.dataSource.query('DELETE FROM billing_customers WHERE provider_customer_id = $1', [id]);
  }
}
