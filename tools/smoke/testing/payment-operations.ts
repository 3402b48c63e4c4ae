import { newId } from '@platform/platform';
import { setTimeout as delay } from 'node:timers/promises';
import { numbers } from '../random-numbers.js';
import { changeWebhooks, planFault } from './faults.js';
import type { Answer, PayingPlatform } from './paying-platform.js';
import { keepCard } from './payers.js';

const LANES = 8;
/** Attempts of a client without an answer; it repeats the request with the same key. */
const TRIES = 4;
const PAUSE_MS = 300;
/**
 * Percentages of operations that start with a new fault of the provider, or another delivery of its
 * events.
 */
const FAULTS_OF_100 = 4;
const WEBHOOKS_OF_100 = 1;
const PLANS = ['starter', 'pro', 'business', 'free'];
/** Cards that customers use in a browser; undefined leaves the page. */
const CARDS: readonly (string | undefined)[] = [
  ...Array.from({ length: 14 }, () => 'pm_card_visa'),
  'pm_card_visa_chargeDeclined',
  'pm_card_authenticationRequired',
  'pm_card_authenticationRequired',
  'pm_card_processing',
  'pm_card_createDispute',
  undefined,
];

/**
 * Payment operations of users, administrators and banks, several at once, while the gateway can be
 * killed and the provider can fail.
 */
export class PaymentOperations {
  done = 0;
  /** Number of answers by operation and status. */
  readonly answers = new Map<string, number>();
  private readonly surprises: { line: string; body: Answer['body'] }[] = [];
  private next = 0;
  private readonly began = performance.now();
  isOver = false;
  private readonly lanes: Promise<void>;

  constructor(
    private readonly platform: PayingPlatform,
    private readonly userIds: readonly string[],
    private readonly count: number,
    /** Milliseconds after which no operation starts. */
    private readonly longestMs = Infinity,
  ) {
    this.lanes = Promise.all(Array.from({ length: LANES }, () => this.lane())).then(() => {
      this.isOver = true;
    });
  }

  /** Waits for the end. Rejects with the first error of this program itself. */
  ended(): Promise<void> {
    return this.lanes;
  }

  /** Answers that no client should get, each with the log lines of its request. */
  get unexpected(): string[] {
    const log = this.surprises.length ? this.platform.logLines('gateway') : [];
    return this.surprises.flatMap(({ line, body }) => [
      `${line} ${JSON.stringify(body)}`,
      ...log.filter((logged) => logged.includes(String(body['request_id']))),
    ]);
  }

  private async lane(): Promise<void> {
    for (
      let operation = ++this.next;
      operation <= this.count && performance.now() - this.began < this.longestMs;
      operation = ++this.next
    ) {
      await this.platform.up;
      await this.make(operation);
      this.done++;
    }
  }

  private async make(operation: number): Promise<void> {
    const random = numbers(operation);
    const { platform } = this;
    if (random(100) < FAULTS_OF_100) await planFault(platform, random);
    if (random(100) < WEBHOOKS_OF_100) await changeWebhooks(platform, random);
    const userId = this.userIds[random(this.userIds.length)] as string;
    const kind = random(100);
    if (kind < 30) return this.topUp(userId, random);
    if (kind < 42) return this.topUpByCard(userId, random);
    if (kind < 54) return this.checkOut(userId, random);
    if (kind < 62) return this.changePlan(userId, random);
    if (kind < 66) return this.post('cancel', 'cancel', userId, {});
    if (kind < 69) return this.post('resume', 'resume', userId, {});
    if (kind < 74) return this.post('renew', 'renew', userId, {});
    if (kind < 82) return this.refund(random);
    if (kind < 86) return this.refundAtProvider(random);
    if (kind < 88) return this.failRefund();
    if (kind < 92) return this.dispute(random);
    if (kind < 95) return this.replaceCard(userId, random);
    if (kind < 97) return this.finishOne(random);
    return this.passTime();
  }

