import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AvailabilityResponse, EmailAvailableQuery, NicknameAvailableQuery } from '@platform/contracts';
import { Access, RateLimit } from '@platform/guards';
import { HOUR, MINUTE, policy } from '../../kernel/rate-limits.js';
import { AvailabilityService } from './availability.service.js';

const LIMITS = [policy('available-minute-ip', 10, MINUTE), policy('available-hour-ip', 60, HOUR)];

@ApiTags('Auth')
@Controller('v1/auth')
export class AvailabilityController {
  constructor(private readonly availability: AvailabilityService) {}

  /**
   * Checks if a nickname is available: 3 to 30 characters of a-z, 0-9, `_` and `-`, with a letter
   * or digit at both ends. The reason is `invalid`, `reserved` or `taken` if it is not.
   */
  @Get('nickname-available')
  @Access('public')
  @RateLimit(...LIMITS)
  nicknameAvailable(@Query() query: NicknameAvailableQuery): Promise<AvailabilityResponse> {
    return this.availability.checkNickname(query);
  }

  /**
   * Checks if an e-mail address is available for a sign-up in the tenant. The reason is `invalid`
   * or `taken` if it is not. An operator can make it answer `true` for every valid address
   * (`EMAIL_AVAILABLE_MODE`).
   */
  @Get('email-available')
  @Access('public')
  @RateLimit(...LIMITS)
  emailAvailable(@Query() query: EmailAvailableQuery): Promise<AvailabilityResponse> {
    return this.availability.checkEmail(query);
  }
}
