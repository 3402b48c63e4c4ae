import { Injectable } from '@nestjs/common';
import { CardsService, CustomersService, DeclinesRepository, PaymentsRepository } from '@platform/billing';
import { exponentialBackoff, JobsService, Postponed, type QueueDefinition } from '@platform/messaging';
import { AccountDeletionService } from '../../../kernel/account-deletion/account-deletion.service.js';

type CustomerJobs = {
  /** `customer_id` is the id of the provider. */
  forget: { customer_id: string };
};

/** Retried about once an hour, because the provider can be unavailable. */
const customerQueue: QueueDefinition<CustomerJobs> = {
  name: 'payment-customers',
  attempts: 30,
  backoff: exponentialBackoff(5_000, 3_600_000),
  concurrency: 1,
};

const RETRY_AFTER_MS = 60_000;

/**
 * Deletes cards and customers of a user during account deletion. Payments stay, because they belong
 * to the seller's books.
 */
@Injectable()
export class CustomerDeletionWorker {
  constructor(
    private readonly customers: CustomersService,
    private readonly payments: PaymentsRepository,
    cards: CardsService,
    declines: DeclinesRepository,
    accountDeletion: AccountDeletionService,
    jobs: JobsService,
  ) {
    accountDeletion.addAccessStep((tenant, userId) => payments.cancelForAccountDeletion(tenant, userId));
    accountDeletion.addDataStep((tenant, userId) => cards.deleteCardsWithAccount(tenant, userId));
    accountDeletion.addDataStep((tenant, userId) => declines.deleteDeclines(tenant, userId));
    accountDeletion.addDataStep(async (tenant, userId) => {
      const customerIds = await customers.listCustomerIds(tenant, userId);
      await jobs.enqueueAll(
        tenant.em,
        customerQueue,
        'forget',
        customerIds.map((customer_id) => ({ customer_id })),
      );
    });
    jobs.registerHandlers(customerQueue, { forget: ({ customer_id }) => this.deleteCustomer(customer_id) });
  }

  /**
   * Deletes a customer at the provider and here. Does nothing if it is already deleted.
   *
   * @throws Postponed while a payment of the user is not final, because late money must be
   * refunded.
   */
  private async deleteCustomer(customerId: string): Promise<void> {
    const customer = await this.customers.findCurrentOrFormer(customerId);
    if (!customer) return;
    if (await this.payments.hasUnsettled(customer.user_id))
      throw new Postponed('a payment of the customer is not final yet', RETRY_AFTER_MS);
    await this.customers.deleteCustomer(customer);
  }
}
