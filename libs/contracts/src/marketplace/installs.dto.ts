import { ApiProperty } from '@nestjs/swagger';

export class InstallResult {
  app_id!: string;
  installed!: boolean;
  /** When the user got it; a repeated install does not change it. */
  installed_at!: Date;
  /** @example installed */
  status!: string;
  /** How many users have it now. */
  @ApiProperty({ type: 'integer' }) install_count!: number;
}

export class UninstallResult {
  app_id!: string;
  /** False. */
  installed!: boolean;
  /** @example uninstalled */
  status!: string;
  /** Null when the user never had it. */
  uninstalled_at!: Date | null;
  /** How many users have it now. */
  @ApiProperty({ type: 'integer' }) install_count!: number;
}
