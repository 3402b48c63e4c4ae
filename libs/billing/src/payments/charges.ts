import { Injectable } from '@nestjs/common';
import { Outbox } from '@platform/persistence';
import { isCircuitOpen, ServiceUnavailable } from '@platform/platform';
import { Cards } from './cards.js';
import { Customers } from './customers.js';
import { CustomerGone, PaymentProvider, PaymentRefused, type PaymentIntent } from './payment-provider.js';
import type { PaymentPurpose } from './payment.entity.js';
import { Payments, type NewPayment } from './payments.js';
import { isGivenUp, providerKeyOf, type PaymentRow } from './payment-row.js';
import { Settlements, type Settled } from './settlements.js';

/** Whether a payment that was not made yet is still to be made. */
export type PaymentGuard = (payment: PaymentRow) => Promise<boolean>;

export interface Charged {
  payment: PaymentRow;
  /** As the provider answered. Null while another request asks it for the same payment. */
  intent: PaymentIntent | null;
}

/** A payment that was to be canceled for a new one has been paid, or is being paid: the new one was not made. */
export class AlreadyPaid extends Error {
  constructor(readonly payment: PaymentRow) {
    super(`The payment ${payment.id} was made in this moment.`);
  }
}

/** It was given up meanwhile: another payment took its place, it was left for too long, or its user was erased. */
export class PaymentReplaced extends Error {
  constructor() {
    super('The payment was given up.');
  }
}

/** A payment that was written down longer ago is asked for by nobody any more. */
const UNDER_WAY_MS = 30_000;
/** For so long the provider knows a key again (https://docs.stripe.com/api/idempotent_requests: at least 24 hours). */
export const KEY_IS_KNOWN_HOURS = 23;
/** What was begun in a browser is canceled then. */
const ABANDONED_AFTER_HOURS = 23;

/** Asks the provider for payments: row, call, row, and never a call in a transaction. */
@Injectable()
export class Charges {
  private readonly guards = new Map<PaymentPurpose, PaymentGuard>();

  constructor(
    private readonly outbox: Outbox,
    private readonly payments: Payments,
    private readonly customers: Customers,
    private readonly settlements: Settlements,
    private readonly provider: PaymentProvider,
    private readonly cards: Cards,
  ) {
    customers.onGone((open) => this.resolveAll(open));
  }

  /** Payments of this purpose are sent again by `resolve`, without anybody who asks, as long as this holds. Call it in the constructor of a provider. */
  retriesWhile(purpose: PaymentPurpose, guard: PaymentGuard): void {
    this.guards.set(purpose, guard);
  }

  /**
   * Writes a payment down, has the provider make it, and writes down what became of it. The same request again goes on where the first one was.
   *
   * @throws ServiceUnavailable: what became of it is found out by `resolve`, or by the same request again. PayerInactive.
   * TooManyDeclines. PaymentRefused. AlreadyPaid. PaymentReplaced. What `prepare` throws.
   */
  async make(payment: NewPayment): Promise<Charged> {
    const begin = () => this.outbox.transaction((em) => this.payments.begin(em, payment));
    let begun = await begin();
    // A payment in a browser for a customer that is gone is given up, and another one is begun.
    if (!begun.isNew && begun.payment.status === 'open' && !(await this.customers.isThere(payment.userId))) begun = await begin();
    const { payment: made, isNew, replaced } = begun;
    for (const one of replaced) {
      const before = await this.resolve(one);
      // A top-up that was paid meanwhile is no reason not to buy more.
      if (before && ['succeeded', 'processing'].includes(before.status) && payment.purpose !== 'topup') {
        await this.settlements.end(made.id, 'canceled');
        throw new AlreadyPaid(before);
      }
    }
    const isUnderWay = !isNew && made.is_off_session && made.status === 'created' && Date.now() - made.created_at.getTime() < UNDER_WAY_MS;
    return isUnderWay ? { payment: made, intent: null } : this.goOn(made);
  }

  /**
   * Finds out what the provider knows of a payment, and writes it down. Of one that is given up it sees to it that it is never paid. Returns it as it is
   * then; null where the provider has it in another way than it was asked for.
   *
   * @throws ServiceUnavailable.
   */
  async resolve(payment: PaymentRow): Promise<PaymentRow | null> {
    const intent = await this.find(payment, { creates: await this.mayBeSent(payment) });
    if (!intent) return this.endWithoutIntent(payment);
    const settled = await this.settlements.settle(intent);
    if (!settled || settled.mismatch) return null;
    const { payment: now } = settled;
    if (!isPayable(intent) || !(now.status === 'canceling' || isGivenUp(now) || isForgotten(now))) return now;
    const canceled = await this.provider.cancelIntent(intent.id);
    return canceled ? ((await this.settlements.settle(canceled))?.payment ?? null) : this.endWithoutIntent(now);
  }

  /** Asks again for an intent that somebody says something of. Null where it is of no payment of ours. */
  async refresh(intentId: string): Promise<Settled | null> {
    const intent = await this.provider.findIntent(intentId);
    return intent && this.settlements.settle(intent);
  }

