import { Injectable } from '@nestjs/common';
import type { ServicePermission } from '@platform/contracts';
import type { Request } from 'express';
import { AccessErrors } from '../access.errors.js';
import type { ServiceCaller } from '../caller.js';
import { Credentials } from '../credentials.js';
import { ServiceTokens } from '../service-tokens.js';
import { PassportService } from './passport.service.js';
import { CredentialStrategy } from './credential-strategy.js';
import { singleHeader } from '../single-header.js';
import { isUserId } from '../user-id.js';

export const SERVICE_TOKEN = 'service-token';

/** Requirements of a route for a service token. */
export interface ServiceTokenTerms {
  /** Permission that the token must have. */
  permission: ServicePermission | null;
  /** True if the service must act for a user, named in `X-Acting-User`. */
  needsActingUser?: boolean;
  /** The user, if the header names none. */
  namedUser?: string | undefined;
}

/**
 * Identifies a backend by the token in the header `X-Service-Token`, and the user for whom it acts.
 */
@Injectable()
export class ServiceTokenStrategy extends CredentialStrategy(SERVICE_TOKEN) {
  constructor(
    passport: PassportService,
    private readonly serviceTokens: ServiceTokens,
    private readonly credentials: Credentials,
  ) {
    super(passport);
  }

  async validate(
    request: Request,
    { permission, needsActingUser, namedUser }: ServiceTokenTerms,
  ): Promise<ServiceCaller> {
    const service = this.service(request, permission);
    if (!needsActingUser) return { kind: 'service', service };
    const sessionId = singleHeader(request, 'x-acting-session');
    const actingUser = await this.credentials.authenticateActingUser(actingUserId(request, namedUser), sessionId);
    return { kind: 'service', service, actingUser };
  }

  private service(request: Request, permission: ServicePermission | null): string {
    const presented = singleHeader(request, 'x-service-token');
    const service = presented === undefined ? null : this.serviceTokens.identify(presented);
    if (!service) throw AccessErrors.invalidServiceToken();
    if (!permission) throw new Error('A route for service tokens without a permission was reached.');
    if (!this.serviceTokens.hasPermission(service, permission))
      throw AccessErrors.serviceNotAllowed(service, permission);
    return service;
  }
}

function actingUserId(request: Request, named: string | undefined): string {
  const id = singleHeader(request, 'x-acting-user') ?? named;
  if (id === undefined) throw AccessErrors.missingHeader('x-acting-user');
  if (!isUserId(id)) throw AccessErrors.malformedHeader('X-Acting-User');
  return id;
}
