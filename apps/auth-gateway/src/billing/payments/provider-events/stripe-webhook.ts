import { Inject, Injectable } from '@nestjs/common';
import { eventOf } from '@platform/billing';
import { verifySignature } from '@platform/extension-sdk/runtime';
import { LOGGER, receiveBody } from '@platform/platform';
import type { Request } from 'express';
import type { Logger } from 'pino';
import { CONFIG, type Config } from '../../../config.js';
import { ProviderEvents } from './provider-events.js';
import { StripeWebhookErrors } from './stripe-webhook.errors.js';

const MAX_BYTES = 1024 * 1024;

/** Webhooks of Stripe: https://docs.stripe.com/webhooks. They come at least once and in no order, are signed, and are answered before they have an effect. */
@Injectable()
export class StripeWebhook {
  constructor(
    private readonly events: ProviderEvents,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws AppError 400 for what Stripe did not sign, signed more than five minutes ago, or that is no event; 413 over 1 MiB. */
  async receive(request: Request): Promise<void> {
    const body = await receiveBody(request, MAX_BYTES);
    const signature = request.headers['stripe-signature'];
    const headers = { ...(typeof signature === 'string' && { 'stripe-signature': signature }) };
    const { valid, reason } = verifySignature({ headers, body }, { scheme: 'stripe', secret: this.config.STRIPE_WEBHOOK_SECRETS });
    if (!valid) {
      this.logger.warn({ reason }, 'a webhook of the payment provider is not signed as it should be');
      throw StripeWebhookErrors.invalidSignature();
    }
    const event = eventOf(body);
    if (!event) throw StripeWebhookErrors.noEvent();
    await this.events.record(event);
  }
}
