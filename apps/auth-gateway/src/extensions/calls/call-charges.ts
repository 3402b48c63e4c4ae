import { Inject, Injectable } from '@nestjs/common';
import { AppSubscriptions, Ledger, unexpectedOutcome, Wallets, type Settlement, type SpendingClass } from '@platform/billing';
import type { UserCaller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import { ExponentialBackoff, handleAll, retry } from 'cockatiel';
import type { Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { Erasures, rowsOfUser } from '../../kernel/erasure/erasures.js';
import { agreedPriceOf, priceOfCall } from '../../apps/prices/app-prices.js';
import type { CallTarget } from './call-targets.js';
import { CallRefusals } from './call-refusals.js';

/** Longer than any call takes. What a process that ended held is free again by then. */
const HOLD_SECONDS = 900;
/** In the background, after the call was answered. */
const SETTLE_ATTEMPTS = 6;

/** Who calls what, as far as it matters for the price. */
export interface ChargedCall {
  target: CallTarget;
  function: string;
  user: UserCaller;
  /** Which app calls, where it is one. */
  fromApp: string | undefined;
  /** Of this call, for ever: a job that makes it again pays once. */
  key: string;
  /** Null where the user spends in person. */
  spendingClass: SpendingClass | null;
}

/** What decides the price of a call, which is made or only asked about. */
export type AskedCharge = Pick<ChargedCall, 'target' | 'function' | 'user' | 'fromApp'>;

/** What a call that has begun costs. */
export interface CallCharge {
  /**
   * Spends what was promised where the call succeeded, else nothing. Where the database does not answer, it goes on trying in the background.
   *
   * @returns the credits that this call has spent: 0 where another one has paid the month meanwhile, the price where it is still being tried.
   */
  end(succeeded: boolean): Promise<number>;
}

export const FREE: CallCharge = { end: () => Promise.resolve(0) };

/** What a call costs now, more than nothing. */
interface DuePrice {
  price: number;
  /** The number of the month that it pays, where the app is paid by the month; else null. */
  month: number | null;
}

/** How a call is paid. */
interface Payment {
  price: number;
  settlement: Settlement;
  /** The key of the movement, where it pays a month and not only this call. */
  month?: string;
}

interface Promised extends Payment {
  walletId: string;
  holdId: string;
}

/**
 * The credits that calls cost. Before a call its price is held in the wallet of the user, so that what runs is paid; when it succeeds, the
 * price that counted at its start is spent, else the hold is released.
 */
@Injectable()
export class CallCharges {
  private readonly lost: Counter;
  private readonly again = retry(handleAll, {
    maxAttempts: SETTLE_ATTEMPTS,
    backoff: new ExponentialBackoff({ initialDelay: 200, maxDelay: 10_000 }),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly wallets: Wallets,
    private readonly ledger: Ledger,
    private readonly subscriptions: AppSubscriptions,
    @Inject(LOGGER) private readonly log: Logger,
    metrics: Registry,
    erasures: Erasures,
  ) {
    erasures.addDataStep(rowsOfUser('app_subscription_periods')); // of gateways of before
    this.lost = new Counter({
      name: 'call_charges_lost_total',
      help: 'Calls that succeeded and could not be charged, since the hold had ended or the database was away for long',
      registers: [metrics],
    });
  }

  /** @throws CallRefusal where the user cannot or does not want to pay, or agreed to less; then nothing may run. */
  async begin(call: ChargedCall): Promise<CallCharge> {
    const due = await this.priceOf(call);
    if (!due) return FREE;
    assertAgreed(call, due.price);
    return this.hold(call, this.paymentOf(call, due));
  }

  /** How `begin` would refuse the call now that costs `price`, without holding anything; null where it would not. */
  async refusalNow(call: AskedCharge, price: number): Promise<Error | null> {
    if (price === 0) return null;
    const notAgreed = refusalOfPrice(call, price);
    if (notAgreed) return notAgreed;
    const { userId, tenantId } = call.user;
    const { available, debt } = await this.wallets.state(new TenantData(this.dataSource.manager, tenantId), userId);
    if (debt > 0) return CallRefusals.inDebt(price);
    return available < price ? CallRefusals.insufficient(price, available) : null;
  }

  /** What `begin` would charge the call now. */
  async priceNow(call: AskedCharge): Promise<number> {
    return (await this.priceOf(call))?.price ?? 0;
  }

  /** Null where it costs nothing, such as in a month that is paid, or is not charged at all. */
  private async priceOf({ target, function: name, user, fromApp }: AskedCharge): Promise<DuePrice | null> {
    const { appId, prices } = target;
    if (!isCharged(target, user, fromApp)) return null;
    const isMonthly = prices?.model === 'subscription';
    const price = isMonthly ? prices.monthlyPrice : priceOfCall(prices, name);
    if (price === 0) return null;
    if (!isMonthly && !prices?.wasMonthly) return { price, month: null };
    // A month that is paid goes on, also when calls have come to cost something.
    const { isPaid, next: number } = await this.subscriptions.paidBy(user.userId, appId, target.developer?.id ?? null);
    if (isPaid) return null;
    return { price, month: isMonthly ? number : null };
  }

  private paymentOf(call: ChargedCall, { price, month: number }: DuePrice): Payment {
    if (number === null) return { price, settlement: settlementOf(call, { price, key: call.key, kind: 'call_charge' }) };
    const month = this.subscriptions.keyOf(call.user.userId, call.target.appId, number);
    return { price, settlement: settlementOf(call, { price, key: month, kind: 'app_subscription' }), month };
  }

  private async hold({ user, key: id, spendingClass }: ChargedCall, payment: Payment): Promise<CallCharge> {
    const { price, month } = payment;
    const walletId = await this.wallets.find(user.userId);
    if (walletId === null) throw CallRefusals.insufficient(price, 0);
    const holdNow = () =>
      this.ledger.hold(walletId, {
        id,
        amount: price,
        seconds: HOLD_SECONDS,
        ...(month !== undefined && { paidBy: month }),
        ...(spendingClass && { spendingClass }),
      });
    let held = await holdNow();
    if (held.outcome === 'key_reused') {
      // A job that ended while it made this call held what the call cost then.
      await this.ledger.release(walletId, id);
      held = await holdNow();
    }
    switch (held.outcome) {
      case 'done':
        return { end: (succeeded) => this.end({ ...payment, walletId, holdId: id }, succeeded) };
      case 'paid':
        return FREE;
      case 'spending_limit':
        throw CallRefusals.spendingLimit(price, held.available);
      case 'in_debt':
        throw CallRefusals.inDebt(price);
      case 'insufficient':
      case 'closed':
        throw CallRefusals.insufficient(price, held.available);
      default:
        return unexpectedOutcome(held.outcome, id);
    }
  }

  private async end(promised: Promised, succeeded: boolean): Promise<number> {
    const work = () => (succeeded ? this.spend(promised) : this.release(promised));
    try {
      return await work();
    } catch (err) {
      // Whoever called hears what the function said. The key makes it safe to try again, and the hold keeps the credits until then.
      this.log.warn({ err, hold: promised.holdId }, 'a call could not be charged at once');
      void this.again.execute(work).catch((last: unknown) => this.lose(promised, last, succeeded));
      return succeeded ? promised.price : 0;
    }
  }

  private async spend(promised: Promised): Promise<number> {
    const { walletId, price, settlement, month } = promised;
    const { outcome } = await this.ledger.settle(walletId, settlement);
    if (outcome === 'done') return price;
    // Of a month another call may have made the movement, and paid: by another price where that has changed meanwhile.
    if (month !== undefined && (outcome === 'replayed' || outcome === 'key_reused')) return 0;
    if (outcome === 'replayed') return price;
    this.lose(promised, new Error(`The settlement was answered with ${outcome}.`), true);
    return 0;
  }

  private async release({ walletId, holdId }: Promised): Promise<number> {
    await this.ledger.release(walletId, holdId);
    return 0;
  }

  private lose({ holdId, price }: Promised, err: unknown, succeeded: boolean): void {
    if (succeeded) this.lost.inc();
    this.log.error({ err, hold: holdId, price }, succeeded ? 'a call was not charged' : 'a hold stays until it expires');
  }
}

/** Whether a call counts, and may cost something. @param fromApp which app calls, where it is one. */
export const isCharged = ({ appId, isSystem, developer }: CallTarget, { userId }: UserCaller, fromApp: string | undefined): boolean =>
  !isSystem && developer?.id !== userId && fromApp !== appId;

/** Where the user agreed to pay less than it costs, or in another way; else null. */
function refusalOfPrice({ target: { appId, prices, agreedPrices }, function: name }: AskedCharge, price: number): Error | null {
  const agreed = prices && agreedPriceOf(prices, agreedPrices, name);
  return agreed !== null && price <= agreed ? null : CallRefusals.priceNotAgreed(appId, prices?.version ?? null, price, agreed);
}

/** @throws CallRefusal as `refusalOfPrice`. */
function assertAgreed(call: AskedCharge, price: number): void {
  const refusal = refusalOfPrice(call, price);
  if (refusal) throw refusal;
}

function settlementOf(
  { target, function: name, key: holdId }: ChargedCall,
  { price, key, kind }: { price: number } & Pick<Settlement, 'key' | 'kind'>,
): Settlement {
  const { appId, developer, prices } = target;
  return {
    holdId,
    key,
    amount: price,
    kind,
    charged: {
      appId,
      function: name,
      ...(prices && { priceVersion: prices.version }),
      ...(developer && prices && { developer: { id: developer.id, split: prices.split } }),
    },
    ref: holdId,
  };
}
