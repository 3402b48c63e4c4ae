import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { HasNoIssues, isRecord, type IssueWithin } from '../issues-within.js';

/** A JSON object of any keys, at most so long as JSON. */
export const IsJsonObject = (maxBytes: number): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: 'object', additionalProperties: true }),
    IsObject({ message: 'Input should be a valid dictionary' }),
    HasNoIssues('isJsonObject', (value) => (isRecord(value) ? objectIssues(value, maxBytes) : [])),
  );

function objectIssues(value: Record<string, unknown>, maxBytes: number): IssueWithin[] {
  if (Buffer.byteLength(JSON.stringify(value)) > maxBytes) {
    return [{ path: [], msg: `Input should have at most ${maxBytes} bytes as JSON`, type: 'too_long' }];
  }
  return numbersBeyondDoubles(value);
}

/** `1e400` is read as infinity, which JSON cannot say. The places are looked for where there is one: nearly always there is none. */
export function numbersBeyondDoubles(value: unknown): IssueWithin[] {
  return hasInfinity(value) ? [...infinitiesIn(value, [])] : [];
}

const isInfinite = (value: unknown): boolean => typeof value === 'number' && !Number.isFinite(value);

function hasInfinity(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasInfinity);
  return isRecord(value) ? Object.values(value).some(hasInfinity) : isInfinite(value);
}

function* infinitiesIn(value: unknown, path: (string | number)[]): Generator<IssueWithin> {
  if (isInfinite(value)) yield { path, msg: 'Input should be a finite number', type: 'finite_number' };
  else if (Array.isArray(value)) for (const [at, item] of value.entries()) yield* infinitiesIn(item, [...path, at]);
  else if (isRecord(value)) for (const [key, item] of Object.entries(value)) yield* infinitiesIn(item, [...path, key]);
}
