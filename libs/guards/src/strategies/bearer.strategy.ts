import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AccessErrors } from '../access.errors.js';
import type { UserCaller } from '../caller.js';
import { Credentials } from '../credentials.js';
import { PassportService } from './passport.service.js';
import { CredentialStrategy } from './credential-strategy.js';
import { singleHeader } from '../single-header.js';

export const BEARER = 'bearer';

/** Identifies a user by the access token or the API key in the header Authorization. */
@Injectable()
export class BearerStrategy extends CredentialStrategy(BEARER) {
  constructor(
    passport: PassportService,
    private readonly credentials: Credentials,
  ) {
    super(passport);
  }

  validate(request: Request): Promise<UserCaller> {
    const header = singleHeader(request, 'authorization');
    if (header === undefined) throw AccessErrors.notAuthenticated();
    // RFC 9110 section 11.1: the scheme is case-insensitive. RFC 6750 section 2.1: the alphabet of
    // the token.
    const token = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(header)?.[1];
    if (!token) throw AccessErrors.invalidAuthorization();
    return this.credentials.authenticateBearer(token);
  }
}
