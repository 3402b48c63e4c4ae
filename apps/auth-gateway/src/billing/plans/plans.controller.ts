import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LimitsResponse, PlanResponse, SubscriptionResponse } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { RefusesUnknownQueryKeys } from '@platform/platform';
import { UserPlansService } from './user-plans.service.js';

@ApiTags('Billing')
@Controller('v1/billing')
export class PlansController {
  constructor(private readonly reads: UserPlansService) {}

  /** Lists the plans of the platform, smallest first. */
  @Get('plans')
  @Access('public')
  @RefusesUnknownQueryKeys()
  listPlans(): Promise<PlanResponse[]> {
    return this.reads.listPlans();
  }

  /** Returns the caller's plan. */
  @Get('subscription')
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  readSubscription(@CurrentUser() user: UserCaller): Promise<SubscriptionResponse> {
    return this.reads.getSubscription(user);
  }

  /** Returns the caller's use and limits in the current period. */
  @Get('usage')
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  readUsage(@CurrentUser() user: UserCaller): Promise<LimitsResponse> {
    return this.reads.getUsage(user);
  }
}
