import { Injectable } from '@nestjs/common';
import { allowCaching, clientBucket } from '@platform/platform';
import type { Request, Response } from 'express';
import { AnswersToRead } from '../answers/answers-to-read.js';
import { ApiErrors } from '../api/api.errors.js';
import { ServedPackages, type ServedFile } from './served-packages.js';

const MEBIBYTE = 1024 * 1024;
/**
 * Slow lines take their time. Whoever reads slowly holds connections and no memory here: all are sent the same bytes. So there is a limit for
 * each sender, of connections (`answersPerSender`), and none for all together, which a few could use up for everybody.
 */
const UNREAD = { ms: 120_000, bytes: Infinity, bytesPerSender: 64 * MEBIBYTE, answersPerSender: 32 };
/** Who has one asks whether it still is the same: the answer is 304 then, and has no body. */
const ASK_AGAIN = 'public, no-cache';

/** Answers with packages, and with what there is to know of them. */
@Injectable()
export class PackageDownloads {
  private readonly answers = new AnswersToRead(UNREAD);

  constructor(private readonly packages: ServedPackages) {}

  index(response: Response): void {
    allowCaching(response, ASK_AGAIN);
    response.json(this.packages.index);
  }

  /** The file of that name, or what npm is to know of the package of that name. @throws AppError not_found. */
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

  /** @throws AppError not_found. */
  describe(name: string, response: Response): void {
    const description = this.packages.describe(name);
    if (!description) throw ApiErrors.notFound();
    allowCaching(response, ASK_AGAIN);
    response.json(description);
  }
}

/** Whatever else it says of caches: npm says `no-cache` beside it. */
const hasIt = ({ headers }: Request, { etag }: ServedFile): boolean =>
  (headers['if-none-match'] ?? '').split(',').some((known) => known.trim().replace(/^W\//, '') === etag);
