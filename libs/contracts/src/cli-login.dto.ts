import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, IsString, ValidateBy } from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { TokenResponse } from './auth.dto.js';
import { loopbackRedirect, MAX_REDIRECT_LENGTH } from './loopback-redirects.js';
import { IsLine, IsOneOf, IsPattern, IsToken, Matches } from './validators.js';

const MAX_LABEL_LENGTH = 100;

/**
 * The value must have the form of a code challenge: BASE64URL(SHA256(verifier)) without padding
 * (RFC 7636 section 4.2).
 */
const IsCodeChallenge = (): PropertyDecorator =>
  IsPattern(/^[A-Za-z0-9_-]{43}$/, {
    minLength: 43,
    maxLength: 43,
    example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  });

/**
 * The value must have the form of a code verifier: the random secret of the client (RFC 7636
 * section 4.1).
 */
const IsCodeVerifier = (): PropertyDecorator =>
  IsPattern(/^[A-Za-z0-9._~-]{43,128}$/, {
    minLength: 43,
    maxLength: 128,
    example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk-example',
  });

/**
 * The value must be `S256`. With `plain`, anybody who reads the request could redeem the code, and
 * a missing method means `plain` (RFC 7636 section 4.3).
 */
const IsChallengeMethod = (fallback?: string): PropertyDecorator => IsOneOf(['S256'], fallback);

/**
 * The value must be an http address of the user's own machine, with any port (RFC 8252 section
 * 7.3).
 */
const IsLoopbackRedirect = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ format: 'uri', maxLength: MAX_REDIRECT_LENGTH, example: 'http://127.0.0.1:51004/callback' }),
    IsString({ message: 'Input should be a valid string' }),
    ValidateBy(
      {
        name: 'isLoopbackRedirect',
        validator: { validate: (value) => typeof value === 'string' && loopbackRedirect(value) !== null },
      },
      {
        message: 'Input should be an http address of 127.0.0.1, [::1] or localhost, as a URL parser writes it',
        context: { type: 'value_error' },
      },
    ),
  );

const MAX_TYPED_LENGTH = 64;

/**
 * The value must be a user code as a person types it: in any case, with or without the hyphen, also
 * in full-width letters. The route gets it in its normalised form.
 */
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
  /** SHA-256 of the `code_verifier`, as base64url without padding (RFC 7636 section 4.2). */
  @IsCodeChallenge() code_challenge!: string;
  /** Method of the challenge. Only `S256` is supported. */
  @IsChallengeMethod('S256') code_challenge_method: string = 'S256';
  /**
   * Address on which the command line waits for the code. Send the same value with `POST
   * /v1/auth/cli/token`.
   */
  @IsOptional() @IsLoopbackRedirect() redirect_uri?: string;
}

export class CliCodeResponse {
  /** Code for one exchange at `POST /v1/auth/cli/token`. */
  code!: string;
  /**
   * Seconds until the code expires.
   * @example 60
   */
  @ApiProperty({ type: 'integer' }) expires_in!: number;
  /** The `redirect_uri` of the request; null if it had none. */
  redirect_uri!: string | null;
}

export class CliTokenRequest {
  /** The code of `POST /v1/auth/cli/code`. */
  @IsToken() code!: string;
  /** The random text from which `code_challenge` was computed (RFC 7636 section 4.1). */
  @IsCodeVerifier() code_verifier!: string;
  /** The `redirect_uri` of the code. Omit it if the code was requested without one. */
  @IsOptional() @IsLine(MAX_REDIRECT_LENGTH) redirect_uri?: string;
}

export class DeviceAuthorizeRequest {
  /** SHA-256 of the `code_verifier`, as base64url without padding (RFC 7636 section 4.2). */
  @IsCodeChallenge() code_challenge!: string;
  /** Method of the challenge. Only `S256` is supported. */
  @IsChallengeMethod('S256') code_challenge_method: string = 'S256';
  /**
   * Name of the device, which the user sees on the confirmation page.
   * @example platform CLI on ada-laptop
   */
  @IsOptional() @IsLine(MAX_LABEL_LENGTH) label?: string;
}

/** Answer of a device authorisation (RFC 8628 section 3.2). */
export class DeviceAuthorizeResponse {
  /** Secret of the client. Never show it on a page and never put it in a URL. */
  device_code!: string;
  /**
   * Code that the user types on the confirmation page.
   * @example BCDF-GHJK
   */
  user_code!: string;
  /** Address of the confirmation page. */
  verification_uri!: string;
  /** Address of the confirmation page with the user code in it. */
  verification_uri_complete!: string;
  /**
   * Seconds until the codes expire.
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
  /** Code that the device shows to the user. */
  @IsUserCode() user_code!: string;
}

/**
 * Known details of the device that requests the login. The user checks them before the decision.
 */
export class DeviceLookupResponse {
  /**
   * Status of the request.
   * @example pending
   */
  status!: string;
  /** Code that the device shows to the user. */
  user_code!: string;
  /** Name of the device, as it named itself; null if it did not. */
  label!: string | null;
  /** IP address of the client; null if it is not known. */
  ip_address!: string | null;
  /** User agent of the client; null if it is not known. */
  user_agent!: string | null;
  /** Time of the login request. */
  created_at!: Date;
  /** Time at which the codes expire. */
  expires_at!: Date;
}

export const DEVICE_ACTIONS = ['approve', 'deny'] as const;

export class DeviceApproveRequest {
  /** Code that the device shows to the user. */
  @IsUserCode() user_code!: string;
  /** Decision of the user. */
  @IsOneOf(DEVICE_ACTIONS, 'approve') action: (typeof DEVICE_ACTIONS)[number] = 'approve';
}

export const DEVICE_DECISIONS = ['approved', 'denied'] as const;

export class DeviceApproveResponse {
  /** The decision. */
  @ApiProperty({ enum: DEVICE_DECISIONS }) status!: (typeof DEVICE_DECISIONS)[number];
  /** Name of the device, as it named itself; null if it did not. */
  label!: string | null;
  /** IP address of the client; null if it is not known. */
  ip_address!: string | null;
  /** User agent of the client; null if it is not known. */
  user_agent!: string | null;
}

export class DeviceTokenRequest {
  /** The `device_code` of the device authorisation. */
  @IsToken() device_code!: string;
  /** The random text from which `code_challenge` was computed (RFC 7636 section 4.1). */
  @IsCodeVerifier() code_verifier!: string;
}

export const DEVICE_WAITS = ['authorization_pending', 'slow_down'] as const;

/**
 * Answer while the user has not decided. As RFC 8628 section 3.5, but with status 200: existing
 * clients treat any other status as the end.
 */
export class DevicePendingResponse {
  /** `authorization_pending`: the user has not decided. `slow_down`: poll less often. */
  @ApiProperty({ enum: DEVICE_WAITS }) error!: (typeof DEVICE_WAITS)[number];
  /** Seconds to wait before the next poll. */
  @ApiProperty({ type: 'integer' }) interval!: number;
}

/** The tokens, or `error` while the user has not decided. */
export type DeviceTokenResult = TokenResponse | DevicePendingResponse;
