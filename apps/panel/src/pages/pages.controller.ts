import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { Access } from '@platform/guards';
import { allowCaching } from '@platform/platform';
import type { Request, Response } from 'express';
import { ApiErrors } from '../api/api.errors.js';
import { CONFIG, type Config } from '../config.js';
import { CONTENT_SECURITY_POLICY, PAY_PAGE_POLICY } from './content-security-policy.js';
import { WebFiles, type WebFile } from './web-files.js';

const FILE_NAME = /\.[^/]*$/;
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Placeholder in the built pay page for the address of test payments. */
const NO_TEST_PAYMENTS = 'name="test-payments" content=""';

/**
 * The front end: its files, the pay page, and one page for all other paths, whose router shows the
 * right content.
 */
@Controller()
export class PagesController {
  private readonly payPage: string;

  constructor(
    private readonly files: WebFiles,
    @Inject(CONFIG) { TEST_PAYMENTS_URL }: Config,
  ) {
    this.payPage = files.pay.replace(NO_TEST_PAYMENTS, `name="test-payments" content="${TEST_PAYMENTS_URL}"`);
  }

  /** The pay page. It is the same for all users: the browser tab knows the payment and its user. */
  @Get('pay')
  @Access('public')
  pay(@Res() response: Response): void {
    response.setHeader('Content-Security-Policy', PAY_PAGE_POLICY);
    // Different from the other pages, so that script on this page cannot reach a panel page that it
    // opens.
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin-allow-popups');
    response.type('html').send(this.payPage);
  }

  @Get('{*path}')
  @Access('public')
  page(@Req() request: Request, @Res() response: Response): void {
    const file = this.files.find(request.path);
    if (file) {
      send(file, request, response);
      return;
    }
    // A missing file of an older version must not be answered with HTML.
    if (FILE_NAME.test(request.path)) throw ApiErrors.notFound();
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    response.type('html').send(this.files.index);
  }
}

/**
 * Sends a file of the front end, compressed if the browser accepts that. Caches can keep it for a
 * year: file names contain a hash of the content, so files never change.
 */
function send({ extension, body, encoded }: WebFile, request: Request, response: Response): void {
  // Encodings are checked one by one, smallest first: given a list, Express prefers the browser's
  // order.
  const compressed = encoded.find(({ encoding }) => request.acceptsEncodings(encoding));
  const sent = compressed?.body ?? body;
  allowCaching(response, IMMUTABLE);
  response.type(extension).set({ Vary: 'Accept-Encoding', 'Content-Length': String(sent.length) });
  if (compressed) response.setHeader('Content-Encoding', compressed.encoding);
  response.end(sent);
}
