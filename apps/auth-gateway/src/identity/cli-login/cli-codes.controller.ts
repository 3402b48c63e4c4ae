import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CliCodeRequest, CliCodeResponse, CliTokenRequest, TokenResponse } from '@platform/contracts';
import { Access, CurrentUser, RateLimit } from '@platform/guards';
import { CurrentClient, type Client } from '../sessions/client.js';
import type { ActingUser } from '../credentials/gateway-credentials.service.js';
import { CliCodesService } from './cli-codes.service.js';
import { CliLoginLimits } from './cli-login.limits.js';

@ApiTags('Command-line login')
@Controller('v1/auth/cli')
export class CliCodesController {
  constructor(private readonly codes: CliCodesService) {}

  /**
   * Creates a one-time code for the user in `X-Acting-User`. It is bound to a PKCE challenge and,
   * if given, to a redirect to this machine. 403 `account_disabled` if the user or the tenant is
   * deactivated.
   */
  @Post('codes')
  @HttpCode(200)
  @Access('serviceActingUser', { permission: 'cli-login' })
  createCliCode(@CurrentUser() user: ActingUser, @Body() request: CliCodeRequest): Promise<CliCodeResponse> {
    return this.codes.createCliCode(user, request);
  }

  /**
   * Exchanges a one-time code and its PKCE verifier for tokens. 400 `invalid_grant` if the code,
   * the verifier or the redirect is not valid; the code is used up then, too. 403 if the user can
   * no longer sign in.
   */
  @Post('token')
  @HttpCode(200)
  @Access('public')
  @RateLimit(CliLoginLimits.token)
  exchangeCliCode(@Body() request: CliTokenRequest, @CurrentClient() client: Client): Promise<TokenResponse> {
    return this.codes.exchangeCliCode(request, client);
  }
}
