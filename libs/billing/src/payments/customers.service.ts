import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, ServiceUnavailable, sha256 } from '@platform/platform';
import { columns, type RowOf, type TenantData } from '@platform/persistence';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { BillingCustomer } from './billing-customer.entity.js';
import { CardsService } from './cards.service.js';
import { ALL_CUSTOMERS_SQL } from './former-customer.entity.js';
import { CustomerMissing, PaymentProvider } from './payment-provider.js';
import type { PaymentRow } from './payment-row.js';
import { PaymentsRepository } from './payments.repository.js';

const CUSTOMER = columns(BillingCustomer, ['userId', 'providerCustomerId', 'isLive']);
export type CustomerRow = RowOf<typeof CUSTOMER>;

/**
 * Runs after a customer was found missing at the provider, with the user's open payments, which are
 * now given up.
 */
export type MissingCustomerListener = (givenUp: readonly PaymentRow[]) => Promise<void>;

/** Most attempts of one call to create or use a customer, if each new customer has disappeared. */
const MOST_TRIES = 3;

/**
 * Customer objects of users at the provider. Somebody can delete a customer there at any time. Its
 * cards are then deleted here, and the user gets a new customer with the next request to the
 * provider.
 */
@Injectable()
export class CustomersService {
  private readonly listeners: MissingCustomerListener[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly provider: PaymentProvider,
    private readonly cards: CardsService,
    private readonly payments: PaymentsRepository,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /**
   * Adds a listener that runs after a customer was found missing at the provider. Call this in the
   * constructor of a provider.
   */
  onCustomerMissing(listener: MissingCustomerListener): void {
    this.listeners.push(listener);
  }

  /**
   * Runs `work` with the user's customer, and creates the customer if needed. If the customer no
   * longer exists at the provider, runs `work` again with a new one.
   *
   * @param work can run several times; its errors are thrown.
   * @throws ServiceUnavailable if the provider is not available, or if three customers in a row no
   * longer exist there. Error if the user does not exist or was deleted.
   */
  async withCustomer<T>(userId: string, work: (customerId: string) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work(await this.ensureCustomer(userId));
      } catch (error) {
        if (!(error instanceof CustomerMissing) || !(await this.refreshCustomer(error.customerId))) throw error;
        if (tries === MOST_TRIES) throw new ServiceUnavailable('payment_provider', error);
      }
    }
  }

  /**
   * Asks the provider whether a customer still exists. If not, the customer becomes a former one,
   * its cards are deleted here, and the user's open payments are given up; the listeners cancel
   * them at the provider. Safe to repeat.
   *
   * @returns true if the customer no longer exists or is unknown here; false if it exists or
   * belongs to the other mode (test or live).
   * @throws ServiceUnavailable if the provider is not available.
   */
  async refreshCustomer(customerId: string): Promise<boolean> {
    const known = await this.findByProviderId(customerId);
    if (!known) return true;
    if (known.is_live !== this.provider.isLive || (await this.provider.hasCustomer(customerId))) return false;
    const givenUp = await this.dataSource.transaction(async (em) => {
      // Locks the user before the customer, in the order of a request that saves a card.
      await em.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [known.user_id]);
      const gone = await em.query<unknown[]>(
        `WITH gone AS (DELETE FROM billing_customers WHERE provider_customer_id = $1 RETURNING provider_customer_id, user_id, tenant_id, is_live),
         kept AS (
           INSERT INTO former_billing_customers (provider_customer_id, user_id, tenant_id, is_live) SELECT * FROM gone
           ON CONFLICT (provider_customer_id) DO NOTHING)
         SELECT FROM gone`,
        [customerId],
      );
      if (!gone.length) return null;
      await this.cards.deleteCardsWithCustomer(em, known.user_id);
      return this.payments.cancelOpenPayments(em, known.user_id);
    });
    if (!givenUp) return true;
    this.logger.warn(
      { user_id: known.user_id, customer_id: customerId },
      'a customer no longer exists at the payment provider; its cards were deleted here',
    );
    for (const listener of this.listeners) await listener(givenUp);
    return true;
  }

  /**
   * True if the provider still has the user's customer, or if the user has none. If the customer is
   * missing, its cards and open payments end, as in `refreshCustomer`.
   *
   * @throws ServiceUnavailable if the provider is not available.
   */
  async refreshCurrentCustomer(userId: string): Promise<boolean> {
    const customerId = await this.findCustomerId(userId);
    return customerId === null || !(await this.refreshCustomer(customerId));
  }

  /** True if the user has a former customer in the mode of this gateway (test or live). */
  async hasFormerCustomer(userId: string): Promise<boolean> {
    const former = await this.dataSource.query<unknown[]>(
      'SELECT FROM former_billing_customers WHERE user_id = $1 AND is_live = $2 LIMIT 1',
      [userId, this.provider.isLive],
    );
    return former.length > 0;
  }

  /**
   * Ids of up to 10 former customers of the user that were found missing at or after `since`,
   * newest first.
   */
  async listFormerIdsSince(userId: string, since: Date): Promise<string[]> {
    const rows = await this.dataSource.query<{ provider_customer_id: string }[]>(
      'SELECT provider_customer_id FROM former_billing_customers WHERE user_id = $1 AND is_live = $2 AND gone_at >= $3 ORDER BY gone_at DESC LIMIT 10',
      [userId, this.provider.isLive, since],
    );
    return rows.map(({ provider_customer_id }) => provider_customer_id);
  }

  /** Id of the user's customer; null without one. */
  async findCustomerId(userId: string): Promise<string | null> {
    const [customer] = await this.dataSource.query<{ provider_customer_id: string }[]>(
      'SELECT provider_customer_id FROM billing_customers WHERE user_id = $1 AND is_live = $2',
      [userId, this.provider.isLive],
    );
    return customer?.provider_customer_id ?? null;
  }

  /**
   * Returns the user's customer id and creates the customer if needed. Simultaneous calls get the
   * same id.
   *
   * @throws ServiceUnavailable if the provider is not available. Error if the user does not exist
   * or was deleted, or if three new customers in a row disappear.
   */
  async ensureCustomer(userId: string): Promise<string> {
    for (let tries = 1; ; tries++) {
      const known = await this.findCustomerId(userId);
      if (known !== null) return known;
      const made = await this.createCustomer(userId);
      const kept = await this.findCustomerId(userId);
      // Another request was faster and used another email address, or the user was deleted
      // meanwhile.
      if (kept !== made) await this.provider.deleteCustomer(made);
      if (kept !== null) return kept;
      if (tries === MOST_TRIES) throw new Error(`At the provider, no new customer of the user ${userId} stays.`);
    }
  }

  /**
   * Creates a customer at the provider and returns its id. Stores the id unless another one is
   * stored meanwhile, the user was deleted, or the customer is a former one.
   *
   * @throws Error if the user does not exist or was deleted. ServiceUnavailable if the provider is
   * not available.
   */
  private async createCustomer(userId: string): Promise<string> {
    const user = await this.findPayer(userId);
    if (!user) throw new Error(`There is no user ${userId}: no customer can be created.`);
    const { email, name, country, former } = user;
    // The provider refuses a key that returns with other content, and the user's address can change
    // before the next try. So the content is part of the key. For a known key the provider returns
    // the former customer, so the number of former customers is part of it too.
    const key = `cust:${userId}:${digestOf(email, name, country, ...(former ? [former] : []))}`;
    const made = await this.provider.createCustomer({ userId, email, name, country }, key);
    await this.dataSource.query(
      `INSERT INTO billing_customers (user_id, tenant_id, provider_customer_id, is_live)
       SELECT id, tenant_id, $2, $3 FROM users WHERE id = $1 AND erased_at IS NULL
         AND NOT EXISTS (SELECT FROM former_billing_customers WHERE provider_customer_id = $2) FOR KEY SHARE
       ON CONFLICT (user_id, is_live) DO NOTHING`,
      [userId, made, this.provider.isLive],
    );
    return made;
  }

  /**
   * Sends the name (or company) and the country of the user's billing profile to the provider. Does
   * nothing if the user has no customer. A customer that no longer exists there becomes a former
   * one (`refreshCustomer`); the next one is created with the profile. The VAT number is not sent,
   * because the provider requires its type, which the user does not enter.
   *
   * @param key id of the task; the same for a retry.
   * @throws ServiceUnavailable if the provider is not available.
   */
  async sendProfile(userId: string, key: string): Promise<void> {
    const customerId = await this.findCustomerId(userId);
    if (customerId === null) return;
    let told: number | undefined;
    // Repeats until the profile did not change in the meantime. Otherwise an older profile could be
    // the last one that the provider receives.
    for (let user = await this.findPayer(userId); user && user.revision !== told; user = await this.findPayer(userId)) {
      const { name, country, revision } = user;
      try {
        await this.provider.updateCustomer(
          customerId,
          { name, country },
          `profile:${key}:${revision}:${digestOf(name, country)}`,
        );
      } catch (error) {
        if (error instanceof CustomerMissing && (await this.refreshCustomer(customerId))) return;
        throw error;
      }
      told = revision;
    }
  }

  /** True if there is or was any customer. */
  async hasAnyCustomer(): Promise<boolean> {
    return (await this.dataSource.query<unknown[]>(`SELECT FROM ${ALL_CUSTOMERS_SQL} AS c LIMIT 1`)).length > 0;
  }

  /** Ids of the user's current and former customers, of both modes (test and live). */
  async listCustomerIds(tenant: TenantData, userId: string): Promise<string[]> {
    const rows = await tenant.query<CustomerRow>(
      `SELECT ${CUSTOMER} FROM ${ALL_CUSTOMERS_SQL} AS c WHERE tenant_id = $tenant AND user_id = $1`,
      [userId],
    );
    return rows.map(({ provider_customer_id }) => provider_customer_id);
  }

  /** Current or former customer; null if it is unknown or was deleted here. */
  async findCurrentOrFormer(customerId: string): Promise<CustomerRow | null> {
    const [row] = await this.dataSource.query<CustomerRow[]>(
      `SELECT ${CUSTOMER} FROM ${ALL_CUSTOMERS_SQL} AS c WHERE provider_customer_id = $1`,
      [customerId],
    );
    return row ?? null;
  }

  private async findByProviderId(customerId: string): Promise<CustomerRow | null> {
    const [row] = await this.dataSource.query<CustomerRow[]>(
      `SELECT ${CUSTOMER} FROM billing_customers WHERE provider_customer_id = $1`,
      [customerId],
    );
    return row ?? null;
  }

  /**
   * Deletes a customer at the provider, with its cards there, and its row here. A customer of the
   * other mode (test or live) is deleted only here, because the current key cannot reach it.
   *
   * @throws ServiceUnavailable if the provider is not available.
   */
  async deleteCustomer({ provider_customer_id: id, is_live: isLive }: CustomerRow): Promise<void> {
    if (isLive === this.provider.isLive) await this.provider.deleteCustomer(id);
    // Deletes the former customer last, because an event about the deletion can have created it in
    // between.
    await this.dataSource.query('DELETE FROM billing_customers WHERE provider_customer_id = $1', [id]);
    await this.dataSource.query('DELETE FROM former_billing_customers WHERE provider_customer_id = $1', [id]);
  }

  private async findPayer(userId: string): Promise<Payer | undefined> {
    const [user] = await this.dataSource.query<Payer[]>(
      `SELECT u.tenant_id, u.email, coalesce(b.company, b.name, nullif(concat_ws(' ', u.first_name, u.last_name), '')) AS name, b.country,
         coalesce(b.revision, 0) AS revision,
         (SELECT count(*)::int FROM former_billing_customers f WHERE f.user_id = u.id AND f.is_live = $2) AS former
       FROM users u LEFT JOIN billing_profiles b ON b.user_id = u.id WHERE u.id = $1 AND u.erased_at IS NULL`,
      [userId, this.provider.isLive],
    );
    return user;
  }
}

interface Payer {
  tenant_id: string;
  email: string;
  name: string | null;
  country: string | null;
  /** Revision of the billing profile; 0 without one. */
  revision: number;
  /** Number of former customers. */
  former: number;
}

const digestOf = (...values: unknown[]): string => sha256(JSON.stringify(values)).toString('hex').slice(0, 16);
