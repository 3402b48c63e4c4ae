import { Injectable } from '@nestjs/common';
import { sha256 } from '@platform/platform';
import { DataSource } from 'typeorm';
import { PaymentProvider } from './payment-provider.js';

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
}