  private async topUp(userId: string, random: Random): Promise<void> {
    const cents = 50 + random(2_000);
    const request = { tokens: cents * 10, price_cents: cents, save_payment_method: random(4) === 0 };
    const answer = await this.ask('topup', 'POST', '/v1/billing/topup', request, userId);
    if (answer?.status === 200) await this.payInBrowser('topup', answer.body, userId, random);
  }

  /** Pays with the saved card; some clients send the request twice at the same moment. */
  private async topUpByCard(userId: string, random: Random): Promise<void> {
    const cents = 50 + random(500);
    const request = { tokens: cents * 10, price_cents: cents, off_session: true };
    const key = newId('key');
    const times = random(4) ? 1 : 2;
    await Promise.all(
      Array.from({ length: times }, () => this.ask('topup by card', 'POST', '/v1/billing/topup', request, userId, key)),
    );
  }

  private async checkOut(userId: string, random: Random): Promise<void> {
    const answer = await this.ask('checkout', 'POST', '/v1/billing/checkout', { plan_id: PLANS[random(3)] }, userId);
    if (answer?.status === 200) await this.payInBrowser('checkout', answer.body, userId, random);
  }

  private async changePlan(userId: string, random: Random): Promise<void> {
    const answer = await this.ask(
      'change-plan',
      'POST',
      '/v1/billing/change-plan',
      { plan_id: PLANS[random(4)] },
      userId,
    );
    const { requires_action: asks } = answer?.body ?? {};
    if (answer?.status === 200 && asks) await this.payInBrowser(null, answer.body, userId, random);
  }

  private async post(what: string, path: string, userId: string, body: object): Promise<void> {
    await this.ask(what, 'POST', `/v1/billing/${path}`, body, userId);
  }

  /**
   * Simulates the customer: pays, is declined, has to authenticate, is slow, or leaves. A backend
   * sometimes confirms at once.
   */
  private async payInBrowser(
    kind: 'topup' | 'checkout' | null,
    body: Answer['body'],
    userId: string,
    random: Random,
  ): Promise<void> {
    const id = String(body['payment_intent_id']);
    const card = CARDS[random(CARDS.length)];
    if (card === undefined) return; // the customer leaves
    await this.platform.askStripe('POST', `payment_intents/${id}/confirm`, { payment_method: card });
    if (card === 'pm_card_authenticationRequired')
      await this.platform.control('authenticate', { id, succeeds: random(4) > 0 });
    if (kind && random(3) === 0)
      await this.ask(`${kind}/confirm`, 'POST', `/v1/billing/${kind}/confirm`, { payment_intent_id: id }, userId);
  }

  private async refund(random: Random): Promise<void> {
    const intent = await this.somePaid();
    if (!intent) return;
    const part = random(2) ? { amount_cents: 1 + random(intent.amount_cents) } : {};
    await this.ask('refund', 'POST', `/v1/admin/payments/${intent.id}/refund`, { note: 'Not wanted', ...part });
  }

  /** Refunds like a seller in the provider's dashboard. */
  private async refundAtProvider(random: Random): Promise<void> {
    const intent = await this.somePaid();
    if (intent)
      await this.platform.askStripe('POST', 'refunds', {
        payment_intent: intent.id,
        amount: String(1 + random(intent.amount_cents)),
      });
  }

  private async failRefund(): Promise<void> {
    const [refund] = await this.platform.query<{ id: string }>(
      "SELECT provider_refund_id AS id FROM payment_refunds WHERE status = 'succeeded' ORDER BY random() LIMIT 1",
    );
    if (refund) await this.platform.control('fail-refund', { id: refund.id });
  }

