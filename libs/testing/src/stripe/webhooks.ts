import { createHmac } from 'node:crypto';
import type Stripe from 'stripe';
import type { State } from './state.js';

/** Where events go, and what becomes of them on the way. */
export interface WebhookSettings {
  /** Null: nobody is told, and the events are in `GET /v1/events` alone. */
  url: string | null;
  /** Signs each event; two while one is being replaced. */
  secrets: string[];
  /** How often each event is delivered. 0 loses it. */
  copies: number;
  /** Milliseconds until an event is delivered. */
  delayMs: number;
  /** Delivers what waits in another order than it happened. */
  shuffles: boolean;
}

/** Events, as they happen and as they are delivered: at least once, in no order (https://docs.stripe.com/webhooks). */
export class Webhooks {
  settings: WebhookSettings = { url: null, secrets: ['whsec_stand_in'], copies: 1, delayMs: 0, shuffles: false };
  private readonly waiting: Stripe.Event[] = [];
  private readonly deliveries = new Set<Promise<unknown>>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly state: State) {}

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
    if (this.settings.url === null) return;
    this.waiting.push(event);
    this.timer ??= setTimeout(() => this.deliverWaiting(), this.settings.delayMs);
  }

  /** As Stripe signs what it sends: `t` is the time, `v1` one HMAC-SHA256 of `t.body` for each secret. */
  signatureOf(body: string, secrets = this.settings.secrets, at = this.state.now()): string {
    const sign = (secret: string) => createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    return [`t=${at}`, ...secrets.map((secret) => `v1=${sign(secret)}`)].join(',');
  }

  /** Resolves when nothing waits to be delivered, or is under way. */
  async settled(): Promise<void> {
    while (this.timer || this.deliveries.size) {
      await Promise.all(this.deliveries);
      await new Promise((done) => setTimeout(done, 5));
    }
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  private deliverWaiting(): void {
    this.timer = null;
    const events = this.waiting.splice(0);
    if (this.settings.shuffles) events.reverse();
    for (const event of events) {
      for (let copy = 0; copy < this.settings.copies; copy++) this.track(this.deliver(event));
    }
  }

  private track(delivery: Promise<void>): void {
    this.deliveries.add(delivery);
    void delivery.finally(() => this.deliveries.delete(delivery));
  }

  /** An event that nobody takes stays undelivered: `pending_webhooks` says so. Stripe tries again for 3 days, which nobody here waits for. */
  private async deliver(event: Stripe.Event): Promise<void> {
    const { url } = this.settings;
    if (url === null) return;
    const body = JSON.stringify(event);
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': this.signatureOf(body) };
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) }).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) this.state.put('event', { ...event, pending_webhooks: 0 });
  }
}
