import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AvailabilityResponse, EmailAvailableQuery, NicknameAvailableQuery } from '@platform/contracts';
import { Access, RateLimit } from '@platform/guards';
import { HOUR, MINUTE, policy } from '../../kernel/rate-limits.js';
import { Availability } from './availability.service.js';

const LIMITS = [policy('available-minute-ip', 10, MINUTE), policy('available-hour-ip', 60, HOUR)];

@ApiTags('Auth')
@Controller('v1/auth')
export class AvailabilityController {
  constructor(private readonly availability: Availability) {}

  /** Whether a nickname could be taken now: 3 to 30 characters of a-z, 0-9, `_` and `-`. */
  @Get('nickname-available')
  @Access('public')
  @RateLimit(...LIMITS)
  nicknameAvailable(@Query() query: NicknameAvailableQuery): Promise<AvailabilityResponse> {
    return this.availability.nickname(query);
  }

  /** Whether an address could sign up now. An operator can have it answer `true` for every address (`EMAIL_AVAILABLE_MODE`). */
  @Get('email-available')
  @Access('public')
  @RateLimit(...LIMITS)
  emailAvailable(@Query() query: EmailAvailableQuery): Promise<AvailabilityResponse> {
    return this.availability.email(query);
  }
}
