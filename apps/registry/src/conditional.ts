import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import { AppError, sha256 } from '@platform/platform';
import type { Request, Response } from 'express';

/** An answer as the text of its JSON, which may be in parts. Equal tags mean equal texts. */
export interface TaggedJson {
  json: string | Buffer | Buffer[];
  etag: string;
}

export const tagOf = (content: string | Buffer): string => `"${sha256(content).toString('base64url')}"`;

export function tagged(body: unknown): TaggedJson {
  const json = JSON.stringify(body);
  return { json, etag: tagOf(json) };
}

/** Answers 304 without a body where the caller has it already (`If-None-Match`). Who keeps an answer has to ask each time. */
export function sendTagged(response: Response, { json, etag }: TaggedJson): void {
  response.setHeader('Cache-Control', 'private, no-cache');
  response.removeHeader('Pragma');
  response.setHeader('Vary', 'Authorization, X-Api-Key, X-Service-Token');
  response.setHeader('ETag', etag);
  if (isKnown(response.req, etag)) response.status(304).end();
  else if (Array.isArray(json)) sendParts(response.type('json'), json);
  else response.type('json').send(json);
}

/** All with one system call. To put them together first took more time than to send them. */
function sendParts(response: Response, parts: Buffer[]): void {
  response.setHeader(
    'Content-Length',
    parts.reduce((sum, { length }) => sum + length, 0),
  );
  for (const part of parts) response.write(part);
  response.end();
}

/** Express would send the whole answer to `fetch`, which adds `Cache-Control: no-cache` to each request with a tag: a word to caches. */
function isKnown({ method, headers }: Request, etag: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return tagsIn(headers['if-none-match'] ?? '').some((tag) => tag === etag || tag === `W/${etag}` || tag === '*');
}

const tagsIn = (header: string): string[] => header.split(',').map((tag) => tag.trim());

/**
 * Of the header `If-Match` (RFC 9110 section 13.1.1); weak tags match nothing.
 *
 * @throws AppError 412 when the present state is another one.
 */
export function assertMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  if (!tagsIn(ifMatch).includes(etag)) {
    throw new AppError(412, 'precondition_failed', 'This was changed since you read it. Read it again.', { headers: { ETag: etag } });
  }
}

/** Documents a route that answers with `sendTagged`. */
export const ApiConditionalRead = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({ name: 'If-None-Match', required: false, description: 'The `ETag` of an answer that the caller still has.' }),
    ApiResponse({ status: 304, description: 'The caller has it already' }),
  );

/** Documents a route that checks `If-Match`. */
export const ApiConditionalWrite = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({ name: 'If-Match', required: false, description: 'The `ETag` of the state that the change is meant for.' }),
    ApiResponse({ status: 412, description: 'The state is another one now' }),
  );
