import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { WithheldAppsRequest, WithheldAppsResponse } from '@platform/contracts';
import { Access } from '@platform/guards';
import { ExtensionsService } from './extensions.service.js';

/** For the Registry: its catalogs list only apps that the user can call. */
@Controller('v1/internal/withheld-apps')
export class WithheldAppsController {
  constructor(private readonly extensions: ExtensionsService) {}

  @Post()
  @HttpCode(200)
  @Access('service', { permission: 'withheld-apps' })
  listWithheldApps(@Body() request: WithheldAppsRequest): Promise<WithheldAppsResponse> {
    return this.extensions.listWithheld(request);
  }
}
