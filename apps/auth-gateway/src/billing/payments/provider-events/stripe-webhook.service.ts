import { Inject, Injectable } from '@nestjs/common';
import { parseStripeEvent } from '@platform/billing';
import { verifySignature } from '@platform/extension-sdk/runtime';
import { discardRest, clientBucket, BodyReceiver } from '@platform/platform';
import type { Request } from 'express';
import { Counter, Registry } from 'prom-client';
import { CONFIG, type Config } from '../../../config.js';
import { ProviderEventsService } from './provider-events.service.js';
import { StripeWebhookErrors } from './stripe-webhook.errors.js';

const MEBIBYTE = 1024 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Memory for bodies. Events of Stripe have some kilobytes. The endpoint is public, so each sender
 * gets only a part.
 */
const MEMORY = { total: 16 * MEBIBYTE, perApp: 16 * MEBIBYTE, perSender: 4 * MEBIBYTE, perSenderToApp: 4 * MEBIBYTE };

/**
 * Webhooks of Stripe: https://docs.stripe.com/webhooks. They are signed, and arrive at least once
 * and in any order. Each is answered before it takes effect.
 */
@Injectable()
export class StripeWebhookService {
  private readonly bodies = new BodyReceiver({ bytes: MEBIBYTE, small: MEMORY, large: MEMORY });
  private readonly refusals: Counter<'reason'>;

  constructor(
    private readonly events: ProviderEventsService,
    @Inject(CONFIG) private readonly config: Config,
    metrics: Registry,
  ) {
    this.refusals = new Counter({
      name: 'payment_webhooks_refused_total',
      help: 'Requests to the webhook of the payment provider with an invalid signature: none (missing), a time too far in the past or future (stale), a wrong secret or body (mismatch)',
      labelNames: ['reason'],
      registers: [metrics],
    });
  }

  /**
   * Receives and stores an event. Does not read a body with an invalid header.
   *
   * @throws AppError 400 `webhook.invalid_signature` if Stripe did not sign the request, or the
   * time of its signature is more than five minutes off; 400 `webhook.no_event` if the body is not
   * an event; 413 over 1 MiB; 408 if the body is too slow; 503 if too many bodies are being
   * received.
   */
  async receiveEvent(request: Request): Promise<void> {
    try {
      this.assertSigned(request, null);
    } catch (error) {
      discardRest(request);
      throw error;
    }
    await this.bodies.withBody({ app: 'stripe', sender: clientBucket(request.ip) }, request, async (body) => {
      this.assertSigned(request, body);
      const event = parseStripeEvent(body);
      if (!event) throw StripeWebhookErrors.noEvent();
      await this.events.recordEvent(event);
    });
  }

  /**
   * Checks the signature of Stripe.
   *
   * @param body null: checks only that there is a signature with a valid time.
   * @throws AppError 400 `webhook.invalid_signature` if it is missing, too old or wrong.
   */
  private assertSigned(request: Request, body: Buffer | null): void {
    const signature = request.headers['stripe-signature'];
    const headers = { ...(typeof signature === 'string' && { 'stripe-signature': signature }) };
    const signed = { headers, body: body ?? NOTHING };
    const { valid, reason } = verifySignature(signed, { scheme: 'stripe', secret: this.config.STRIPE_WEBHOOK_SECRETS });
    if (valid || (body === null && reason === 'mismatch')) return;
    this.refusals.inc({ reason: reason ?? 'mismatch' });
    throw StripeWebhookErrors.invalidSignature();
  }
}
