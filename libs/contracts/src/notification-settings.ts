import { truncateText } from './text-lengths.js';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { HasNoIssues, isRecord, type IssueWithin } from './issues-within.js';
import { isAppId } from './validators.js';

/** Channels on which apps can notify a user: the list of notifications, and mail. */
export const USER_CHANNELS = ['bell', 'email'] as const;
export type UserChannel = (typeof USER_CHANNELS)[number];
/** Maximum number of apps with their own settings. */
export const MAX_NOTIFYING_APPS = 100;

const CHANNELS = {
  type: 'array' as const,
  items: { type: 'string' as const, enum: [...USER_CHANNELS] as string[] },
  maxItems: USER_CHANNELS.length,
  uniqueItems: true,
};

/** Channels on which apps can notify a user. */
export class NotificationSettings {
  @ApiProperty({ type: Boolean, description: 'False: no app can notify the user.' }) enabled!: boolean;
  @ApiProperty({
    ...CHANNELS,
    description: 'Channels of the apps that `apps` does not name. An empty list mutes them.',
  })
  default!: UserChannel[];
  @ApiProperty({
    type: 'object',
    additionalProperties: CHANNELS,
    description: 'Channels of single apps, by app id. An empty list mutes the app.',
  })
  apps!: Record<string, UserChannel[]>;
}

export const DEFAULT_NOTIFICATIONS: Readonly<NotificationSettings> = {
  enabled: true,
  default: [...USER_CHANNELS],
  apps: {},
};

/**
 * Channels on which an app can notify a user with these settings; empty if the user switched
 * notifications off.
 *
 * @param settings null: the default settings.
 */
export function channelsOf(settings: NotificationSettings | null, appId: string): readonly UserChannel[] {
  const { enabled, default: others, apps } = settings ?? DEFAULT_NOTIFICATIONS;
  if (!enabled) return [];
  return Object.hasOwn(apps, appId) ? (apps[appId] ?? []) : others;
}

/**
 * The value must be a part of the settings, in which an absent part stays, or null, which means the
 * default settings.
 */
export const IsNotificationSettings = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: 'object',
      nullable: true,
      selfRequired: false,
      additionalProperties: false,
      properties: {
        enabled: { type: 'boolean' },
        default: CHANNELS,
        apps: { type: 'object', maxProperties: MAX_NOTIFYING_APPS, additionalProperties: CHANNELS },
      },
      example: { default: ['bell'] },
    }),
    HasNoIssues('isNotificationSettings', settingsIssues),
  );

const KEYS = ['enabled', 'default', 'apps'];
const notRecord = (path: string[]): IssueWithin => ({
  path,
  msg: 'Input should be a valid dictionary',
  type: 'dict_type',
});

function settingsIssues(value: unknown): IssueWithin[] {
  if (!isRecord(value)) return [notRecord([])];
  const unknown = Object.keys(value)
    .filter((key) => !KEYS.includes(key))
    .map((key) => ({ path: [key], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' }));
  const { enabled, default: others, apps } = value;
  return [
    ...unknown,
    ...(enabled === undefined || typeof enabled === 'boolean'
      ? []
      : [{ path: ['enabled'], msg: 'Input should be a valid boolean', type: 'bool_type' }]),
    ...(others === undefined ? [] : channelIssues(others, ['default'])),
    ...(apps === undefined ? [] : appsIssues(apps)),
  ];
}

function appsIssues(apps: unknown): IssueWithin[] {
  if (!isRecord(apps)) return [notRecord(['apps'])];
  const ids = Object.keys(apps);
  if (ids.length > MAX_NOTIFYING_APPS)
    return [{ path: ['apps'], msg: `Dictionary should have at most ${MAX_NOTIFYING_APPS} items`, type: 'too_long' }];
  return ids.flatMap((id) => [...idIssues(id), ...channelIssues(apps[id], ['apps', truncateText(id, 64)])]);
}

const idIssues = (id: string): IssueWithin[] =>
  (isAppId as (value: unknown) => boolean)(id)
    ? []
    : [{ path: ['apps', truncateText(id, 64)], msg: 'This is not the id of an app', type: 'value_error' }];

function channelIssues(channels: unknown, path: string[]): IssueWithin[] {
  if (!Array.isArray(channels)) return [{ path, msg: 'Input should be a valid list', type: 'list_type' }];
  if (channels.length > USER_CHANNELS.length || new Set(channels).size !== channels.length)
    return [{ path, msg: 'A list can contain each channel only once', type: 'value_error' }];
  return channels.flatMap((channel: unknown, at): IssueWithin[] => {
    if ((USER_CHANNELS as readonly unknown[]).includes(channel)) return [];
    const msg =
      channel === 'telegram'
        ? 'This platform sends no messages by Telegram. Use bell or email.'
        : 'Input should be bell or email';
    return [{ path: [...path, String(at)], msg, type: 'enum' }];
  });
}
