import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiTags } from '@nestjs/swagger';
import { WebhookReceipt } from '@platform/contracts';
import { Access } from '@platform/guards';
import { RefusesUnknownQueryKeys } from '@platform/platform';
import type { Request } from 'express';
import { StripeWebhookService } from './stripe-webhook.service.js';

@ApiTags('Billing')
@Controller('v1/webhooks')
export class StripeWebhookController {
  constructor(private readonly webhook: StripeWebhookService) {}

  /**
   * Receives signed events from Stripe. The event is stored when this answers, and takes effect
   * shortly after. Answers 400 `webhook.invalid_signature` if Stripe did not sign the request.
   */
  @Post('stripe')
  @HttpCode(200)
  @Access('public')
  @RefusesUnknownQueryKeys()
  @ApiHeader({
    name: 'Stripe-Signature',
    required: true,
    description: 'A timestamp, and an HMAC-SHA256 of the timestamp and the body',
  })
  @ApiBody({ description: 'An event of Stripe', schema: { type: 'object', additionalProperties: true } })
  async receiveStripeEvent(@Req() request: Request): Promise<WebhookReceipt> {
    await this.webhook.receiveEvent(request);
    return { received: true };
  }
}
