import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AccessErrors } from '../access.errors.js';
import type { UserCaller } from '../caller.js';
import { Credentials } from '../credentials.js';
import { PassportService } from './passport.service.js';
import { CredentialStrategy } from './credential-strategy.js';
import { singleHeader } from '../single-header.js';

export const API_KEY = 'api-key';

/**
 * Identifies a user by the API key in the header `x-api-key`. The header Authorization must be
 * absent.
 */
@Injectable()
export class ApiKeyStrategy extends CredentialStrategy(API_KEY) {
  constructor(
    passport: PassportService,
    private readonly credentials: Credentials,
  ) {
    super(passport);
  }

  validate(request: Request): Promise<UserCaller> {
    const authorization = singleHeader(request, 'authorization');
    const key = singleHeader(request, 'x-api-key');
    if (key === undefined) throw AccessErrors.notAuthenticated();
    if (authorization !== undefined) throw AccessErrors.twoCredentials();
    return this.credentials.authenticateApiKey(key);
  }
}
