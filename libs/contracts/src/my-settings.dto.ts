import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsNotificationSettings, NotificationSettings } from './notification-settings.js';
import { ActingUserBody } from './acting-user-body.dto.js';
import { IsTrueOrFalse } from './validators.js';

/** Settings of a user. */
export class MySettings {
  /**
   * True: confirm every function that writes, destroys or costs credits. False: confirm none. Null:
   * the default of the role. It applies only if the policy of the role is `default_on` or
   * `default_off`. Functions that move money always need the user.
   */
  confirmation_enabled!: boolean | null;
  /** Channels on which apps can notify the user. */
  @ApiProperty({ type: NotificationSettings }) notifications!: NotificationSettings;
}

export class MySettingsResponse {
  /** Settings of the user. */
  @ApiProperty({ type: MySettings }) settings!: MySettings;
}

/** Changes the settings. A field that is absent keeps its value. */
export class UpdateSettingsRequest extends ActingUserBody {
  /** Null: the default of the role. */
  @IsOptional() @IsTrueOrFalse() confirmation_enabled?: boolean | null;
  /**
   * Notification settings to change. Null resets them: all channels. `telegram` is not supported.
   */
  @IsOptional() @IsNotificationSettings() notifications?: Partial<NotificationSettings> | null;
}