  /** Goes on with a payment that a request made before. @throws as `make`. */
  async goOn(payment: PaymentRow): Promise<Charged> {
    const intent = await this.find(payment, { creates: payment.status !== 'canceling' });
    if (!intent) {
      await this.endWithoutIntent(payment);
      throw new PaymentReplaced();
    }
    const settled = await this.settlements.settle(intent);
    if (!settled || settled.mismatch) throw new Error(`The provider has the payment ${payment.id} in another way than it was asked for.`);
    if (isGivenUp(settled.payment) && isPayable(intent)) await this.provider.cancelIntent(intent.id);
    // Its answer was lost, and the customer went before it was found: no browser can pay it.
    if (isPayable(intent) && intent.customerId !== (await this.customers.find(payment.user_id))) {
      await this.resolveAll(await this.outbox.transaction((em) => this.payments.giveUpOpen(em, payment.user_id, payment.id)));
      throw new PaymentReplaced();
    }
    if (['canceling', 'canceled'].includes(settled.payment.status)) throw new PaymentReplaced();
    return { payment: settled.payment, intent };
  }

  private async create(payment: PaymentRow): Promise<PaymentIntent> {
    const { id, user_id, purpose, amount_cents, is_off_session, payment_method_id } = payment;
    const card = is_off_session ? payment_method_id : null;
    const ask = async (customerId: string) => {
      const key = providerKeyOf(payment, (await this.customers.hasFormer(user_id)) ? customerId : null);
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
      return await (card === null ? this.customers.with(user_id, ask) : ask(await this.customers.ensure(user_id)));
    } catch (error) {
      // One that was not sent, since others had failed before, stays as it is.
      if (error instanceof ServiceUnavailable && !isCircuitOpen(error)) await this.payments.markUnknown(id);
      if (error instanceof CustomerGone && (await this.customers.refresh(error.customerId))) {
        // The card went with its customer: no other one can pay with it, and none was declined.
        await this.settlements.end(id, 'canceled');
        throw new PaymentRefused('resource_missing');
      }
      if (error instanceof PaymentRefused) {
        if (card !== null) await this.cards.refresh(card);
        await this.settlements.end(id, 'failed', { failureCode: error.code });
      }
      throw error;
    }
  }

  /** @throws ServiceUnavailable: the sweep does the rest. */
  private async resolveAll(payments: readonly PaymentRow[]): Promise<void> {
    for (const payment of payments) await this.resolve(payment);
  }

  /** The provider has nothing of it. A payment of the other mode, test or live, stays as it is: this key does not see its intent. */
  private async endWithoutIntent(payment: PaymentRow): Promise<PaymentRow> {
    const { id, provider_intent_id: intentId, is_live: isLive } = payment;
    return this.settlements.end(id, 'canceled', { goneIntentId: isLive === this.provider.isLive ? intentId : null });
  }

  /** Whether a payment that nobody is waiting for is sent: somebody who asked for one by themselves has had their 503, and may ask again. */
  private async mayBeSent(payment: PaymentRow): Promise<boolean> {
    const guard = this.guards.get(payment.purpose);
    if (!guard || !payment.is_off_session || payment.status === 'canceling' || payment.provider_intent_id !== null) return false;
    return (await this.payments.isPayerActive(payment.user_id)) && guard(payment);
  }

  /** The intent of a payment. Where none is known, `creates` asks for it again while the key says the same to the provider; else it is looked for. */
  private async find(payment: PaymentRow, { creates }: { creates: boolean }): Promise<PaymentIntent | null> {
    const { provider_intent_id: intentId, created_at: createdAt } = payment;
    if (intentId !== null) return this.provider.findIntent(intentId);
    // A former customer may have it: a new one has another key.
    const former = await this.findOf(await this.customers.goneSince(payment.user_id, createdAt), payment);
    if (former) return former;
    if (creates && ageInHours(createdAt) < KEY_IS_KNOWN_HOURS) return this.create(payment);
    const customerId = await this.customers.find(payment.user_id);
    return customerId === null ? null : this.findOf([customerId], payment);
  }

  private async findOf(customerIds: readonly string[], { id, created_at: createdAt }: PaymentRow): Promise<PaymentIntent | null> {
    const since = new Date(createdAt.getTime() - 3_600_000);
    for (const customerId of customerIds) {
      const found = await this.provider.findIntentOf(customerId, id, since);
      if (found) return found;
    }
    return null;
  }
}

const ageInHours = (since: Date): number => (Date.now() - since.getTime()) / 3_600_000;

/** Whether somebody who has its secret could still pay it. */
const isPayable = ({ status }: PaymentIntent): boolean => status.startsWith('requires_');

/** Nobody pays it any more. */
const isForgotten = ({ status, created_at }: PaymentRow): boolean => status === 'open' && ageInHours(created_at) >= ABANDONED_AFTER_HOURS;

/** On the customer's statement. The same each time, as the provider compares what comes with a key. */
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
