import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { IsListOfTexts, IsQueryBoolean, IsText } from '../validators.js';

/** Of the versions of an app; a version that asks for more than this is refused. */
export const MAX_REQUESTED_SCOPES = 200;

/** What the user was shown, so that they agree to nothing newer: 409 where it is something else by now. */
export class InstallRequest {
  /** The `version` that was shown. */
  @IsOptional() @IsText(64) version?: string;
  /** The `requested_scopes` that were shown, in any order. */
  @IsOptional() @IsListOfTexts(MAX_REQUESTED_SCOPES, 129) scopes?: string[];
  /** The `price_version` that was shown, null for nothing that costs: 409 `extension.price_changed` where it is another one by now. Without it only a first install agrees to a price. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 2_147_483_647, nullable: true, required: false })
  @IsOptional()
  @IsInt({ message: 'Input should be a valid integer' })
  @Min(1, { message: 'Input should be greater than or equal to 1' })
  @Max(2_147_483_647, { message: 'Input should be less than or equal to 2147483647' })
  price_version?: number | null;
}

/** What an app costs its users. */
export class AppCost {
  /** Agree to it by installing the app with this. */
  @ApiProperty({ type: 'integer' }) price_version!: number;
  @ApiProperty({ enum: ['per_action', 'subscription'] }) pricing_model!: string;
  /** Credits for a call, by function; what is not named is free. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } }) tool_prices!: Record<string, number>;
  /** Credits for a month; null unless it is paid for by the month. */
  @ApiProperty({ type: 'integer', nullable: true }) monthly_price!: number | null;
}

/** What an app asks for, and what its user agreed to. */
export class ScopeConsent {
  /** What the version asks for that runs now. */
  requested_scopes!: string[];
  /** What the user agreed to by installing the app, as far as it still asks for it; the app acts for them with no more. */
  granted_scopes!: string[];
  /** What the app asks for and the user did not agree to yet: installing it again agrees. */
  missing_scopes!: string[];
}

export class InstallResult extends ScopeConsent {
  app_id!: string;
  /** The version that runs; null for a part of the platform that has none yet. */
  version!: string | null;
  installed!: boolean;
  /** When the user got it; a repeated install does not change it. */
  installed_at!: Date;
  /** @example installed */
  status!: string;
  /** What the app costs by now; null for nothing. */
  @ApiProperty({ type: AppCost, nullable: true }) price!: AppCost | null;
  /** The price that the user agreed to, now or before: they pay no more. Null for none. */
  @ApiProperty({ type: 'integer', nullable: true }) price_version!: number | null;
  /** How many users have it now. */
  @ApiProperty({ type: 'integer' }) install_count!: number;
}

export class UninstallQuery {
  /** Deletes at once what the app keeps for the caller, also when they removed it before. Without it that is done after 30 days. */
  @IsQueryBoolean(false) purge: boolean = false;
}

export class UninstallResult {
  app_id!: string;
  /** False. */
  installed!: boolean;
  /** @example uninstalled */
  status!: string;
  /** Null when the user never had it. */
  uninstalled_at!: Date | null;
  /** Until when what the app keeps for the user is there again if they install it; null where nothing is, or it is deleted at once. */
  kept_until!: Date | null;
  /** How many users have it now. */
  @ApiProperty({ type: 'integer' }) install_count!: number;
}
