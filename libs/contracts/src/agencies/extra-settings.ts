import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsObject, ValidateIf } from 'class-validator';
import { HasNoIssues, isRecord, type IssueWithin } from '../issues-within.js';
import { isSecretKey } from '../secret-keys.js';

/** Maximum size of an agency's settings as JSON. */
export const MAX_SETTINGS_BYTES = 64 * 1024;

/**
 * The value must be an object with any keys and values, except keys that name secrets, at any
 * depth: the platform does not protect these settings.
 */
export const IsExtraSettings = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: 'object',
      selfRequired: false,
      additionalProperties: true,
      example: { support_url: 'https://help.example.com' },
    }),
    ValidateIf((_settings, extra: unknown) => extra !== undefined),
    IsObject({ message: 'Input should be a valid dictionary' }),
    HasNoIssues('isExtraSettings', extraIssues),
  );

function extraIssues(extra: unknown): IssueWithin[] {
  if (!isRecord(extra)) return [];
  if (Buffer.byteLength(JSON.stringify(extra)) > MAX_SETTINGS_BYTES) {
    return [{ path: [], msg: `Settings may have at most ${MAX_SETTINGS_BYTES} bytes as JSON`, type: 'too_long' }];
  }
  return [...issuesIn(extra, [])];
}

function* issuesIn(value: unknown, path: (string | number)[]): Generator<IssueWithin> {
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) yield* issuesIn(item, [...path, at]);
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      const place = [...path, key];
      if (isSecretKey(key))
        yield { path: place, msg: 'A key that names a secret is not allowed in settings', type: 'value_error' };
      else yield* issuesIn(item, place);
    }
  }
}
