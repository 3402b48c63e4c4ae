import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import {
  DEFAULT_TENANT,
  IsEmailAddress,
  IsNewPassword,
  IsPassword,
  IsPersonName,
  IsPositiveIntegerText,
  IsText,
  IsTenantId,
  IsToken,
  IsTrueOrFalse,
} from './validators.js';

export class TokenResponse {
  /** A JWT for the `Authorization: Bearer` header. */
  access_token!: string;
  /** Good for one refresh, which returns the next one. */
  refresh_token!: string;
  /** @example bearer */
  token_type!: string;
  /**
   * Seconds until the access token expires.
   * @example 900
   */
  @ApiProperty({ type: 'integer' }) expires_in!: number;
  /**
   * After a password or a confirmed address. To be sent with the next login from this device: then wrong passwords of strangers do not delay
   * it.
   */
  device_token?: string;
}

/** After a password or a confirmed address. */
export type LoginResponse = TokenResponse & Required<Pick<TokenResponse, 'device_token'>>;

export class MessageResponse {
  message!: string;
}

export class SignupRequest {
  @IsEmailAddress() email!: string;
  @IsNewPassword() password!: string;
  @IsTenantId() tenant_id: string = DEFAULT_TENANT;
  /** @example Ada */
  @IsOptional() @IsPersonName(100) first_name?: string;
  /** @example Lovelace */
  @IsOptional() @IsPersonName(100) last_name?: string;
}

/** The same for a new and for a taken address, so that nobody learns who has an account. */
export class SignupResponse {
  message!: string;
  user_id!: string;
  /** For `GET /v1/auth/signup-status`. It shows how far the signup is, and says which of several is meant. */
  status_token!: string;
}

export class SignupStatusQuery {
  /** The `status_token` of the signup. */
  @IsToken() token!: string;
}

export const SIGNUP_STATUSES = ['pending', 'verified', 'expired', 'unknown'] as const;
export type SignupStatus = (typeof SIGNUP_STATUSES)[number];

export class SignupStatusResponse {
  /** `expired`: the link was not used in time; ask for a new one with `POST /v1/auth/resend-verification`. */
  @ApiProperty({ enum: SIGNUP_STATUSES }) status!: SignupStatus;
  /** @example a••@example.com */
  email_masked!: string | null;
}

export class VerifyEmailRequest {
  /** The token of the verification mail. */
  @IsToken() token!: string;
  /** The `status_token` of the signup. It or the `password` is needed where several signups with the address wait (409 `signup.ambiguous`). */
  @IsOptional() @IsToken() status_token?: string;
  /** The password of the signup. */
  @IsOptional() @IsPassword() password?: string;
}

export class ResendVerificationRequest {
  @IsEmailAddress() email!: string;
  @IsTenantId() tenant_id: string = DEFAULT_TENANT;
  /** The `status_token` of the signup whose link is asked for. Needed where several signups with the address wait. */
  @IsOptional() @IsToken() status_token?: string;
}

/** A user that a trusted backend creates. Their address counts as confirmed. */
export class RegisterRequest {
  @IsEmailAddress() email!: string;
  @IsNewPassword() password!: string;
  @IsTenantId() tenant_id: string = DEFAULT_TENANT;
}

export class ForgotPasswordRequest {
  @IsEmailAddress() email!: string;
  @IsTenantId() tenant_id: string = DEFAULT_TENANT;
}

export class ResetPasswordRequest {
  /** The token of the mail. */
  @IsToken() token!: string;
  @IsNewPassword() new_password!: string;
  /** API keys end with the old password, unless this is true. */
  @ApiProperty({ required: false, default: false }) @IsTrueOrFalse() keep_api_keys: boolean = false;
  /** Sessions of command lines end like all others, unless this is true. */
  @ApiProperty({ required: false, default: false }) @IsTrueOrFalse() keep_terminal_sessions: boolean = false;
}

export class ChangePasswordRequest {
  @IsPassword() current_password!: string;
  @IsNewPassword() new_password!: string;
}

export const UNAVAILABLE_REASONS = ['taken', 'reserved', 'invalid'] as const;

export class AvailabilityResponse {
  available!: boolean;
  /** Why it is not available; null when it is. */
  @ApiProperty({ enum: UNAVAILABLE_REASONS }) reason!: (typeof UNAVAILABLE_REASONS)[number] | null;
}

export class EmailAvailableQuery {
  /** @example ada@example.com */
  @IsText(320) email!: string;
  @IsTenantId() tenant_id: string = DEFAULT_TENANT;
}

export class NicknameAvailableQuery {
  /** @example ada-lovelace */
  @IsText(100) nickname!: string;
}

export class SetCasesUidRequest {
  /**
   * The user's id in the Cases API: a whole number of at least 1, as text.
   * @example 4711
   */
  @IsPositiveIntegerText() cases_user_id!: string;
}

export class SetCasesUidResponse {
  platform_id!: string;
  @ApiProperty({ type: 'integer' }) cases_user_id!: number;
}

export class LoginRequest {
  @IsEmailAddress() email!: string;
  @IsPassword() password!: string;
  @IsTenantId() tenant_id: string = DEFAULT_TENANT;
  /** That of the last login of this account from this device. One that is not valid counts as none. */
  @IsOptional() @IsToken() device_token?: string;
}

export class RefreshRequest {
  @IsToken() refresh_token!: string;
}

export class UserResponse {
  platform_id!: string;
  /** The same as `platform_id`. */
  id!: string;
  email!: string;
  first_name!: string | null;
  last_name!: string | null;
  role!: string;
  tenant_id!: string;
  agency_id!: string | null;
  org_id!: string | null;
  is_active!: boolean;
  /** @example email */
  auth_method!: string;
  /** What the role and the user's own grants add up to, now. */
  scopes!: string[];
  attributes!: Record<string, unknown>;
  @ApiProperty({ type: 'integer' }) cases_user_id!: number | null;
  created_at!: Date;
  last_login!: Date | null;
}

export class JsonWebKeyResponse {
  /** @example RSA */
  kty!: string;
  /** @example sig */
  use!: string;
  /** @example RS256 */
  alg!: string;
  kid!: string;
  n!: string;
  e!: string;
}

/** RFC 7517 section 5. */
export class JsonWebKeySetResponse {
  /** The keys that may sign next, sign now, and signed until lately. */
  keys!: JsonWebKeyResponse[];
}
