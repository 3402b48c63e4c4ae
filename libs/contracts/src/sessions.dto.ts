import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { IsIpAddress } from './ip-addresses.js';
import { IsLine, IsOneOf, IsPattern } from './validators.js';

/** Where a session is used. */
export const SURFACES = ['web', 'cli', 'api'] as const;
export type Surface = (typeof SURFACES)[number];

export class SessionResponse {
  session_id!: string;
  /** @example Firefox on Linux */
  label!: string | null;
  @ApiProperty({ enum: SURFACES }) surface!: Surface;
  ip_address!: string | null;
  user_agent!: string | null;
  created_at!: Date;
  /** Within a minute. */
  last_seen_at!: Date;
  /** When it ends unless it is used before; never later than 180 days after it began. */
  expires_at!: Date;
  /** Whether it is the session that asks. */
  current!: boolean;
}

export class SessionListResponse {
  /** The one seen last first; at most 50. What can no longer be used is not in it. */
  sessions!: SessionResponse[];
}

export class RevokeSessionResponse {
  /** @example revoked */
  status!: string;
  session_id!: string;
}

export class RevokeOtherSessionsResponse {
  /** How many were ended. */
  @ApiProperty({ type: 'integer' }) revoked!: number;
}

/** A session that a client keeps by other means than tokens of ours, to be seen and revoked beside the others. */
export class RegisterSessionRequest {
  @IsOneOf(SURFACES) surface!: Surface;
  @IsOptional() @IsLine(100) label?: string;
  /** Default: that of the request. */
  @IsOptional() @IsLine(400) user_agent?: string;
  /** Default: that of the request. */
  @IsOptional() @IsIpAddress() ip_address?: string;
  /** Whose session it is. Only a trusted backend that names no acting user gives it. */
  @IsOptional() @IsPattern(/^[\w-]{1,64}$/, { maxLength: 64 }) user_id?: string;
}

export class SessionIdResponse {
  session_id!: string;
}

export class SessionValidResponse {
  valid!: boolean;
  session_id!: string;
  /** Null while it is valid, and when it ended by itself. */
  revoked_at!: Date | null;
}
