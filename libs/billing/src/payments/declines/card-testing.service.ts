import { Injectable } from '@nestjs/common';
import { Charges } from '../charges.js';
import { Customers } from '../customers.js';
import { PaymentProvider } from '../payment-provider.js';
import { Payments } from '../payments.js';
import { DeclinesRepository } from './declines.repository.js';

/** Prefix of the ids of set-ups (https://docs.stripe.com/api/setup_intents/object). */
const SETUP_PREFIX = 'seti_';

/** Ends payments and set-ups in browsers with which somebody tries cards: each takes any number of cards until it is canceled. */
@Injectable()
export class CardTestingService {
  constructor(
    private readonly declines: DeclinesRepository,
    private readonly payments: Payments,
    private readonly charges: Charges,
    private readonly customers: Customers,
    private readonly provider: PaymentProvider,
  ) {}

  /**
   * Call it for a declined try of this payment or set-up. Cancels all payments and set-ups of the user that a browser could go on with, if too many tries were declined.
   * Safe to run again.
   *
   * @throws ServiceUnavailable: a payment that is not canceled yet is by the sweep.
   */
  async stop(intentId: string): Promise<void> {
    const userId = await this.declines.findBlocked(intentId);
    if (userId === null) return;
    for (const payment of await this.payments.giveUpWaiting(userId)) await this.charges.resolve(payment);
    // The tried one by its id: it may be older than those that are listed.
    if (intentId.startsWith(SETUP_PREFIX)) await this.provider.cancelSetup(intentId);
    const customerId = await this.customers.find(userId);
    if (customerId !== null) await this.provider.cancelSetupsOf(customerId);
  }
}
