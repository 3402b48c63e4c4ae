import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PricesSyncedResponse } from '@platform/contracts';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import { PriceSyncs } from './price-syncs.service.js';

/** For the platform's own administrators and trusted backends. */
@ApiTags('Administration')
@Controller('v1/admin/apps')
export class AdminPricesController {
  constructor(private readonly syncs: PriceSyncs) {}

  /** Gives every app the price that its settings say, where it has another. */
  @Post('sync-pricing')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'billing-admin' })
  syncAllPrices(@CurrentCaller() caller: Caller): Promise<PricesSyncedResponse> {
    return this.syncs.ofAll(caller);
  }

  /** Gives an app the price that its settings say, where it has another. */
  @Post(':app_id/sync-pricing')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'billing-admin' })
  syncPrices(@CurrentCaller() caller: Caller, @Param('app_id') appId: string): Promise<PricesSyncedResponse> {
    return this.syncs.ofApp(caller, appId);
  }
}
