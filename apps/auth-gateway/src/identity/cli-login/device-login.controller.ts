import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import {
  DeviceApproveRequest,
  DeviceApproveResponse,
  DeviceAuthorizeRequest,
  DeviceAuthorizeResponse,
  DeviceLookupRequest,
  DeviceLookupResponse,
  DevicePendingResponse,
  DeviceTokenRequest,
  TokenResponse,
  type DeviceTokenResult,
} from '@platform/contracts';
import { Access, CurrentUser, RateLimit, type UserCaller } from '@platform/guards';
import { CurrentClient, type Client } from '../sessions/client.js';
import type { ActingUser } from '../credentials/gateway-credentials.service.js';
import { CliLoginLimits } from './cli-login.limits.js';
import { DeviceApprovalsService } from './device-approvals.service.js';
import { DeviceLoginsService } from './device-logins.service.js';

@ApiTags('Command-line login')
@Controller('v1/auth/cli/device')
export class DeviceLoginController {
  constructor(
    private readonly logins: DeviceLoginsService,
    private readonly approvals: DeviceApprovalsService,
  ) {}

  /**
   * Starts a login that a user confirms in the panel, on any device (RFC 8628 with PKCE). 429
   * `device_code.too_many_pending` if five logins from the same network address wait for
   * confirmation.
   */
  @Post('authorize')
  @HttpCode(200)
  @Access('public')
  @RateLimit(CliLoginLimits.deviceAuthorize)
  authorizeDevice(
    @Body() request: DeviceAuthorizeRequest,
    @CurrentClient() client: Client,
  ): Promise<DeviceAuthorizeResponse> {
    return this.logins.authorizeDevice(request, client);
  }

  /**
   * Shows the device that asks for access with a user code, so that the user can decide. 404
   * unknown code, 409 decided already, 410 expired, 429 after ten wrong codes.
   */
  @Post('lookup')
  @HttpCode(200)
  @Access('serviceActingUser', { permission: 'cli-login' })
  lookUpDevice(@CurrentUser() user: UserCaller, @Body() request: DeviceLookupRequest): Promise<DeviceLookupResponse> {
    return this.approvals.lookUpDevice(user, request);
  }

  /**
   * Approves or denies a login for the user in `X-Acting-User`. 404 unknown code, 409 decided
   * already, 410 expired, 429 after ten wrong codes, 403 `account_disabled` if the user or the
   * tenant is deactivated.
   */
  @Post('approve')
  @HttpCode(200)
  @Access('serviceActingUser', { permission: 'cli-login' })
  approveDevice(
    @CurrentUser() user: ActingUser,
    @Body() request: DeviceApproveRequest,
  ): Promise<DeviceApproveResponse> {
    return this.approvals.decideLogin(user, request);
  }

  /**
   * Polls a login. 200 with `error` while the login is pending, then 200 with the tokens, once. 400
   * with `error` ends the login: `access_denied` if the user denied it or cannot sign in,
   * `expired_token` after ten minutes, `invalid_grant` for an unknown or used code or a wrong
   * verifier.
   */
  @Post('token')
  @HttpCode(200)
  @Access('public')
  @ApiExtraModels(TokenResponse, DevicePendingResponse)
  @ApiOkResponse({
    schema: { oneOf: [TokenResponse, DevicePendingResponse].map((model) => ({ $ref: getSchemaPath(model) })) },
  })
  pollDevice(@Body() request: DeviceTokenRequest, @CurrentClient() client: Client): Promise<DeviceTokenResult> {
    return this.logins.pollDevice(request, client);
  }
}
