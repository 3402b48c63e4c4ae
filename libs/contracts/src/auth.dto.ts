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
  /** Access token (JWT) for the header `Authorization: Bearer`. */
  access_token!: string;
  /** Refresh token. It works once; the answer has the next one. */
  refresh_token!: string;
  /**
   * Type of the access token.
   * @example bearer
   */
  token_type!: string;
  /**
   * Seconds until the access token expires.
   * @example 900
   */
  @ApiProperty({ type: 'integer' }) expires_in!: number;
  /**
   * Present after a login with a password or a confirmed address. Send it with the next login from
   * this device: wrong passwords that other people try then do not delay this login.
   */
  device_token?: string;
}

/** Tokens of a login with a password or a confirmed address. */
export type LoginResponse = TokenResponse & Required<Pick<TokenResponse, 'device_token'>>;

export class MessageResponse {
  /** Result for people. */
  message!: string;
}

export class SignupRequest {
  /** Email address of the account. A mail with a link confirms it. */
  @IsEmailAddress() email!: string;
  /** Password of the account: 8 to 128 characters. */
  @IsNewPassword() password!: string;
  /** Id of the tenant. */
  @IsTenantId() tenant_id: string = DEFAULT_TENANT;
  /**
   * First name.
   * @example Ada
   */
  @IsOptional() @IsPersonName(100) first_name?: string;
  /**
   * Last name.
   * @example Lovelace
   */
  @IsOptional() @IsPersonName(100) last_name?: string;
}

/**
 * Answer of a signup. It is the same for a new and for a taken address, so that it does not reveal
 * existing accounts.
 */
export class SignupResponse {
  /** Result for people. */
  message!: string;
  /** Id of the new account, which exists once the address is confirmed. */
  user_id!: string;
  /**
   * Token for `GET /v1/auth/signup-status`. It shows the progress of this signup, and identifies it
   * if several signups with the address are pending.
   */
  status_token!: string;
}

export class SignupStatusQuery {
  /** The `status_token` of the signup. */
  @IsToken() token!: string;
}

export const SIGNUP_STATUSES = ['pending', 'verified', 'expired', 'unknown'] as const;
export type SignupStatus = (typeof SIGNUP_STATUSES)[number];

export class SignupStatusResponse {
  /**
   * `expired`: the link was not used in time; request a new one with `POST
   * /v1/auth/resend-verification`.
   */
  @ApiProperty({ enum: SIGNUP_STATUSES }) status!: SignupStatus;
  /**
   * Address with most characters hidden.
   * @example a••@example.com
   */
  email_masked!: string | null;
}

export class VerifyEmailRequest {
  /** Token from the link in the verification mail. */
  @IsToken() token!: string;
  /**
   * The `status_token` of the signup. Send it or the `password` if several signups with the address
   * are pending (409 `signup.ambiguous`).
   */
  @IsOptional() @IsToken() status_token?: string;
  /** Password of the signup, as an alternative to `status_token`. */
  @IsOptional() @IsPassword() password?: string;
}

export class ResendVerificationRequest {
  /** Email address of the signup. */
  @IsEmailAddress() email!: string;
  /** Id of the tenant. */
  @IsTenantId() tenant_id: string = DEFAULT_TENANT;
  /**
   * The `status_token` of the signup whose link is needed. Required if several signups with the
   * address are pending.
   */
  @IsOptional() @IsToken() status_token?: string;
}

/** A user that a backend creates. The address counts as confirmed. */
export class RegisterRequest {
  /** Email address. */
  @IsEmailAddress() email!: string;
  /** Password of the account: 8 to 128 characters. */
  @IsNewPassword() password!: string;
  /** Id of the tenant. */
  @IsTenantId() tenant_id: string = DEFAULT_TENANT;
}

export class ForgotPasswordRequest {
  /** Email address. */
  @IsEmailAddress() email!: string;
  /** Id of the tenant. */
  @IsTenantId() tenant_id: string = DEFAULT_TENANT;
}

