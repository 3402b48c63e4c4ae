import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { HasNoIssues, isRecord, type IssueWithin } from '../issues-within.js';

/** The value must be an object with any keys, of at most `maxBytes` as JSON. */
export const IsJsonObject = (maxBytes: number): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'object', additionalProperties: true }),
    IsObject({ message: 'Input should be a valid dictionary' }),
    HasNoIssues('isJsonObject', (value) => (isRecord(value) ? objectIssues(value, maxBytes) : [])),
  );

function objectIssues(value: Record<string, unknown>, maxBytes: number): IssueWithin[] {
  if (Buffer.byteLength(JSON.stringify(value)) <= maxBytes) return [];
  return [{ path: [], msg: `Input should have at most ${maxBytes} bytes as JSON`, type: 'too_long' }];
}
