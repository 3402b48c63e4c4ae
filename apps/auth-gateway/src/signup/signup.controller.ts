import { Body, Controller, Get, HttpCode, Inject, Post, Query } from '@nestjs/common';
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
import { AddressLimits } from '../rate-limits.js';
import { CurrentClient, type Client } from '../sessions/client.js';
import { SignupService } from './signup.service.js';

@ApiTags('Auth')
@Controller('v1/auth')
export class SignupController {
  constructor(@Inject(SignupService) private readonly signups: SignupService) {}

  /** Creates an account. A mail with a link follows; until its address is confirmed the account cannot sign in. */
  @Post('signup')
  @Access('public')
  @RateLimit(AddressLimits.signup)
  signup(@Body() request: SignupRequest): Promise<SignupResponse> {
    return this.signups.signup(request);
  }

  /** How far a signup is, for a page that waits. Takes the `status_token` of the signup, not the token of the mail. */
  @Get('signup-status')
  @Access('public')
  @RateLimit(AddressLimits.signupStatus)
  signupStatus(@Query() { token }: SignupStatusQuery): Promise<SignupStatusResponse> {
    return this.signups.status(token);
  }

  /** Confirms an address with the token of the mail and signs in. */
  @Post('verify-email')
  @HttpCode(200)
  @Access('public')
  @RateLimit(AddressLimits.verifyEmail)
  verifyEmail(@Body() { token }: VerifyEmailRequest, @CurrentClient() client: Client): Promise<TokenResponse> {
    return this.signups.verifyEmail(token, client);
  }

  /** Mails the confirmation link again, at most once a minute. The answer is the same for every address. */
  @Post('resend-verification')
  @HttpCode(200)
  @Access('public')
  @RateLimit(AddressLimits.mail)
  resendVerification(@Body() request: ResendVerificationRequest): Promise<MessageResponse> {
    return this.signups.resendVerification(request);
  }
}
