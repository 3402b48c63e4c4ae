import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import { AppError, sha256 } from '@platform/platform';
import type { Request, Response } from 'express';

/** JSON text of an answer, whole or in parts, with its ETag. Equal ETags mean equal texts. */
export interface TaggedJson {
  json: string | Buffer | Buffer[];
  etag: string;
}

export const etagOf = (content: string | Buffer): string => `"${sha256(content).toString('base64url')}"`;

export function withEtag(body: unknown): TaggedJson {
  const json = JSON.stringify(body);
  return { json, etag: etagOf(json) };
}

/**
 * Sends the answer, or 304 without a body if `If-None-Match` of a GET or HEAD contains its ETag.
 * Caches must ask the registry again at each use.
 */
export function sendTagged(response: Response, { json, etag }: TaggedJson): void {
  response.setHeader('Cache-Control', 'private, no-cache');
  response.removeHeader('Pragma');
  response.setHeader('Vary', 'Authorization, X-Api-Key, X-Service-Token');
  response.setHeader('ETag', etag);
  if (isKnown(response.req, etag)) response.status(304).end();
  else if (Array.isArray(json)) sendParts(response.type('json'), json);
  else response.type('json').send(json);
}

/**
 * Sends all parts of an answer, and ends it. It makes one system call: joining the parts first took
 * more time than sending them.
 */
function sendParts(response: Response, parts: Buffer[]): void {
  response.setHeader(
    'Content-Length',
    parts.reduce((sum, { length }) => sum + length, 0),
  );
  for (const part of parts) response.write(part);
  response.end();
}

/**
 * True if `If-None-Match` of a GET or HEAD contains this ETag or `*`. Express would ignore the ETag
 * of a request of `fetch`, which adds `Cache-Control: no-cache`.
 */
function isKnown({ method, headers }: Request, etag: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return tagsIn(headers['if-none-match'] ?? '').some((tag) => tag === etag || tag === `W/${etag}` || tag === '*');
}

const tagsIn = (header: string): string[] => header.split(',').map((tag) => tag.trim());

/**
 * Checks the header `If-Match` (RFC 9110 section 13.1.1). A request without it, or with `*`,
 * passes. A weak ETag never matches.
 *
 * @throws AppError 412 `precondition_failed` if the header does not contain `etag`, the ETag of the
 * current state.
 */
export function assertMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  if (!tagsIn(ifMatch).includes(etag)) {
    throw new AppError(412, 'precondition_failed', 'This was changed since you read it. Read it again.', {
      headers: { ETag: etag },
    });
  }
}

/** Documents a route that answers with `sendTagged`. */
export const ApiConditionalRead = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The `ETag` of an earlier answer that the caller has kept.',
    }),
    ApiResponse({ status: 304, description: 'Not modified: the answer of this ETag is still current' }),
  );

/** Documents a route that checks `If-Match`. */
export const ApiConditionalWrite = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'If-Match',
      required: false,
      description: 'The `ETag` of the state to change; a changed state is refused.',
    }),
    ApiResponse({ status: 412, description: 'The state has changed and has another ETag' }),
  );
