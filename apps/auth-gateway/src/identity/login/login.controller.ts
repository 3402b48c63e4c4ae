import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LoginRequest, MessageResponse, RefreshRequest, TokenResponse } from '@platform/contracts';
import { Access, RateLimit } from '@platform/guards';
import { MINUTE, policy } from '../../kernel/rate-limits.js';
import { CurrentClient, type Client } from '../sessions/client.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { LoginService } from './login.service.js';

const LOGIN_LIMIT = policy('login-ip', 30, MINUTE);
const REFRESH_LIMIT = policy('refresh-ip', 300, MINUTE);
const LOGOUT_LIMIT = policy('logout-ip', 120, MINUTE);

@ApiTags('Auth')
@Controller('v1/auth')
export class LoginController {
  constructor(
    private readonly logins: LoginService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Signs in with e-mail and password. 401 `invalid_credentials` if there is no such account or the
   * password is wrong. After a correct password: 403 `email_not_verified`, `account_disabled` or
   * `auth_method_not_allowed`. 429 after five wrong passwords in a row, for a time that grows with
   * each further one.
   */
  @Post('login')
  @HttpCode(200)
  @Access('public')
  @RateLimit(LOGIN_LIMIT)
  login(@Body() request: LoginRequest, @CurrentClient() client: Client): Promise<TokenResponse> {
    return this.logins.login(request, client);
  }

  /**
   * Exchanges a refresh token for a new token pair. Each token works once; within 60 s it can be
   * sent again and returns the same successor. Only 401 means that the session has ended; 429 means
   * that it refreshes too often.
   */
  @Post('refresh')
  @HttpCode(200)
  @Access('public')
  @RateLimit(REFRESH_LIMIT)
  refresh(@Body() { refresh_token }: RefreshRequest): Promise<TokenResponse> {
    return this.sessions.refreshTokens(refresh_token);
  }

  /** Ends the session of a refresh token. The answer is the same if there is no such session. */
  @Post('logout')
  @HttpCode(200)
  @Access('public')
  @RateLimit(LOGOUT_LIMIT)
  async logout(@Body() { refresh_token }: RefreshRequest): Promise<MessageResponse> {
    await this.sessions.logout(refresh_token);
    return { message: 'Logged out' };
  }
}
