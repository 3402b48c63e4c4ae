import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, IsString, ValidateBy } from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { TokenResponse } from './auth.dto.js';
import { loopbackRedirect, MAX_REDIRECT_LENGTH } from './loopback-redirects.js';
import { IsLine, IsOneOf, IsPattern, IsToken, Matches } from './validators.js';

const MAX_LABEL_LENGTH = 100;

/** RFC 7636 section 4.2: BASE64URL(SHA256(verifier)) without padding. */
const IsCodeChallenge = (): PropertyDecorator =>
  IsPattern(/^[A-Za-z0-9_-]{43}$/, { minLength: 43, maxLength: 43, example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' });

/** RFC 7636 section 4.1. */
const IsCodeVerifier = (): PropertyDecorator =>
  IsPattern(/^[A-Za-z0-9._~-]{43,128}$/, {
    minLength: 43,
    maxLength: 128,
    example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk-example',
  });

/** `plain` would let whoever reads the request redeem the code, and a missing method means `plain` (RFC 7636 section 4.3). */
const IsChallengeMethod = (fallback?: string): PropertyDecorator => IsOneOf(['S256'], fallback);

/** RFC 8252 section 7.3: a port of the machine that the person sits at, whatever it is. */
const IsLoopbackRedirect = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ format: 'uri', maxLength: MAX_REDIRECT_LENGTH, example: 'http://127.0.0.1:51004/callback' }),
    IsString({ message: 'Input should be a valid string' }),
    ValidateBy(
      { name: 'isLoopbackRedirect', validator: { validate: (value) => typeof value === 'string' && loopbackRedirect(value) !== null } },
      {
        message: 'Input should be an http address of 127.0.0.1, [::1] or localhost, as a URL parser writes it',
        context: { type: 'value_error' },
      },
    ),
  );

const MAX_TYPED_LENGTH = 64;

/** As a person types it: any case, with or without the hyphen, full-width letters too. What remains is looked up as it is. */
const IsUserCode = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ maxLength: MAX_TYPED_LENGTH, example: 'BCDF-GHJK' }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && value.length <= MAX_TYPED_LENGTH ? plainUserCode(value) : value,
    ),
    Matches(/^[A-Z0-9]{1,32}$/, MAX_TYPED_LENGTH),
  );

const plainUserCode = (value: string): string =>
  value
    .normalize('NFKC')
    .replace(/[\s\-\u2010-\u2015\u2212]/g, '')
    .toUpperCase();

export class CliCodeRequest {
  @IsCodeChallenge() code_challenge!: string;
  @IsChallengeMethod('S256') code_challenge_method: string = 'S256';
  /** Where the command line waits for the code. The same value must come with the exchange. */
  @IsOptional() @IsLoopbackRedirect() redirect_uri?: string;
}

export class CliCodeResponse {
  /** Good for one exchange at `POST /v1/auth/cli/token`. */
  code!: string;
  /**
   * Seconds.
   * @example 60
   */
  @ApiProperty({ type: 'integer' }) expires_in!: number;
  redirect_uri!: string | null;
}

export class CliTokenRequest {
  @IsToken() code!: string;
  @IsCodeVerifier() code_verifier!: string;
  /** Equal to that of the code, and absent when the code had none. */
  @IsOptional() @IsLine(MAX_REDIRECT_LENGTH) redirect_uri?: string;
}

export class DeviceAuthorizeRequest {
  @IsCodeChallenge() code_challenge!: string;
  @IsChallengeMethod('S256') code_challenge_method: string = 'S256';
  /**
   * What the person sees when they are asked, such as the name of the machine.
   * @example platform CLI on ada-laptop
   */
  @IsOptional() @IsLine(MAX_LABEL_LENGTH) label?: string;
}

/** RFC 8628 section 3.2. */
export class DeviceAuthorizeResponse {
  /** The client's secret; it never appears on a page or in a URL. */
  device_code!: string;
  /** @example BCDF-GHJK */
  user_code!: string;
  verification_uri!: string;
  /** `verification_uri` with the user code in it. */
  verification_uri_complete!: string;
  /**
   * Seconds.
   * @example 600
   */
  @ApiProperty({ type: 'integer' }) expires_in!: number;
  /**
   * Seconds to wait between two polls.
   * @example 5
   */
  @ApiProperty({ type: 'integer' }) interval!: number;
}

export class DeviceLookupRequest {
  @IsUserCode() user_code!: string;
}

/** What is asking, as far as it is known: for the person who has to decide. */
export class DeviceLookupResponse {
  /** @example pending */
  status!: string;
  user_code!: string;
  label!: string | null;
  ip_address!: string | null;
  user_agent!: string | null;
  created_at!: Date;
  expires_at!: Date;
}

export const DEVICE_ACTIONS = ['approve', 'deny'] as const;

export class DeviceApproveRequest {
  @IsUserCode() user_code!: string;
  @IsOneOf(DEVICE_ACTIONS, 'approve') action: (typeof DEVICE_ACTIONS)[number] = 'approve';
}

export const DEVICE_DECISIONS = ['approved', 'denied'] as const;

export class DeviceApproveResponse {
  @ApiProperty({ enum: DEVICE_DECISIONS }) status!: (typeof DEVICE_DECISIONS)[number];
  label!: string | null;
  ip_address!: string | null;
  user_agent!: string | null;
}

export class DeviceTokenRequest {
  @IsToken() device_code!: string;
  @IsCodeVerifier() code_verifier!: string;
}

export const DEVICE_WAITS = ['authorization_pending', 'slow_down'] as const;

/** RFC 8628 section 3.5, but with status 200: clients of the interface take any other status for the end. */
export class DevicePendingResponse {
  @ApiProperty({ enum: DEVICE_WAITS }) error!: (typeof DEVICE_WAITS)[number];
  /** Seconds to wait from now on. */
  @ApiProperty({ type: 'integer' }) interval!: number;
}

/** Either the tokens, or `error` while the person has not decided. */
export type DeviceTokenResult = TokenResponse | DevicePendingResponse;
