import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import {
  CATEGORIES,
  FeaturedAppsQuery,
  ListMarketplaceAppsQuery,
  MarketplaceApp,
  MarketplaceAppDetail,
  MarketplaceCategory,
  MarketplaceCategoryEntry,
  MarketplaceDeveloper,
  MarketplaceWebhook,
} from '@platform/contracts';
import { Access, MaybeUser, type UserCaller } from '@platform/guards';
import { allowCaching, RefusesUnknownQueryKeys } from '@platform/platform';
import type { Response } from 'express';
import { ICON_HEADERS } from './icons.js';
import { MarketplaceAppsService } from './marketplace-apps.service.js';

@ApiTags('Marketplace and me')
@Controller('v1/marketplace')
export class MarketplaceAppsController {
  constructor(private readonly apps: MarketplaceAppsService) {}

  /**
   * Lists apps of the marketplace, optionally of one category or found by a search. 422 for an
   * unknown category.
   */
  @Get('apps')
  @Access('optional', { keyScope: 'marketplace:read', permission: 'marketplace' })
  listMarketplaceApps(
    @MaybeUser() user: UserCaller | null,
    @Query() query: ListMarketplaceAppsQuery,
  ): Promise<MarketplaceApp[]> {
    return this.apps.listMarketplaceApps(user, query);
  }

  /**
   * Returns the details of an app with its functions and their prices. 404 `app.not_found` if it is
   * not in the marketplace.
   */
  @Get('apps/:app_id')
  @Access('optional', { keyScope: 'marketplace:read', permission: 'marketplace' })
  getMarketplaceApp(
    @MaybeUser() user: UserCaller | null,
    @Param('app_id') appId: string,
  ): Promise<MarketplaceAppDetail> {
    return this.apps.getMarketplaceApp(user, appId);
  }

  /**
   * Returns the icon of an app as an SVG image. Without an icon of its own it shows the first
   * letter of its name. 404 `app.not_found` if the app is neither in the marketplace nor a system
   * app.
   */
  @Get('apps/:app_id/icon')
  @Access('public')
  @ApiProduces('image/svg+xml')
  @ApiOkResponse({ schema: { type: 'string' } })
  async getAppIcon(@Param('app_id') appId: string, @Res({ passthrough: true }) response: Response): Promise<string> {
    const icon = await this.apps.getAppIcon(appId);
    allowCaching(response, 'public, max-age=300');
    response.set(ICON_HEADERS);
    return icon;
  }

  /**
   * Lists the webhooks that the served version of an app declares. The answer does not say how they
   * are protected. 404 `app.not_found` if the app is not in the marketplace.
   */
  @Get('apps/:app_id/webhooks')
  @Access('public')
  @RefusesUnknownQueryKeys()
  listAppWebhooks(@Param('app_id') appId: string): Promise<MarketplaceWebhook[]> {
    return this.apps.listAppWebhooks(appId);
  }

  /** Lists the apps that the operator features, most installed first. */
  @Get('featured')
  @Access('optional', { keyScope: 'marketplace:read', permission: 'marketplace' })
  listFeaturedApps(
    @MaybeUser() user: UserCaller | null,
    @Query() { limit }: FeaturedAppsQuery,
  ): Promise<MarketplaceApp[]> {
    return this.apps.listFeaturedApps(user, limit);
  }

  /** Lists the categories with the number of their apps. */
  @Get('categories')
  @Access('public')
  @RefusesUnknownQueryKeys()
  listCategories(): Promise<MarketplaceCategory[]> {
    return this.apps.listCategories();
  }

  /** Lists the categories of the catalogue with their aliases, without numbers of apps. */
  @Get('categories/catalog')
  @Access('public')
  getCategoryCatalog(): MarketplaceCategoryEntry[] {
    return CATEGORIES.map(({ aliases, ...category }) => ({ ...category, aliases: [...aliases] }));
  }

  /**
   * Returns the profile of a developer with their apps, at most 100. 404 `developer.not_found` if
   * the user is not a developer.
   */
  @Get('developer/:developer_id')
  @Access('optional', { keyScope: 'marketplace:read', permission: 'marketplace' })
  getMarketplaceDeveloper(
    @MaybeUser() user: UserCaller | null,
    @Param('developer_id') developerId: string,
  ): Promise<MarketplaceDeveloper> {
    return this.apps.getMarketplaceDeveloper(user, developerId);
  }
}