  private async dispute(random: Random): Promise<void> {
    const [open] = await this.platform.query<{ id: string }>(
      "SELECT provider_dispute_id AS id FROM payment_disputes WHERE status = 'needs_response' ORDER BY random() LIMIT 1",
    );
    if (open && random(2)) {
      await this.platform.control('close-dispute', { id: open.id, outcome: random(2) ? 'won' : 'lost' });
      return;
    }
    const intent = await this.somePaid();
    if (!intent) return;
    const { body } = await this.platform.askStripe('GET', `payment_intents/${intent.id}`);
    const charge = body['latest_charge'];
    if (typeof charge === 'string')
      await this.platform.control('open-dispute', {
        charge,
        ...(random(2) && { amount: 1 + random(intent.amount_cents) }),
      });
  }

  /** Adds a card, possibly one that is declined, and deletes the oldest if there are many. */
  private async replaceCard(userId: string, random: Random): Promise<void> {
    await keepCard(this.platform, userId, random(4) ? 'pm_card_visa' : 'pm_card_chargeCustomerFail');
    const cards = await this.platform.query<{ id: string }>(
      'SELECT id FROM payment_methods WHERE user_id = $1 ORDER BY created_at',
      [userId],
    );
    if (cards.length < 2) return;
    const newest = cards.at(-1)?.id ?? '';
    await this.ask('default card', 'PUT', `/v1/billing/payment-methods/${newest}/default`, undefined, userId);
    if (cards.length > 3)
      await this.ask('remove card', 'DELETE', `/v1/billing/payment-methods/${cards[0]?.id}`, undefined, userId);
  }

  /** Lets the bank decide about a slow payment. */
  private async finishOne(random: Random): Promise<void> {
    const [slow] = await this.platform.query<{ id: string }>(
      "SELECT provider_intent_id AS id FROM payments WHERE status = 'processing' ORDER BY random() LIMIT 1",
    );
    if (slow) await this.platform.control('finish-processing', { id: slow.id, succeeds: random(4) > 0 });
  }

  /**
   * Moves the billing clock by four days: months end and are renewed. Also makes finished payments
   * older, so that daily limits are not reached.
   */
  private async passTime(): Promise<void> {
    await this.platform.query("UPDATE billing_clock SET ahead = ahead + interval '4 days'");
    // Skips payments that the platform has locked: waiting for them while holding the other locks
    // would be a deadlock.
    await this.platform.query(
      `UPDATE payments SET created_at = created_at - interval '4 days'
       WHERE id IN (SELECT id FROM payments WHERE status IN ('succeeded', 'failed', 'canceled') FOR UPDATE SKIP LOCKED)`,
    );
    await this.platform.query(
      "INSERT INTO outbox (id, queue, name, payload) VALUES ($1, 'renewals', 'sweep', '{}') ON CONFLICT DO NOTHING",
      [newId('job')],
    );
  }

  private async somePaid(): Promise<{ id: string; amount_cents: number } | undefined> {
    const [paid] = await this.platform.query<{ id: string; amount_cents: number }>(
      "SELECT provider_intent_id AS id, amount_cents FROM payments WHERE status = 'succeeded' ORDER BY random() LIMIT 1",
    );
    return paid;
  }

  /**
   * Sends a request like a client: without an answer, after 503, or while the first request is in
   * progress, it repeats the request with the same key a few times. Null if it gave up.
   */
  private async ask(
    what: string,
    method: string,
    path: string,
    body: object | undefined,
    userId?: string,
    key = newId('key'),
  ): Promise<Answer | null> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.platform.ask(method, path, body, { ...(userId !== undefined && { userId }), key });
      const { status } = answer;
      const line = `${what}: ${status}`;
      this.answers.set(line, (this.answers.get(line) ?? 0) + 1);
      if ((status >= 500 && status !== 503) || status === 422) this.surprises.push({ line, body: answer.body });
      const comesAgain = status === 0 || status === 503 || answer.body['code'] === 'idempotency.in_progress';
      if (!comesAgain) return answer;
      if (attempt === TRIES) return null;
      await delay(PAUSE_MS * attempt);
      await this.platform.up;
    }
  }
}

type Random = (below: number) => number;