export class ResetPasswordRequest {
  /** Token from the link in the mail. */
  @IsToken() token!: string;
  /** New password. */
  @IsNewPassword() new_password!: string;
  /** True keeps the API keys. By default they are deleted with the old password. */
  @ApiProperty({ required: false, default: false }) @IsTrueOrFalse() keep_api_keys: boolean = false;
  /** True keeps sessions of command lines. By default all sessions end. */
  @ApiProperty({ required: false, default: false }) @IsTrueOrFalse() keep_terminal_sessions: boolean = false;
}

export class ChangePasswordRequest {
  /** Current password of the user, as a confirmation. */
  @IsPassword() current_password!: string;
  /** New password. */
  @IsNewPassword() new_password!: string;
}

export const UNAVAILABLE_REASONS = ['taken', 'reserved', 'invalid'] as const;

export class AvailabilityResponse {
  /** True if it is available. */
  available!: boolean;
  /** Reason why it is not available; null if it is available. */
  @ApiProperty({ enum: UNAVAILABLE_REASONS }) reason!: (typeof UNAVAILABLE_REASONS)[number] | null;
}

export class EmailAvailableQuery {
  /**
   * Address to check.
   * @example ada@example.com
   */
  @IsText(320) email!: string;
  /** Id of the tenant. */
  @IsTenantId() tenant_id: string = DEFAULT_TENANT;
}

export class NicknameAvailableQuery {
  /**
   * Nickname to check.
   * @example ada-lovelace
   */
  @IsText(100) nickname!: string;
}

export class SetCasesUidRequest {
  /**
   * Id of the user in the Cases API, a system outside the platform: a whole number of at least 1,
   * as text.
   * @example 4711
   */
  @IsPositiveIntegerText() cases_user_id!: string;
}

export class SetCasesUidResponse {
  /** Id of the user. */
  platform_id!: string;
  /** Id of the user in the Cases API. */
  @ApiProperty({ type: 'integer' }) cases_user_id!: number;
}

export class LoginRequest {
  /** Email address. */
  @IsEmailAddress() email!: string;
  /** Password of the account. */
  @IsPassword() password!: string;
  /** Id of the tenant. */
  @IsTenantId() tenant_id: string = DEFAULT_TENANT;
  /**
   * The `device_token` of the last login to this account from this device. An invalid token counts
   * as absent.
   */
  @IsOptional() @IsToken() device_token?: string;
}

export class RefreshRequest {
  /** The refresh token of the last answer. */
  @IsToken() refresh_token!: string;
}

export class UserResponse {
  /** Id of the user. */
  platform_id!: string;
  /** Same as `platform_id`. */
  id!: string;
  /** Email address. */
  email!: string;
  /** First name; null if it is not known. */
  first_name!: string | null;
  /** Last name; null if it is not known. */
  last_name!: string | null;
  /** Name of the user's role. */
  role!: string;
  /** Id of the tenant. */
  tenant_id!: string;
  /** Id of the agency; null without an agency. */
  agency_id!: string | null;
  /** Id of the organisation; null without one. */
  org_id!: string | null;
  /** False if the user is deactivated and cannot sign in. */
  is_active!: boolean;
  /**
   * Login method of the account.
   * @example email
   */
  auth_method!: string;
  /** Effective scopes of the user now: those of the role and of grants to the user. */
  scopes!: string[];
  /** Attributes of the user, with free keys and values. */
  attributes!: Record<string, unknown>;
  /** Id of the user in the Cases API, a system outside the platform; null if it is not known. */
  @ApiProperty({ type: 'integer' }) cases_user_id!: number | null;
  /** Time of creation. */
  created_at!: Date;
  /** Time of the last login; null if the user never signed in. */
  last_login!: Date | null;
}

export class JsonWebKeyResponse {
  /**
   * Key type.
   * @example RSA
   */
  kty!: string;
  /**
   * Use of the key.
   * @example sig
   */
  use!: string;
  /**
   * Signature algorithm.
   * @example RS256
   */
  alg!: string;
  /** Key id, as in the header of the tokens. */
  kid!: string;
  /** RSA modulus (base64url). */
  n!: string;
  /** RSA exponent (base64url). */
  e!: string;
}

/** Public keys that verify access tokens, as a JSON Web Key Set (RFC 7517 section 5). */
export class JsonWebKeySetResponse {
  /** The current signing key, the next one, and recent ones whose tokens can still be valid. */
  keys!: JsonWebKeyResponse[];
}
