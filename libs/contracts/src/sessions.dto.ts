import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { IsIpAddress } from './ip-addresses.js';
import { IsLine, IsOneOf, IsPattern } from './validators.js';

/** Kinds of clients that use a session. */
export const SURFACES = ['web', 'cli', 'api'] as const;
export type Surface = (typeof SURFACES)[number];

export class SessionResponse {
  /** Id of the session. */
  session_id!: string;
  /**
   * Name of the device or client.
   * @example Firefox on Linux
   */
  label!: string | null;
  /** Kind of client that uses the session. */
  @ApiProperty({ enum: SURFACES }) surface!: Surface;
  /** IP address of the client; null if it is not known. */
  ip_address!: string | null;
  /** User agent of the client; null if it is not known. */
  user_agent!: string | null;
  /** Time at which the session started. */
  created_at!: Date;
  /** Time of the last use, accurate to one minute. */
  last_seen_at!: Date;
  /**
   * Time at which the session ends if it is not used. Each use extends it, up to 180 days after the
   * start.
   */
  expires_at!: Date;
  /** True for the session of this request. */
  current!: boolean;
}

export class SessionListResponse {
  /** Sessions that still work, most recently used first; at most 50. */
  sessions!: SessionResponse[];
}

export class RevokeSessionResponse {
  /**
   * Result of the request.
   * @example revoked
   */
  status!: string;
  /** Id of the session. */
  session_id!: string;
}

export class RevokeOtherSessionsResponse {
  /** Number of sessions that were ended. */
  @ApiProperty({ type: 'integer' }) revoked!: number;
}

/**
 * A session that a client keeps without tokens of the platform, so that the user can see and revoke
 * it with the other sessions.
 */
export class RegisterSessionRequest {
  /** Kind of client that uses the session. */
  @IsOneOf(SURFACES) surface!: Surface;
  /** Name of the device or client. */
  @IsOptional() @IsLine(100) label?: string;
  /** User agent of the session. Default: that of the request. */
  @IsOptional() @IsLine(400) user_agent?: string;
  /** IP address of the session. Default: that of the request. */
  @IsOptional() @IsIpAddress() ip_address?: string;
  /** User of the session. Only a backend without an acting user sends it. */
  @IsOptional() @IsPattern(/^[\w-]{1,64}$/, { maxLength: 64 }) user_id?: string;
}

export class SessionIdResponse {
  /** Id of the session. */
  session_id!: string;
}

export class SessionValidResponse {
  /** True if the session can be used. */
  valid!: boolean;
  /** Id of the session. */
  session_id!: string;
  /** Time of the revocation; null if the session is valid or has expired. */
  revoked_at!: Date | null;
}
