import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsOptional, IsString, ValidateNested } from 'class-validator';
import { IsRawObject } from '../deploys.dto.js';
import { IsLine, IsPattern, IsTenantId, IsText, IsWholeNumber } from '../validators.js';

export const MAX_RUN_MS = 180_000;

const IsAppId = (): PropertyDecorator => IsPattern(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, { maxLength: 64, example: 'invoices' });

/** The user that a run is. */
export class RunUser {
  @IsText(64) user_id!: string;
  @IsText(254) email!: string;
  @IsTenantId() tenant_id!: string;
  @IsText(100) role!: string;
  @IsArray() @IsString({ each: true }) scopes!: string[];
  @IsOptional() @IsText(64) agency_id?: string | null;
  @IsOptional() @IsText(64) org_id?: string | null;
  @IsOptional() @IsRawObject() attributes?: Record<string, unknown>;
}

/** A run of a function of a deployed app, on the host of extensions. */
export class RunRequest {
  @IsAppId() app_id!: string;
  @IsText(64) version!: string;
  /** Of the canonical document, in hexadecimal. */
  @IsPattern(/^[0-9a-f]{64}$/, { minLength: 64, maxLength: 64 }) sha256!: string;
  @IsLine(128) function!: string;
  @IsRawObject() params!: Record<string, unknown>;
  /** Null: the run is one of an identity of the app, such as `__webhook__`. */
  @ApiProperty({ type: RunUser, nullable: true }) @IsOptional() @ValidateNested() @Type(() => RunUser) user!: RunUser | null;
  @IsTenantId() tenant_id!: string;
  /** The functions that called each other to get here, the first one first: `app.function`. */
  @IsArray() @ArrayMaxSize(16) @IsString({ each: true }) chain!: string[];
  /** How long the run may take. */
  @IsWholeNumber(1, MAX_RUN_MS) timeout_ms!: number;
}
