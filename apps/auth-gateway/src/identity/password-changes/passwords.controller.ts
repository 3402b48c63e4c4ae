import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ChangePasswordRequest,
  ForgotPasswordRequest,
  MessageResponse,
  ResetPasswordRequest,
} from '@platform/contracts';
import { Access, CurrentUser, RateLimit } from '@platform/guards';
import { MINUTE, policy } from '../../kernel/rate-limits.js';
import { MailLimits } from '../mail/mail.limits.js';
import type { SignedInUser } from '../sessions/signed-in-users.service.js';
import { PasswordChangesService } from './password-changes.service.js';

const RESET_LIMIT = policy('reset-ip', 10, MINUTE);

@ApiTags('Auth')
@Controller('v1/auth')
export class PasswordsController {
  constructor(private readonly changes: PasswordChangesService) {}

  /**
   * Mails a link for a new password, at most once a minute. The answer is the same for every
   * address.
   */
  @Post('forgot-password')
  @HttpCode(200)
  @Access('public')
  @RateLimit(MailLimits.address)
  forgotPassword(@Body() request: ForgotPasswordRequest): Promise<MessageResponse> {
    return this.changes.requestReset(request);
  }

  /**
   * Sets a new password with the token of the mail. The token works once, for 30 minutes. Ends all
   * sessions and deletes all API keys; `keep_terminal_sessions` and `keep_api_keys` keep those of
   * programs. 400 `invalid_or_expired_token` if the token is not valid, 422 for a weak password.
   */
  @Post('reset-password')
  @HttpCode(200)
  @Access('public')
  @RateLimit(RESET_LIMIT)
  resetPassword(@Body() request: ResetPasswordRequest): Promise<MessageResponse> {
    return this.changes.resetPassword(request);
  }

  /**
   * Sets a new password with the current one. Ends all other sessions of the user. 400
   * `password.current_invalid` if the current password is wrong, 400 `password.unchanged` if both
   * are the same, 422 for a weak one, 429 after five wrong ones in a row.
   */
  @Post('me/change-password')
  @HttpCode(200)
  @Access('session')
  changePassword(@CurrentUser() user: SignedInUser, @Body() request: ChangePasswordRequest): Promise<MessageResponse> {
    return this.changes.changePassword(user, request);
  }
}
