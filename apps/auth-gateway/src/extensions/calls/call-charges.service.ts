import { Inject, Injectable } from '@nestjs/common';
import {
  AppSubscriptionsRepository,
  LedgerService,
  throwUnexpectedOutcome,
  WalletsRepository,
  type Capture,
  type SpendingClass,
} from '@platform/billing';
import type { UserCaller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import { ExponentialBackoff, handleAll, retry } from 'cockatiel';
import type { Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { getAgreedPrice, getCallPrice } from '../../apps/prices/app-prices.repository.js';
import type { CallTarget } from './call-targets.service.js';
import { CallRefusals } from './call-refusals.js';

/**
 * Longer than any call takes. If a process stops during a call, the reservation ends after this
 * time.
 */
const RESERVATION_SECONDS = 900;
/** Attempts to end a charge in the background, after the call was answered. */
const CAPTURE_ATTEMPTS = 6;

/** A call, with the facts that decide its price. */
export interface ChargedCall {
  target: CallTarget;
  function: string;
  user: UserCaller;
  /** The calling app; undefined for a call of the user. */
  fromApp: string | undefined;
  /** Unique for this call. A job that repeats the call with the same key pays once. */
  key: string;
  /**
   * Selects the monthly spending limit that applies. Null if the user calls in person: no limit
   * applies.
   */
  spendingClass: SpendingClass | null;
}

/** Facts that decide the price of a call. They suffice to ask for a price without a call. */
export type PriceQuery = Pick<ChargedCall, 'target' | 'function' | 'user' | 'fromApp'>;

/** The reserved price of a call that has begun. */
export interface CallCharge {
  /**
   * Captures the reserved price if the call succeeded; otherwise releases it. If the database does
   * not answer, retries in the background.
   *
   * @returns the credits that this call has spent. 0 if the call failed, if another call has paid
   * the month meanwhile, or if the reservation had expired; the full price while retries go on.
   */
  end(succeeded: boolean): Promise<number>;
}

export const FREE_CHARGE: CallCharge = { end: () => Promise.resolve(0) };

/** Price of a call now, more than 0. */
interface DuePrice {
  price: number;
  /**
   * Number of the month that the price pays, for an app with a monthly price; null for a price per
   * call.
   */
  month: number | null;
}

interface Payment {
  price: number;
  settlement: Capture;
  /** Key of the booking if it pays a month and not only this call. */
  month?: string;
}

interface ReservedPayment extends Payment {
  walletId: string;
  holdId: string;
}

/**
 * Charges for calls. Before a call its price is reserved in the wallet of the user, so that every
 * running call can be paid. After success, the price from the start of the call is captured;
 * otherwise the reservation is released.
 */
@Injectable()
export class CallChargesService {
  private readonly lost: Counter;
  private readonly again = retry(handleAll, {
    maxAttempts: CAPTURE_ATTEMPTS,
    backoff: new ExponentialBackoff({ initialDelay: 200, maxDelay: 10_000 }),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly wallets: WalletsRepository,
    private readonly ledger: LedgerService,
    private readonly subscriptions: AppSubscriptionsRepository,
    @Inject(LOGGER) private readonly log: Logger,
    metrics: Registry,
  ) {
    this.lost = new Counter({
      name: 'call_charges_lost_total',
      help: 'Calls that succeeded but could not be charged: the reservation had expired, or the database was unavailable for too long',
      registers: [metrics],
    });
  }

  /**
   * Reserves the price of the call. Returns `FREE_CHARGE` if the call is free or its month is paid.
   *
   * @throws CallRefusal `INSUFFICIENT_CREDITS` if the user cannot pay or has a debt,
   * `SPENDING_LIMIT_REACHED` above a monthly spending limit, `PRICE_NOT_AGREED` if the user agreed
   * to no price, a lower price or another kind of price. The call must not run then.
   */
  async reserve(call: ChargedCall): Promise<CallCharge> {
    const due = await this.findDuePrice(call);
    if (!due) return FREE_CHARGE;
    assertAgreed(call, due.price);
    return this.reservePayment(call, this.toPayment(call, due));
  }

  /**
   * Refusal that `reserve` would throw now for a call that costs `price`; null if it would accept.
   * Reserves nothing, and does not check the monthly spending limits.
   */
  async findRefusal(call: PriceQuery, price: number): Promise<Error | null> {
    if (price === 0) return null;
    const notAgreed = refusalOfPrice(call, price);
    if (notAgreed) return notAgreed;
    const { userId, tenantId } = call.user;
    const { available, debt } = await this.wallets.getWalletState(
      new TenantData(this.dataSource.manager, tenantId),
      userId,
    );
    if (debt > 0) return CallRefusals.inDebt(price);
    return available < price ? CallRefusals.insufficient(price, available) : null;
  }

  /** Price that `reserve` would charge for the call now; 0 for a free call. */
  async getCurrentPrice(call: PriceQuery): Promise<number> {
    return (await this.findDuePrice(call))?.price ?? 0;
  }

  /**
   * Returns the price of the call now. Null if the call is free: it has no price, its month is
   * paid, or it is never charged (`isCharged`).
   */
  private async findDuePrice({ target, function: name, user, fromApp }: PriceQuery): Promise<DuePrice | null> {
    const { appId, prices } = target;
    if (!isCharged(target, user, fromApp)) return null;
    const isMonthly = prices?.model === 'subscription';
    const price = isMonthly ? prices.monthlyPrice : getCallPrice(prices, name);
    if (price === 0) return null;
    if (!isMonthly && !prices?.wasMonthly) return { price, month: null };
    // A paid month stays valid, even if the app has a price per call now.
    const { isPaid, next: number } = await this.subscriptions.getMonthState(
      user.userId,
      appId,
      target.developer?.id ?? null,
    );
    if (isPaid) return null;
    return { price, month: isMonthly ? number : null };
  }

  private toPayment(call: ChargedCall, { price, month: number }: DuePrice): Payment {
    if (number === null)
      return { price, settlement: settlementOf(call, { price, key: call.key, kind: 'call_charge' }) };
    const month = this.subscriptions.movementKey(call.user.userId, call.target.appId, number);
    return { price, settlement: settlementOf(call, { price, key: month, kind: 'app_subscription' }), month };
  }

  private async reservePayment({ user, key: id, spendingClass }: ChargedCall, payment: Payment): Promise<CallCharge> {
    const { price, month } = payment;
    const walletId = await this.wallets.findWalletId(user.userId);
    if (walletId === null) throw CallRefusals.insufficient(price, 0);
    const holdNow = () =>
      this.ledger.reserve(walletId, {
        id,
        amount: price,
        seconds: RESERVATION_SECONDS,
        ...(month !== undefined && { paidBy: month }),
        ...(spendingClass && { spendingClass }),
      });
    let held = await holdNow();
    if (held.outcome === 'key_reused') {
      // A job ended during an earlier attempt at this call. Its reservation has the price of that
      // time.
      await this.ledger.release(walletId, id);
      held = await holdNow();
    }
    switch (held.outcome) {
      case 'done':
        return { end: (succeeded) => this.endCharge({ ...payment, walletId, holdId: id }, succeeded) };
      case 'paid':
        return FREE_CHARGE;
      case 'spending_limit':
        throw CallRefusals.spendingLimit(price, held.available);
      case 'in_debt':
        throw CallRefusals.inDebt(price);
      case 'insufficient':
      case 'closed':
        throw CallRefusals.insufficient(price, held.available);
      default:
        return throwUnexpectedOutcome(held.outcome, id);
    }
  }

  private async endCharge(promised: ReservedPayment, succeeded: boolean): Promise<number> {
    const work = () => (succeeded ? this.capture(promised) : this.release(promised));
    try {
      return await work();
    } catch (err) {
      // The caller gets the function's answer all the same. The key makes retries safe, and the
      // reservation keeps the credits until then.
      this.log.warn({ err, hold: promised.holdId }, 'a call could not be charged at once');
      void this.again.execute(work).catch((last: unknown) => this.recordLoss(promised, last, succeeded));
      return succeeded ? promised.price : 0;
    }
  }

  private async capture(promised: ReservedPayment): Promise<number> {
    const { walletId, price, settlement, month } = promised;
    const { outcome } = await this.ledger.capture(walletId, settlement);
    if (outcome === 'done') return price;
    // Another call may have paid this month meanwhile, perhaps at another price.
    if (month !== undefined && (outcome === 'replayed' || outcome === 'key_reused')) return 0;
    if (outcome === 'replayed') return price;
    this.recordLoss(promised, new Error(`The settlement was answered with ${outcome}.`), true);
    return 0;
  }

  private async release({ walletId, holdId }: ReservedPayment): Promise<number> {
    await this.ledger.release(walletId, holdId);
    return 0;
  }

  private recordLoss({ holdId, price }: ReservedPayment, err: unknown, succeeded: boolean): void {
    if (succeeded) this.lost.inc();
    this.log.error(
      { err, hold: holdId, price },
      succeeded ? 'a call was not charged' : 'a reservation was not released and stays until it expires',
    );
  }
}

/**
 * True if the call can cost credits and uses up a call of the user's plan. False for a call to an
 * app of the platform, to the user's own app, and of an app to itself.
 *
 * @param fromApp the calling app; undefined for a call of the user.
 */
export const isCharged = (
  { appId, isSystem, developer }: CallTarget,
  { userId }: UserCaller,
  fromApp: string | undefined,
): boolean => !isSystem && developer?.id !== userId && fromApp !== appId;

/**
 * Refusal if the user agreed to no price, to a lower price or to another kind of price, or if the
 * app has no prices now; else null.
 */
function refusalOfPrice(
  { target: { appId, prices, agreedPrices }, function: name }: PriceQuery,
  price: number,
): Error | null {
  const agreed = prices && getAgreedPrice(prices, agreedPrices, name);
  return agreed !== null && price <= agreed
    ? null
    : CallRefusals.priceNotAgreed(appId, prices?.version ?? null, price, agreed);
}

/** @throws CallRefusal like `refusalOfPrice`. */
function assertAgreed(call: PriceQuery, price: number): void {
  const refusal = refusalOfPrice(call, price);
  if (refusal) throw refusal;
}

function settlementOf(
  { target, function: name, key: holdId }: ChargedCall,
  { price, key, kind }: { price: number } & Pick<Capture, 'key' | 'kind'>,
): Capture {
  const { appId, developer, prices } = target;
  return {
    reservationId: holdId,
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
