import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsNotificationSettings, NotificationSettings } from './notification-settings.js';
import { OfUser } from './of-user.dto.js';
import { IsTrueOrFalse } from './validators.js';

/** What a user decides for themselves. */
export class MySettings {
  /**
   * Whether to be asked before something that acts for the user writes or destroys: always, or never. Null: as their role has it. It counts
   * where the role says `default_on` or `default_off`, and not for money, about which they are always asked.
   */
  confirmation_enabled!: boolean | null;
  @ApiProperty({ type: NotificationSettings }) notifications!: NotificationSettings;
}

export class MySettingsResponse {
  @ApiProperty({ type: MySettings }) settings!: MySettings;
}

/** What is absent stays as it is. */
export class UpdateSettingsRequest extends OfUser {
  /** Null: as the role has it. */
  @IsOptional() @IsTrueOrFalse() confirmation_enabled?: boolean | null;
  /** Null: by every channel. `telegram` is not served. */
  @IsOptional() @IsNotificationSettings() notifications?: Partial<NotificationSettings> | null;
}
