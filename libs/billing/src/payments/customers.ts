import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, ServiceUnavailable, sha256 } from '@platform/platform';
import { columns, type RowOf, type TenantData } from '@platform/persistence';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { BillingCustomer } from './billing-customer.entity.js';
import { Cards } from './cards.js';
import { ALL_CUSTOMERS_SQL } from './former-customer.entity.js';
import { CustomerGone, PaymentProvider } from './payment-provider.js';
import type { PaymentRow } from './payment-row.js';
import { Payments } from './payments.js';

const CUSTOMER = columns(BillingCustomer, ['userId', 'providerCustomerId', 'isLive']);
export type CustomerRow = RowOf<typeof CUSTOMER>;

/** Called after a customer was found to be gone, with the payments that waited for it and were given up. */
export type GoneListener = (givenUp: readonly PaymentRow[]) => Promise<void>;

/** Customers that one call makes, each gone by the time it is used, before it gives up. */
const MOST_TRIES = 3;

/**
 * Users as the provider knows them. A customer may be deleted there at any time: then its cards are forgotten, and the user gets a new one when the provider is asked for
 * something the next time.
 */
@Injectable()
export class Customers {
  private readonly listeners: GoneListener[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly provider: PaymentProvider,
    private readonly cards: Cards,
    private readonly payments: Payments,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Call it in the constructor of a provider. */
  onGone(listener: GoneListener): void {
    this.listeners.push(listener);
  }

  /**
   * Does something with the customer of a user, who is made where there is none. Where the provider says that the customer is gone, it is done again with a new one.
   *
   * @param work may be called again; what it throws is thrown. @throws ServiceUnavailable, and Error when there is no such user.
   */
  async with<T>(userId: string, work: (customerId: string) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work(await this.ensure(userId));
      } catch (error) {
        if (!(error instanceof CustomerGone) || !(await this.refresh(error.customerId))) throw error;
        if (tries === MOST_TRIES) throw new ServiceUnavailable('payment_provider', error);
      }
    }
  }

  /**
   * Asks the provider whether it has a customer. Where it does not, the customer is a former one from now on, and its cards are forgotten. Again, it changes nothing. Returns
   * whether it is gone; true for one that is not known here.
   *
   * @throws ServiceUnavailable.
   */
  async refresh(customerId: string): Promise<boolean> {
    const known = await this.findByProviderId(customerId);
    if (!known) return true;
    if (known.is_live !== this.provider.isLive || (await this.provider.hasCustomer(customerId))) return false;
    const givenUp = await this.dataSource.transaction(async (em) => {
      // The user before the customer, in the order of a request that keeps a card.
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
      await this.cards.forgetAllOf(em, known.user_id);
      return this.payments.giveUpOpen(em, known.user_id);
    });
    if (!givenUp) return true;
    this.logger.warn({ user_id: known.user_id, customer_id: customerId }, 'a customer is gone from the payment provider, with its cards');
    for (const listener of this.listeners) await listener(givenUp);
    return true;
  }

  /** True while the provider has the customer of this user; also where it never had one. @throws ServiceUnavailable. */
  async isThere(userId: string): Promise<boolean> {
    const customerId = await this.find(userId);
    return customerId === null || !(await this.refresh(customerId));
  }

  /** True where a customer of the user is gone, in the mode of this gateway: test or live. */
  async hasFormer(userId: string): Promise<boolean> {
    const former = await this.dataSource.query<unknown[]>(
      'SELECT FROM former_billing_customers WHERE user_id = $1 AND is_live = $2 LIMIT 1',
      [userId, this.provider.isLive],
    );
    return former.length > 0;
  }

  /** The former customers of a user that were gone after this moment, the newest first. */
  async goneSince(userId: string, since: Date): Promise<string[]> {
    const rows = await this.dataSource.query<{ provider_customer_id: string }[]>(
      'SELECT provider_customer_id FROM former_billing_customers WHERE user_id = $1 AND is_live = $2 AND gone_at >= $3 ORDER BY gone_at DESC LIMIT 10',
      [userId, this.provider.isLive, since],
    );
    return rows.map(({ provider_customer_id }) => provider_customer_id);
  }

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
    for (let tries = 1; ; tries++) {
      const known = await this.find(userId);
      if (known !== null) return known;
      const made = await this.create(userId);
      const kept = await this.find(userId);
      // Another request was sooner, with another address, or they were erased meanwhile.
      if (kept !== made) await this.provider.deleteCustomer(made);
      if (kept !== null) return kept;
      if (tries === MOST_TRIES) throw new Error(`No customer of the user ${userId} stays.`);
    }
  }

  /** Returns the id of a customer that was made at the provider, and is kept here unless there is another one by now. */
  private async create(userId: string): Promise<string> {
    const user = await this.read(userId);
    if (!user) throw new Error(`There is no user ${userId} who could pay.`);
    const { email, name, country, former } = user;
    // The provider refuses a key that comes with other content, and a user may have another address by the next try. For a key that it knows it answers with the former customer.
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
   * Tells the provider about the billing profile that a user has now; nothing where it does not know them. The VAT number stays here: the provider takes it only
   * with the kind that it is of, which nobody said.
   *
   * A customer that is gone is told nothing: the next one is made with the profile.
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
      try {
        await this.provider.updateCustomer(customerId, { name, country }, `profile:${key}:${revision}:${digestOf(name, country)}`);
      } catch (error) {
        if (error instanceof CustomerGone && (await this.refresh(customerId))) return;
        throw error;
      }
      told = revision;
    }
  }

  /** True where the provider knows anybody, or did. */
  async hasAny(): Promise<boolean> {
    return (await this.dataSource.query<unknown[]>(`SELECT FROM ${ALL_CUSTOMERS_SQL} AS c LIMIT 1`)).length > 0;
  }

  /** The ids of a user's current and former customers, in tests and for real. */
  async idsOf(tenant: TenantData, userId: string): Promise<string[]> {
    const rows = await tenant.query<CustomerRow>(
      `SELECT ${CUSTOMER} FROM ${ALL_CUSTOMERS_SQL} AS c WHERE tenant_id = $tenant AND user_id = $1`,
      [userId],
    );
    return rows.map(({ provider_customer_id }) => provider_customer_id);
  }

  /** Current or former one; null where it was forgotten. */
  async findOfAll(customerId: string): Promise<CustomerRow | null> {
    const [row] = await this.dataSource.query<CustomerRow[]>(
      `SELECT ${CUSTOMER} FROM ${ALL_CUSTOMERS_SQL} AS c WHERE provider_customer_id = $1`,
      [customerId],
    );
    return row ?? null;
  }

  private async findByProviderId(customerId: string): Promise<CustomerRow | null> {
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
    // The former ones last: an event of the deletion may have made it one in between.
    await this.dataSource.query('DELETE FROM billing_customers WHERE provider_customer_id = $1', [id]);
    await this.dataSource.query('DELETE FROM former_billing_customers WHERE provider_customer_id = $1', [id]);
  }

  private async read(userId: string): Promise<Payer | undefined> {
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
  /** Of the billing profile; 0 without one. */
  revision: number;
  /** Number of their customers that are gone. */
  former: number;
}

const digestOf = (...values: unknown[]): string => sha256(JSON.stringify(values)).toString('hex').slice(0, 16);
