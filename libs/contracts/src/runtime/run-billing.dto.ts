import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { MAX_CREDITS } from '../billing/credits.js';
import { IsPattern, IsUuid, IsWholeNumber } from '../validators.js';
import { IsRunGrant } from './run-grants.dto.js';

/**
 * Requests of the host about the plan and the credits of a run's user, below
 * `/v1/internal/billing/`.
 */

/** Maximum number of meters that an app can use for a user in a period of the user's plan. */
export const MAX_APP_METERS = 20;

export class RunBillingRequest {
  @IsRunGrant() grant!: string;
}

export class RunBalanceResponse {
  /** Credits that the user can spend now. */
  @ApiProperty({ type: 'integer' }) balance!: number;
}

/**
 * Usage of the app of a run grant by its user, which counts toward a meter. A run grant is the
 * permission of a run at the gateway.
 */
export class RunUsageRequest {
  @IsRunGrant() grant!: string;
  @IsPattern(/^[a-z][a-z0-9_.-]{0,63}$/, { maxLength: 64, example: 'pages' }) meter!: string;
  @IsWholeNumber(1, MAX_CREDITS) quantity!: number;
  /** Idempotency key. A retry with the same key is not counted again. */
  @IsOptional() @IsUuid() key?: string;
}
