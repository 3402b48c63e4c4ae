import { Injectable } from '@nestjs/common';
import { ChargesService } from '../charges.service.js';
import { CustomersService } from '../customers.service.js';
import { PaymentProvider } from '../payment-provider.js';
import { PaymentsRepository } from '../payments.repository.js';
import { DeclinesRepository } from './declines.repository.js';

/** Prefix of the ids of set-ups (https://docs.stripe.com/api/setup_intents/object). */
const SETUP_PREFIX = 'seti_';

/**
 * Stops card testing. A payment or set-up in a browser accepts any number of cards until it is
 * canceled, so an attacker could use it to find valid cards.
 */
@Injectable()
export class CardTestingService {
  constructor(
    private readonly declines: DeclinesRepository,
    private readonly payments: PaymentsRepository,
    private readonly charges: ChargesService,
    private readonly customers: CustomersService,
    private readonly provider: PaymentProvider,
  ) {}

  /**
   * Call this after a declined attempt with this payment or set-up. If 8 attempts of the user were
   * declined in the last hour, cancels all payments and set-ups of the user that a browser can
   * continue. Safe to repeat.
   *
   * @throws ServiceUnavailable if the provider is not available. The sweep cancels payments that
   * are left.
   */
  async stopCardTesting(intentId: string): Promise<void> {
    const userId = await this.declines.findBlockedUser(intentId);
    if (userId === null) return;
    for (const payment of await this.payments.cancelBrowserPayments(userId))
      await this.charges.reconcilePayment(payment);
    // Cancels the tried set-up by its id, because it can be older than the listed ones.
    if (intentId.startsWith(SETUP_PREFIX)) await this.provider.cancelSetup(intentId);
    const customerId = await this.customers.findCustomerId(userId);
    if (customerId !== null) await this.provider.cancelSetups(customerId);
  }
}
