import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { CONFIG, type Config } from '../config.js';
import { CsrfErrors } from './csrf.errors.js';
import { FOR_OWN_PAGES } from './for-own-pages.js';
import { OPEN_TO_OTHER_SITES } from './open-to-other-sites.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses requests that change something with 403 `csrf`, unless a page of the panel itself sent
 * them, as JSON. Browsers put the origin into `Sec-Fetch-Site`, which pages cannot forge
 * (https://www.w3.org/TR/fetch-metadata/), and older browsers into `Origin`. Routes with
 * `OpenToOtherSites` are not checked. Read-only routes are checked only with `ForOwnPages`.
 */
@Injectable()
export class SameOriginGuard implements CanActivate {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (SAFE_METHODS.has(request.method)) return this.mayRead(context, request);
    if (this.reflector.get(OPEN_TO_OTHER_SITES, context.getHandler())) return true;
    if (!this.isSameOrigin(request) || !isJson(request)) throw CsrfErrors.refused();
    return true;
  }

  /**
   * Allows a read, unless its route is `ForOwnPages` and a page of another site sent it. Browsers
   * send no `Origin` with same-site reads. Requests with neither header are allowed, since the
   * cookie is `SameSite`.
   *
   * @throws AppError 403 `csrf` for a page of another site.
   */
  private mayRead(context: ExecutionContext, request: Request): boolean {
    if (!this.reflector.get(FOR_OWN_PAGES, context.getHandler())) return true;
    const { origin, 'sec-fetch-site': site } = request.headers;
    if ((site ?? origin) !== undefined && !this.isSameOrigin(request)) throw CsrfErrors.refused();
    return true;
  }

  private isSameOrigin({ headers }: Request): boolean {
    const site = headers['sec-fetch-site'];
    return site === undefined ? headers.origin === this.config.PUBLIC_URL : site === 'same-origin';
  }
}

/**
 * True if the content type is JSON. Checked for requests without a body too, since a form can send
 * those.
 */
const isJson = ({ headers }: Request): boolean => /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
