import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { PurgeRequest, type PurgeResponse } from '@platform/contracts';
import { Access } from '@platform/guards';
import { PurgesService } from './purges.service.js';

@ApiExcludeController()
@Controller('v1/internal/purges')
export class PurgesController {
  constructor(private readonly purges: PurgesService) {}

  @Post()
  @HttpCode(200)
  @Access('service', { permission: 'app-data' })
  purge(@Body() request: PurgeRequest): Promise<PurgeResponse> {
    return this.purges.purge(request);
  }
}
