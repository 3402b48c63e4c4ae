import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import {
  type LimitsResponse,
  type RunBalanceResponse,
  RunBillingRequest,
  RunUsageRequest,
  type SubscriptionResponse,
} from '@platform/contracts';
import { Access } from '@platform/guards';
import { RunBillingService } from './run-billing.service.js';

/** Serves `ctx.billing` for the user of a run. */
@ApiExcludeController()
@Controller('v1/internal/billing')
export class RunBillingController {
  constructor(private readonly billing: RunBillingService) {}

  @Post('balance')
  @HttpCode(200)
  @Access('service', { permission: 'extension-host' })
  readBalance(@Body() { grant }: RunBillingRequest): Promise<RunBalanceResponse> {
    return this.billing.getBalance(grant);
  }

  @Post('subscription')
  @HttpCode(200)
  @Access('service', { permission: 'extension-host' })
  readSubscription(@Body() { grant }: RunBillingRequest): Promise<SubscriptionResponse> {
    return this.billing.getSubscription(grant);
  }

  @Post('limits')
  @HttpCode(200)
  @Access('service', { permission: 'extension-host' })
  readLimits(@Body() { grant }: RunBillingRequest): Promise<LimitsResponse> {
    return this.billing.getLimits(grant);
  }

  @Post('usage')
  @HttpCode(204)
  @Access('service', { permission: 'extension-host' })
  trackUsage(@Body() request: RunUsageRequest): Promise<void> {
    return this.billing.trackUsage(request);
  }
}
