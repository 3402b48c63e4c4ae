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

  /** Signs up. A mail with a link follows: using it creates the account with this password, and no other link does. */
  @Post('signup')
  @Access('public')
  @RateLimit(SIGNUP_LIMIT)
  signup(@Body() request: SignupRequest, @CurrentClient() client: Client): Promise<SignupResponse> {
    return this.signups.signup(request, client);
  }

  /** How far a signup is, for a page that waits. Takes the `status_token` of the signup, not the token of the mail. */
  @Get('signup-status')
  @Access('public')
  @RateLimit(STATUS_LIMIT)
  signupStatus(@Query() { token }: SignupStatusQuery): Promise<SignupStatusResponse> {
    return this.signups.status(token);
  }

  /**
   * Confirms the address with the token of the mail, creates the account with the password of that very signup, and signs in. Where several
   * signups with the address wait, it takes the `password` or the `status_token` of the signup too: else 409 `signup.ambiguous`.
   */
  @Post('verify-email')
  @HttpCode(200)
  @Access('public')
  @RateLimit(VERIFY_LIMIT)
  verifyEmail(@Body() request: VerifyEmailRequest, @CurrentClient() client: Client): Promise<TokenResponse> {
    return this.signups.verifyEmail(request, client);
  }

  /**
   * Mails the confirmation link again, at most once a minute: that of the signup whose `status_token` comes along, else that of the only
   * one that waits. The answer is the same for every address.
   */
  @Post('resend-verification')
  @HttpCode(200)
  @Access('public')
  @RateLimit(MailLimits.address)
  resendVerification(@Body() request: ResendVerificationRequest): Promise<MessageResponse> {
    return this.signups.resendVerification(request);
  }
}
