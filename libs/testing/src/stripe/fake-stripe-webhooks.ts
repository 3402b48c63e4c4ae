import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type Stripe from 'stripe';
import type { FakeStripeState } from './fake-stripe-state.js';

/** Settings for the delivery of events. */
export interface WebhookSettings {
  /** Null: events are not delivered and are only in `GET /v1/events`. */
  url: string | null;
  /** Secrets for signatures; two while one is being replaced. */
  secrets: string[];
  /** Number of deliveries of each event, fixed when the event happens. 0 loses it. */
  copies: number;
  /** Milliseconds until an event is delivered. */
  delayMs: number;
  /** True to deliver waiting events in another order. */
  shuffles: boolean;
  /** True to sign different content, like a sender without the secret. */
  signsWrongly: boolean;
  /** Milliseconds before each retry of a failed delivery. Stripe retries for three days. */
  retriesAfterMs: number[];
}

const WEBHOOK_SECRET = 'whsec_stand_in';
const TIMEOUT_MS = 60_000;
/** Milliseconds between two checks of `waitUntilSettled`. */
const PAUSE_MS = 5;
const MOST_PAUSES = 6_000;

/**
 * Records and delivers events: at least once, in no fixed order
 * (https://docs.stripe.com/webhooks).
 */
export class FakeStripeWebhooks {
  readonly settings: WebhookSettings = {
    url: null,
    secrets: [WEBHOOK_SECRET],
    copies: 1,
    delayMs: 0,
    shuffles: false,
    signsWrongly: false,
    retriesAfterMs: [],
  };
  private readonly waiting: Stripe.Event[] = [];
  private readonly deliveries = new Set<Promise<unknown>>();
  private readonly stopped = new AbortController();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly state: FakeStripeState) {}

  emit(type: string, object: object): void {
    const { state } = this;
    const event = {
      id: state.newId('event'),
      object: 'event',
      api_version: '2026-10-28.endive',
      created: state.now(),
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: this.settings.url === null ? 0 : 1,
      request: { id: null, idempotency_key: null },
      type,
    } as unknown as Stripe.Event;
    state.put('event', event);
    this.enqueue(event);
  }

  /**
   * Schedules the delivery of an event, also of one that happened while no URL was set. Does
   * nothing if no URL is set now, or `copies` is 0.
   */
  enqueue(event: Stripe.Event): void {
    const { url, copies } = this.settings;
    if (url === null || copies === 0) return;
    for (let copy = 0; copy < copies; copy++) this.waiting.push(event);
    this.timer ??= setTimeout(() => this.deliverWaiting(), this.settings.delayMs);
  }

  /** Signs like Stripe: `t` is the time, `v1` one HMAC-SHA256 of `t.body` for each secret. */
  sign(body: string, secrets = this.settings.secrets, at = this.state.now()): string {
    const sign = (secret: string) => createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    return [`t=${at}`, ...secrets.map((secret) => `v1=${sign(secret)}`)].join(',');
  }

  /** True if no event is waiting for delivery or retry, and no delivery is running. */
  get isSettled(): boolean {
    return !this.timer && !this.deliveries.size;
  }

  /**
   * Waits until no event is waiting for delivery or retry, and no delivery is running.
   *
   * @throws Error after half a minute of pauses, not counting the deliveries themselves
   */
  async waitUntilSettled(): Promise<void> {
    for (let pauses = 0; !this.isSettled; pauses++) {
      if (pauses > MOST_PAUSES) throw new Error('Events are still on their way.');
      await Promise.all(this.deliveries);
      await delay(PAUSE_MS);
    }
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.stopped.abort();
  }

  private deliverWaiting(): void {
    this.timer = null;
    const events = this.waiting.splice(0);
    if (this.settings.shuffles) events.reverse();
    for (const event of events) this.track(this.deliver(event));
  }

  private track(delivery: Promise<void>): void {
    const ended = delivery
      .catch((error: unknown) => {
        if (!this.stopped.signal.aborted) throw error;
      })
      .finally(() => this.deliveries.delete(ended));
    this.deliveries.add(ended);
  }

  /** Delivers an event with retries. If all fail, `pending_webhooks` stays above 0. */
  private async deliver(event: Stripe.Event): Promise<void> {
    for (const pause of [0, ...this.settings.retriesAfterMs]) {
      if (pause) await delay(pause, undefined, { signal: this.stopped.signal });
      if (!(await this.sendOnce(event))) continue;
      this.state.put('event', { ...event, pending_webhooks: 0 });
      return;
    }
  }

  private async sendOnce(event: Stripe.Event): Promise<boolean> {
    const { url, signsWrongly } = this.settings;
    if (url === null) return false;
    const body = JSON.stringify(event);
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Stripe-Signature': this.sign(signsWrongly ? `${body} ` : body),
    };
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.stopped.signal]);
    const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' }).catch(() => null);
    await answer?.body?.cancel();
    return answer?.ok ?? false;
  }
}
