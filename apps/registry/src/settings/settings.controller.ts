import { Body, Controller, Get, Headers, Param, Put, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import type { Response } from 'express';
import { ApiConditionalRead, ApiConditionalWrite, sendTagged } from '../conditional-requests.js';
import { AppSettingsService } from './app-settings.service.js';

const ANY_OBJECT = { schema: { type: 'object', additionalProperties: true, example: { skeleton: { ttl: 300 } } } };

@ApiTags('Registry')
@Controller('v1/apps/:app_id/settings')
export class SettingsController {
  constructor(private readonly settings: AppSettingsService) {}

  /**
   * Returns the runtime settings of an app, `{}` at first. Trusted backends and administrators of
   * the platform see all of `layers`, an administrator of a tenant sees the layer of that tenant,
   * other callers see no layers.
   */
  @Get()
  @Access('bearerOrService', { keyScope: 'apps:read', permission: 'catalog' })
  @ApiOkResponse(ANY_OBJECT)
  @ApiConditionalRead()
  async getSettings(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Res() response: Response,
  ): Promise<void> {
    sendTagged(response, await this.settings.getSettings(caller, appId));
  }

  /**
   * Changes settings of an app by merging the body into them (RFC 7396): null removes a key, a list
   * is replaced as a whole, other keys stay. The app's developer can change everything except
   * `layers`, an administrator of a tenant only `layers.tenants.{tenant_id}` of that tenant, the
   * platform all; otherwise the answer is 403. The limit is 64 KiB, and 16 KiB more for each
   * tenant. A key with the name of a secret is refused with 422.
   */
  @Put()
  @Access('bearerOrService', { keyScope: 'apps:write', permission: 'catalog-write' })
  @ApiBody(ANY_OBJECT)
  @ApiOkResponse(ANY_OBJECT)
  @ApiConditionalWrite()
  async updateSettings(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Body() update: Record<string, unknown>,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    sendTagged(response, await this.settings.mergeSettings(caller, appId, update, ifMatch));
  }
}
