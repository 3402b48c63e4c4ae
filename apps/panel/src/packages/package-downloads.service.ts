import { Injectable } from '@nestjs/common';
import { allowCaching, clientBucket } from '@platform/platform';
import type { Request, Response } from 'express';
import { AnswersToRead } from '../answers/answers-to-read.js';
import { ApiErrors } from '../api/api.errors.js';
import { ServedPackages, type ServedFile } from './served-packages.js';

const MEBIBYTE = 1024 * 1024;
/**
 * Limits for slow downloads. All downloads share the same bytes, so a slow client holds connections
 * but no memory. The limit is on connections per client (`answersPerSender`). A limit for all
 * clients together could be exhausted by a few of them.
 */
const UNREAD = { ms: 120_000, bytes: Infinity, bytesPerSender: 64 * MEBIBYTE, answersPerSender: 32 };
/** Caches must revalidate: an unchanged file is answered with 304 and no body. */
const ASK_AGAIN = 'public, no-cache';

/** Serves packages and their metadata. */
@Injectable()
export class PackageDownloadsService {
  private readonly answers = new AnswersToRead(UNREAD);

  constructor(private readonly packages: ServedPackages) {}

  index(response: Response): void {
    allowCaching(response, ASK_AGAIN);
    response.json(this.packages.index);
  }

  /**
   * Sends the file with this name, or the npm metadata of the package with this name. Answers 304
   * if the client has the current file.
   *
   * @throws AppError 404 `not_found` if there is neither.
   */
  send(name: string, request: Request, response: Response): void {
    const file = this.packages.find(name);
    if (!file) {
      this.describe(name, response);
      return;
    }
    allowCaching(response, ASK_AGAIN);
    response.setHeader('ETag', file.etag);
    if (hasIt(request, file)) {
      response.status(304).end();
      return;
    }
    response.type('application/gzip').setHeader('Content-Length', String(file.body.length));
    this.answers.write(clientBucket(request.ip), response, file.body);
  }

  /**
   * Sends the npm metadata of a package. @throws AppError 404 `not_found` if the platform does not
   * serve it.
   */
  describe(name: string, response: Response): void {
    const description = this.packages.describe(name);
    if (!description) throw ApiErrors.notFound();
    allowCaching(response, ASK_AGAIN);
    response.json(description);
  }
}

/**
 * True if the client has the current file: its `If-None-Match` has the ETag of the file.
 * `Cache-Control` of the request is ignored: npm also sends `no-cache`.
 */
const hasIt = ({ headers }: Request, { etag }: ServedFile): boolean =>
  (headers['if-none-match'] ?? '').split(',').some((known) => known.trim().replace(/^W\//, '') === etag);
