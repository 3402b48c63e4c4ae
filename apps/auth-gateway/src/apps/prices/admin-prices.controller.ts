import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PricesSyncedResponse } from '@platform/contracts';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import { PriceSyncsService } from './price-syncs.service.js';

/** Prices of apps, for administrators of the platform and trusted backends. */
@ApiTags('Administration')
@Controller('v1/admin/apps')
export class AdminPricesController {
  constructor(private readonly syncs: PriceSyncsService) {}

  /**
   * Updates the current price of every app whose settings and served version give another price,
   * and answers with the number of changed prices. System apps have no prices.
   */
  @Post('sync-pricing')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'billing-admin' })
  syncAllPrices(@CurrentCaller() caller: Caller): Promise<PricesSyncedResponse> {
    return this.syncs.syncAllPrices(caller);
  }

  /**
   * Updates the current price of one app if its settings and served version give another price.
   * Answers 403 `app.system` for a system app.
   */
  @Post(':app_id/sync-pricing')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'billing-admin' })
  syncPrices(@CurrentCaller() caller: Caller, @Param('app_id') appId: string): Promise<PricesSyncedResponse> {
    return this.syncs.syncAppPrice(caller, appId);
  }
}
