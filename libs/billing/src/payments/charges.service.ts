import { Injectable } from '@nestjs/common';
import { Outbox } from '@platform/persistence';
import { isCircuitOpen, ServiceUnavailable } from '@platform/platform';
import { CardsService } from './cards.service.js';
import { CustomersService } from './customers.service.js';
import { CustomerMissing, PaymentProvider, PaymentRefused, type PaymentIntent } from './payment-provider.js';
import type { PaymentPurpose } from './payment.entity.js';
import { PaymentsRepository, type NewPayment } from './payments.repository.js';
import { isFailedOrCanceled, toProviderKey, type PaymentRow } from './payment-row.js';
import { PaymentStatusService, type RecordedIntent } from './payment-status.service.js';

/** Tells whether a payment that has not reached the provider should still be made. */
export type PaymentRetryCondition = (payment: PaymentRow) => Promise<boolean>;

export interface ChargeResult {
  payment: PaymentRow;
  /** Answer of the provider. Null while another request is sending the same payment. */
  intent: PaymentIntent | null;
}

/**
 * A payment that a new one should have replaced is paid or is being processed. The new payment was
 * not made.
 */
export class AlreadyPaid extends Error {
  constructor(readonly payment: PaymentRow) {
    super(`The payment ${payment.id} was made at the same time.`);
  }
}

/**
 * The payment was given up: another payment replaced it, it was left unpaid for too long, or its
 * user was deleted.
 */
export class PaymentReplaced extends Error {
  constructor() {
    super('The payment was given up.');
  }
}

/**
 * Milliseconds after which the request that created the payment no longer counts as working on it.
 */
const REQUEST_IN_PROGRESS_MS = 30_000;
/**
 * Hours for which the provider recognizes an idempotency key. Stripe keeps keys for at least 24
 * hours (https://docs.stripe.com/api/idempotent_requests).
 */
export const IDEMPOTENCY_KEY_HOURS = 23;
/** Hours after which a payment that was started in a browser is canceled. */
const ABANDONED_AFTER_HOURS = 23;

/**
 * Makes payments at the provider. It first writes the row, then calls the provider, then writes the
 * row again. It never calls the provider inside a transaction.
 */
@Injectable()
export class ChargesService {
  private readonly guards = new Map<PaymentPurpose, PaymentRetryCondition>();

  constructor(
    private readonly outbox: Outbox,
    private readonly payments: PaymentsRepository,
    private readonly customers: CustomersService,
    private readonly paymentStatus: PaymentStatusService,
    private readonly provider: PaymentProvider,
    private readonly cards: CardsService,
  ) {
    customers.onCustomerMissing((open) => this.reconcileAll(open));
  }

  /**
   * Lets `reconcilePayment` send payments of this purpose that have a saved card and no intent yet,
   * without a request of the user, as long as the guard returns true. Call this in the constructor
   * of a provider.
   */
  setRetryCondition(purpose: PaymentPurpose, guard: PaymentRetryCondition): void {
    this.guards.set(purpose, guard);
  }

  /**
   * Creates a payment, makes it at the provider and stores the result; a paid one takes effect at
   * once (`PaymentStatusService.recordIntent`). Cancels a payment of the same purpose that waits
   * for the user. A retry with the same request id or scope continues the first payment. A declined
   * card is no error: the payment then has the status `failed` or `open`.
   *
   * @throws ServiceUnavailable if the provider is not available: the result is unknown;
   * `reconcilePayment` or a retry finds out. PayerInactive if the user or the tenant is inactive or
   * deleted. TooManyDeclines if too many attempts of the user were declined in the last hour.
   * PaymentRefused if the provider refuses the saved card, for example because it was removed.
   * AlreadyPaid if a payment for a plan that this one should replace is paid or being processed.
   * PaymentReplaced if the payment was given up meanwhile. Error if the payment at the provider
   * differs from the stored one. Errors of `prepare`.
   */
  async createPayment(payment: NewPayment): Promise<ChargeResult> {
    const begin = () => this.outbox.transaction((em) => this.payments.insertPayment(em, payment));
    let begun = await begin();
    // A browser payment of a customer that no longer exists is given up by
    // `refreshCurrentCustomer`. The second `begin` creates a new one.
    if (
      !begun.isNew &&
      begun.payment.status === 'open' &&
      !(await this.customers.refreshCurrentCustomer(payment.userId))
    )
      begun = await begin();
    const { payment: made, isNew, replaced } = begun;
    for (const one of replaced) {
      const before = await this.reconcilePayment(one);
      // A top-up that was paid in the meantime does not keep the user from buying more credits.
      if (before && ['succeeded', 'processing'].includes(before.status) && payment.purpose !== 'topup') {
        await this.paymentStatus.endPayment(made.id, 'canceled');
        throw new AlreadyPaid(before);
      }
    }
    const isUnderWay =
      !isNew &&
      made.is_off_session &&
      made.status === 'created' &&
      Date.now() - made.created_at.getTime() < REQUEST_IN_PROGRESS_MS;
    return isUnderWay ? { payment: made, intent: null } : this.continuePayment(made);
  }

