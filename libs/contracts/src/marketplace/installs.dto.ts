import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { IsListOfTexts, IsQueryBoolean, IsText } from '../validators.js';

/** Maximum number of scopes that a version of an app can request. */
export const MAX_REQUESTED_SCOPES = 200;

/**
 * The terms that the client showed to the user. If one of them has changed, the answer is 409, so
 * that the user does not agree to terms that they have not seen.
 */
export class InstallRequest {
  /** The `version` that was shown. */
  @IsOptional() @IsText(64) version?: string;
  /** The `requested_scopes` that were shown, in any order. */
  @IsOptional() @IsListOfTexts(MAX_REQUESTED_SCOPES, 129) scopes?: string[];
  /**
   * The `price_version` that was shown; null for a free app. The answer is 409
   * `extension.price_changed` if the price has changed. Without this field, only a first install
   * agrees to a price.
   */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 2_147_483_647, nullable: true, required: false })
  @IsOptional()
  @IsInt({ message: 'Input should be a valid integer' })
  @Min(1, { message: 'Input should be greater than or equal to 1' })
  @Max(2_147_483_647, { message: 'Input should be less than or equal to 2147483647' })
  price_version?: number | null;
}

/** Price of an app for its users. */
export class AppCost {
  /** Number of the price. Install the app with this number to agree to the price. */
  @ApiProperty({ type: 'integer' }) price_version!: number;
  /** `per_action`: a price per call. `subscription`: a price per month. */
  @ApiProperty({ enum: ['per_action', 'subscription'] }) pricing_model!: string;
  /** Credits per call, by function. A function that is absent is free. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } }) tool_prices!: Record<string, number>;
  /** Credits per month; null if the app has no monthly price. */
  @ApiProperty({ type: 'integer', nullable: true }) monthly_price!: number | null;
}

/** Scopes that an app requests and scopes that its user granted. */
export class ScopeConsent {
  /** Scopes that the version that runs requests. */
  requested_scopes!: string[];
  /**
   * Scopes that the user granted by installing the app and that it still requests. The app has no
   * other permissions of the user.
   */
  granted_scopes!: string[];
  /**
   * Scopes that the app requests and the user has not granted. Installing the app again grants
   * them.
   */
  missing_scopes!: string[];
}

export class InstallResult extends ScopeConsent {
  /** Id of the app. */
  app_id!: string;
  /** Version that runs; null for a part of the platform that has no version yet. */
  version!: string | null;
  /** True: the user has the app. */
  installed!: boolean;
  /** Time since which the user has the app; a repeated install does not change it. */
  installed_at!: Date;
  /**
   * Result of the request.
   * @example installed
   */
  status!: string;
  /** Current price of the app; null if it is free. */
  @ApiProperty({ type: AppCost, nullable: true }) price!: AppCost | null;
  /**
   * Number of the price to which the user agreed, now or earlier. The user never pays more than
   * this price. Null if the user agreed to none.
   */
  @ApiProperty({ type: 'integer', nullable: true }) price_version!: number | null;
  /** Number of users with this app. */
  @ApiProperty({ type: 'integer' }) install_count!: number;
}

export class UninstallQuery {
  /**
   * True deletes the app's data of the caller now, also if the caller removed the app earlier. By
   * default it is deleted after 30 days.
   */
  @IsQueryBoolean(false) purge: boolean = false;
}

export class UninstallResult {
  /** Id of the app. */
  app_id!: string;
  /** Always false. */
  installed!: boolean;
  /**
   * Result of the request.
   * @example uninstalled
   */
  status!: string;
  /** Time of the removal; null if the user never had the app. */
  uninstalled_at!: Date | null;
  /**
   * Time until which the app's data of the user is kept and returns if the user installs the app
   * again; null if there is no data, or if it is deleted now.
   */
  kept_until!: Date | null;
  /** Number of users with this app. */
  @ApiProperty({ type: 'integer' }) install_count!: number;
}
