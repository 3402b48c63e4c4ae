import { Injectable, type NestMiddleware } from '@nestjs/common';
import { API_KEY_PREFIX, ServiceTokens } from '@platform/guards';
import type { NextFunction, Request, Response } from 'express';
import { StreamErrors } from './stream.errors.js';

/** Form of an access token: three parts in base64url (RFC 7519 section 3). */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Accepts the credential as query parameter `token`, because the `EventSource` of browsers sends no
 * headers. It can be a service token, an access token or an API key, and is moved to the matching
 * header. A second credential in a header is answered 400 `two_credentials`, an unknown token 401.
 * Logs do not contain it: paths are logged without their query.
 */
@Injectable()
export class QueryTokenMiddleware implements NestMiddleware {
  constructor(private readonly serviceTokens: ServiceTokens) {}

  use({ query, headers }: Request, _response: Response, next: NextFunction): void {
    const token: unknown = query['token'];
    if (token === undefined || token === '') {
      next();
      return;
    }
    const isNamed = [headers.authorization, headers['x-api-key'], headers['x-service-token']].some(
      (header) => header !== undefined,
    );
    if (isNamed || typeof token !== 'string') {
      next(StreamErrors.twoCredentials());
      return;
    }
    if (JWT.test(token)) headers.authorization = `Bearer ${token}`;
    else if (token.startsWith(API_KEY_PREFIX)) headers['x-api-key'] = token;
    else if (this.serviceTokens.identify(token) !== null) headers['x-service-token'] = token;
    else {
      next(StreamErrors.badToken());
      return;
    }
    next();
  }
}