  /**
   * Reads the state of a payment from the provider and stores it with its effects
   * (`PaymentStatusService.recordIntent`). Cancels the payment at the provider if it was given up
   * or has been open for 23 hours, so that it can no longer be paid. If no intent is stored, sends
   * the payment again where the guard of `setRetryCondition` allows it. A payment that the provider
   * does not have is canceled here. Safe to repeat.
   *
   * @returns the payment as it is now; null if the provider's payment differs from the stored one.
   * @throws ServiceUnavailable if the provider is not available. PaymentRefused if the provider
   * refuses a payment that is sent again.
   */
  async reconcilePayment(payment: PaymentRow): Promise<PaymentRow | null> {
    const intent = await this.findIntent(payment, { creates: await this.canBeSent(payment) });
    if (!intent) return this.endWithoutIntent(payment);
    const settled = await this.paymentStatus.recordIntent(intent);
    if (!settled || settled.mismatch) return null;
    const { payment: now } = settled;
    if (!isPayable(intent) || !(now.status === 'canceling' || isFailedOrCanceled(now) || isAbandoned(now))) return now;
    const canceled = await this.provider.cancelIntent(intent.id);
    return canceled ? ((await this.paymentStatus.recordIntent(canceled))?.payment ?? null) : this.endWithoutIntent(now);
  }

  /**
   * Reads an intent (the payment at the provider) again, for example after an event about it, and
   * stores its state with its effects (`PaymentStatusService.recordIntent`): a paid one gives the
   * user the paid item. Null if it does not exist or belongs to no payment of the platform.
   *
   * @throws ServiceUnavailable if the provider is not available.
   */
  async refreshIntent(intentId: string): Promise<RecordedIntent | null> {
    const intent = await this.provider.findIntent(intentId);
    return intent && this.paymentStatus.recordIntent(intent);
  }

  /**
   * Continues a stored payment: sends it to the provider or reads its state there, and stores the
   * result with its effects (`PaymentStatusService.recordIntent`).
   *
   * @throws ServiceUnavailable if the provider is not available. PaymentRefused if the provider
   * refuses the saved card. PaymentReplaced if the payment was given up, or its customer no longer
   * exists at the provider. Error if the payment at the provider differs from the stored one.
   */
  async continuePayment(payment: PaymentRow): Promise<ChargeResult> {
    const intent = await this.findIntent(payment, { creates: payment.status !== 'canceling' });
    if (!intent) {
      await this.endWithoutIntent(payment);
      throw new PaymentReplaced();
    }
    const settled = await this.paymentStatus.recordIntent(intent);
    if (!settled || settled.mismatch)
      throw new Error(`The payment ${payment.id} at the provider differs from the stored one.`);
    if (isFailedOrCanceled(settled.payment) && isPayable(intent)) await this.provider.cancelIntent(intent.id);
    // The provider's first answer was lost, and the customer disappeared before the payment was
    // found. No browser can pay it.
    if (isPayable(intent) && intent.customerId !== (await this.customers.findCustomerId(payment.user_id))) {
      await this.reconcileAll(
        await this.outbox.transaction((em) => this.payments.cancelOpenPayments(em, payment.user_id, payment.id)),
      );
      throw new PaymentReplaced();
    }
    if (['canceling', 'canceled'].includes(settled.payment.status)) throw new PaymentReplaced();
    return { payment: settled.payment, intent };
  }

  private async sendToProvider(payment: PaymentRow): Promise<PaymentIntent> {
    const { id, user_id, purpose, amount_cents, is_off_session, payment_method_id } = payment;
    const card = is_off_session ? payment_method_id : null;
    const ask = async (customerId: string) => {
      const key = toProviderKey(payment, (await this.customers.hasFormerCustomer(user_id)) ? customerId : null);
      return this.provider.createIntent(
        {
          amountCents: amount_cents,
          customerId,
          description: descriptionOf(payment),
          metadata: { payment_id: id, user_id, kind: purpose },
          keepsCard: payment.keeps_card,
          ...(card !== null && { paymentMethodId: card }),
        },
        key,
      );
    };
    try {
      return await (card === null
        ? this.customers.withCustomer(user_id, ask)
        : ask(await this.customers.ensureCustomer(user_id)));
    } catch (error) {
      // A payment that was not sent because the circuit breaker was open keeps its status.
      if (error instanceof ServiceUnavailable && !isCircuitOpen(error)) await this.payments.markUnknown(id);
      if (error instanceof CustomerMissing && (await this.customers.refreshCustomer(error.customerId))) {
        // The card disappeared with its customer. No other card can pay this payment, and no card
        // was declined.
        await this.paymentStatus.endPayment(id, 'canceled');
        throw new PaymentRefused('resource_missing');
      }
      if (error instanceof PaymentRefused) {
        if (card !== null) await this.cards.refreshCard(card);
        await this.paymentStatus.endPayment(id, 'failed', { failureCode: error.code });
      }
      throw error;
    }
  }

