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

/** In the built page to pay: where test payments are. */
const NO_TEST_PAYMENTS = 'name="test-payments" content=""';

/** The front end: its files, the page to pay, and the one page that every other path shows, since the page itself finds out what belongs there. */
@Controller()
export class PagesController {
  private readonly payPage: string;

  constructor(
    private readonly files: WebFiles,
    @Inject(CONFIG) { TEST_PAYMENTS_URL }: Config,
  ) {
    this.payPage = files.pay.replace(NO_TEST_PAYMENTS, `name="test-payments" content="${TEST_PAYMENTS_URL}"`);
  }

  /** The same for everybody: what is paid, and for whom, the tab of the browser knows. */
  @Get('pay')
  @Access('public')
  pay(@Res() response: Response): void {
    response.setHeader('Content-Security-Policy', PAY_PAGE_POLICY);
    // Another one than that of the other pages, so that a page of the panel that is opened from here is out of reach of what runs here.
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
    // A file that an older page still asks for must not come back as HTML.
    if (FILE_NAME.test(request.path)) throw ApiErrors.notFound();
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    response.type('html').send(this.files.index);
  }
}

/** The name of every file carries a hash of its content, so it never changes. */
function send({ extension, body, encoded }: WebFile, request: Request, response: Response): void {
  // One by one: of several, Express takes the one that the browser names first, which is not the smallest.
  const compressed = encoded.find(({ encoding }) => request.acceptsEncodings(encoding));
  const sent = compressed?.body ?? body;
  allowCaching(response, IMMUTABLE);
  response.type(extension).set({ Vary: 'Accept-Encoding', 'Content-Length': String(sent.length) });
  if (compressed) response.setHeader('Content-Encoding', compressed.encoding);
  response.end(sent);
}
