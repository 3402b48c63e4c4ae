import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { MAX_CREDITS } from '../billing/credits.js';
import { IsPattern, IsUuid, IsWholeNumber } from '../validators.js';
import { IsRunGrant } from './run-grants.dto.js';

/** What the host of extensions asks about the plan and the credits of the user of a run, under `/v1/internal/billing/`. */

/** Of an app, of a user in a period of their plan. */
export const MAX_APP_METERS = 20;

export class RunBillingRequest {
  @IsRunGrant() grant!: string;
}

export class RunBalanceResponse {
  /** Credits that the user can spend now. */
  @ApiProperty({ type: 'integer' }) balance!: number;
}

/** That the app of the grant was used for the user. */
export class RunUsageRequest {
  @IsRunGrant() grant!: string;
  @IsPattern(/^[a-z][a-z0-9_.-]{0,63}$/, { maxLength: 64, example: 'pages' }) meter!: string;
  @IsWholeNumber(1, MAX_CREDITS) quantity!: number;
  /** The same one again counts nothing. */
  @IsOptional() @IsUuid() key?: string;
}