  /**
   * Resolves payments one after the other.
   *
   * @throws ServiceUnavailable if the provider is not available. The sweep then resolves the rest.
   */
  private async reconcileAll(payments: readonly PaymentRow[]): Promise<void> {
    for (const payment of payments) await this.reconcilePayment(payment);
  }

  /**
   * Cancels here a payment for which the provider has no intent. A payment of the other mode (test
   * or live) with an intent stays as it is: the current key cannot see that intent.
   */
  private async endWithoutIntent(payment: PaymentRow): Promise<PaymentRow> {
    const { id, provider_intent_id: intentId, is_live: isLive } = payment;
    return this.paymentStatus.endPayment(id, 'canceled', {
      goneIntentId: isLive === this.provider.isLive ? intentId : null,
    });
  }

  /**
   * True if a payment that no request is waiting for may be sent to the provider: a saved card pays
   * it, it has no intent and was not given up, the user is active, and the guard of its purpose
   * allows it. False for a purpose without a guard: that request got a 503, and the user can repeat
   * it.
   */
  private async canBeSent(payment: PaymentRow): Promise<boolean> {
    const guard = this.guards.get(payment.purpose);
    if (!guard || !payment.is_off_session || payment.status === 'canceling' || payment.provider_intent_id !== null)
      return false;
    return (await this.payments.isPayerActive(payment.user_id)) && guard(payment);
  }

  /**
   * Finds the intent of a payment at the provider; null if there is none. If no id is stored, it
   * looks at former customers first. Then, with `creates`, it sends the request again while the
   * provider still recognizes its key (23 hours); otherwise it searches for the intent.
   *
   * @throws ServiceUnavailable if the provider is not available. PaymentRefused if the request is
   * sent and the provider refuses the saved card.
   */
  private async findIntent(payment: PaymentRow, { creates }: { creates: boolean }): Promise<PaymentIntent | null> {
    const { provider_intent_id: intentId, created_at: createdAt } = payment;
    if (intentId !== null) return this.provider.findIntent(intentId);
    // A former customer can have the intent. A new customer has another key, so sending again would
    // create a second one.
    const former = await this.findIntentOfCustomers(
      await this.customers.listFormerIdsSince(payment.user_id, createdAt),
      payment,
    );
    if (former) return former;
    if (creates && ageInHours(createdAt) < IDEMPOTENCY_KEY_HOURS) return this.sendToProvider(payment);
    const customerId = await this.customers.findCustomerId(payment.user_id);
    return customerId === null ? null : this.findIntentOfCustomers([customerId], payment);
  }

  private async findIntentOfCustomers(
    customerIds: readonly string[],
    { id, created_at: createdAt }: PaymentRow,
  ): Promise<PaymentIntent | null> {
    const since = new Date(createdAt.getTime() - 3_600_000);
    for (const customerId of customerIds) {
      const found = await this.provider.findIntentByPayment(customerId, id, since);
      if (found) return found;
    }
    return null;
  }
}

const ageInHours = (since: Date): number => (Date.now() - since.getTime()) / 3_600_000;

/** True if a browser with the client secret can still pay the intent. */
const isPayable = ({ status }: PaymentIntent): boolean => status.startsWith('requires_');

/** True if the payment was left open for too long (23 hours). */
const isAbandoned = ({ status, created_at }: PaymentRow): boolean =>
  status === 'open' && ageInHours(created_at) >= ABANDONED_AFTER_HOURS;

/**
 * Text that the provider shows with the payment, for example on a receipt. It must stay the same
 * for a payment, because the provider compares the content of requests with the same key.
 */
function descriptionOf({ purpose, credits, plan_id: plan }: PaymentRow): string {
  switch (purpose) {
    case 'topup':
    case 'auto_topup':
      return `${credits} credits`;
    case 'checkout':
    case 'renewal':
      return `Plan ${plan}, one month`;
    case 'upgrade':
      return `Change to plan ${plan}`;
  }
}
