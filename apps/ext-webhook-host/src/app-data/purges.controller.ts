import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { PurgeRequest, type PurgeResponse } from '@platform/contracts';
import { Access } from '@platform/guards';
import { Purges } from './purges.service.js';

@ApiExcludeController()
@Controller('v1/internal/purges')
export class PurgesController {
  constructor(private readonly purges: Purges) {}

  @Post()
  @HttpCode(200)
  @Access('service', { permission: 'app-data' })
  purge(@Body() request: PurgeRequest): Promise<PurgeResponse> {
    return this.purges.purge(request);
  }
}
