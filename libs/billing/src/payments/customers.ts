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
    const user = await this.read(userId);
    if (!user) throw new Error(`There is no user ${userId} who could pay.`);
    const { email, name, country } = user;
    // The provider refuses a key that comes with other content, and a user may have another address by the next try.
    const key = `cust:${userId}:${digestOf(email, name, country)}`;
    const made = await this.provider.createCustomer({ userId, email, name, country }, key);
    await this.dataSource.query(
      `INSERT INTO billing_customers (user_id, tenant_id, provider_customer_id, is_live)
       SELECT id, tenant_id, $2, $3 FROM users WHERE id = $1 AND erased_at IS NULL FOR KEY SHARE
       ON CONFLICT (user_id, is_live) DO NOTHING`,
      [userId, made, this.provider.isLive],
    );
    const kept = await this.find(userId);
    // Another request was sooner, with another address, or they were erased meanwhile.
    if (kept !== made) await this.provider.deleteCustomer(made);
    if (kept !== null) return kept;
    throw new Error(`The user ${userId} is gone.`);
  }

  /**
   * Tells the provider about the billing profile that a user has now; nothing where it does not know them. The VAT number stays here: the provider takes it only
   * with the kind that it is of, which nobody said.
   *
   * @param key of the task, the same when it is tried again.
   * @throws ServiceUnavailable.
   */
  async tellProfile(userId: string, key: string): Promise<void> {
    const customerId = await this.find(userId);
    if (customerId === null) return;
    let told: number | undefined;
    // Until nothing has changed meanwhile: else what was read before could be what the provider hears last.
    for (let user = await this.read(userId); user && user.revision !== told; user = await this.read(userId)) {
      const { name, country, revision } = user;
      await this.provider.updateCustomer(customerId, { name, country }, `profile:${key}:${revision}:${digestOf(name, country)}`);
      told = revision;
    }
  }

  /** Whether the provider knows anybody. */
  async hasAny(): Promise<boolean> {
    return (await this.dataSource.query<unknown[]>('SELECT FROM billing_customers LIMIT 1')).length > 0;
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

  private async read(userId: string): Promise<Payer | undefined> {
    const [user] = await this.dataSource.query<Payer[]>(
      `SELECT u.tenant_id, u.email, coalesce(b.company, b.name, nullif(concat_ws(' ', u.first_name, u.last_name), '')) AS name, b.country,
         coalesce(b.revision, 0) AS revision
       FROM users u LEFT JOIN billing_profiles b ON b.user_id = u.id WHERE u.id = $1 AND u.erased_at IS NULL`,
      [userId],
    );
    return user;
  }
}

interface Payer {
  tenant_id: string;
  email: string;
  name: string | null;
  country: string | null;
  /** Of the billing profile; 0 without one. */
  revision: number;
}

const digestOf = (...values: unknown[]): string => sha256(JSON.stringify(values)).toString('hex').slice(0, 16);
