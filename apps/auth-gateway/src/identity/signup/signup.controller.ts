import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  MessageResponse,
  ResendVerificationRequest,
  SignupRequest,
  SignupResponse,
  SignupStatusQuery,
  SignupStatusResponse,
  TokenResponse,
  VerifyEmailRequest,
} from '@platform/contracts';
import { Access, RateLimit } from '@platform/guards';
import { HOUR, MINUTE, policy } from '../../kernel/rate-limits.js';
import { MailLimits } from '../mail/mail.limits.js';
import { CurrentClient, type Client } from '../sessions/client.js';
import { SignupService } from './signup.service.js';

const SIGNUP_LIMIT = policy('signup-ip', 10, HOUR);
const STATUS_LIMIT = policy('signup-status-ip', 60, MINUTE);
const VERIFY_LIMIT = policy('verify-ip', 10, MINUTE);

@ApiTags('Auth')
@Controller('v1/auth')
export class SignupController {
  constructor(private readonly signups: SignupService) {}

  /**
   * Signs up. Sends a mail with a link. The account is created with this password when the link of
   * this mail is used; links of other sign-ups do not activate this password. 422 for a weak
   * password.
   */
  @Post('signup')
  @Access('public')
  @RateLimit(SIGNUP_LIMIT)
  signup(@Body() request: SignupRequest, @CurrentClient() client: Client): Promise<SignupResponse> {
    return this.signups.signup(request, client);
  }

  /**
   * Returns the status of a signup, for a page that waits. Needs the `status_token` of the signup,
   * not the token of the mail. For an invalid token the status is `unknown`.
   */
  @Get('signup-status')
  @Access('public')
  @RateLimit(STATUS_LIMIT)
  signupStatus(@Query() { token }: SignupStatusQuery): Promise<SignupStatusResponse> {
    return this.signups.getSignupStatus(token);
  }

  /**
   * Confirms the address with the token of the mail, creates the account with the password of the
   * same signup, and signs in. If several signups with the address wait, it also needs the
   * `password` or the `status_token` of the signup; otherwise 409 `signup.ambiguous`. 400
   * `invalid_or_expired_token` if the token is not valid, 403 if the tenant is deactivated or does
   * not allow passwords.
   */
  @Post('verify-email')
  @HttpCode(200)
  @Access('public')
  @RateLimit(VERIFY_LIMIT)
  verifyEmail(@Body() request: VerifyEmailRequest, @CurrentClient() client: Client): Promise<TokenResponse> {
    return this.signups.verifyEmail(request, client);
  }

  /**
   * Mails the confirmation link again, at most once a minute. It is the link of the signup with the
   * given `status_token`, or of the only waiting signup; without a token, if several wait, a mail
   * explains how to continue. The answer is the same for every address.
   */
  @Post('resend-verification')
  @HttpCode(200)
  @Access('public')
  @RateLimit(MailLimits.address)
  resendVerification(@Body() request: ResendVerificationRequest): Promise<MessageResponse> {
    return this.signups.resendVerification(request);
  }
}
