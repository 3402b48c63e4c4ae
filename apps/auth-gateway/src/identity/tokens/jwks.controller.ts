import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { JsonWebKeySetResponse } from '@platform/contracts';
import { Access } from '@platform/guards';
import { allowCaching } from '@platform/platform';
import type { Response } from 'express';
import { SigningKeysService } from './signing-keys.service.js';

@ApiTags('Auth')
@Controller('v1/auth/.well-known')
export class JwksController {
  constructor(private readonly keys: SigningKeysService) {}

  /**
   * Returns the public keys that verify access tokens. Answers 304 to a matching `If-None-Match`.
   */
  @Get('jwks.json')
  @Access('public')
  @Header('Access-Control-Allow-Origin', '*')
  async keySet(@Res({ passthrough: true }) response: Response): Promise<JsonWebKeySetResponse> {
    allowCaching(response, 'public, max-age=300, stale-while-revalidate=300');
    const { published } = await this.keys.getKeys();
    return { keys: published };
  }
}
