import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { currentContext, readBody } from '@platform/platform';
import type { Request } from 'express';
import { ACCESS, type AccessRule } from './access.js';
import { AccessErrors } from './access.errors.js';
import { actorOf, callerName, hasScope, isAdmin, type Caller, type ServiceCaller, type UserCaller } from './caller.js';
import { Credentials } from './credentials.js';
import { ServiceTokens } from './service-tokens.js';

const MAX_CREDENTIAL_LENGTH = 8 * 1024;
const MAX_USER_ID_LENGTH = 64;

/** Admits a request by the `@Access` rule of its route and attaches the caller to it. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(ServiceTokens) private readonly serviceTokens: ServiceTokens,
    @Inject(Credentials) private readonly credentials: Credentials,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS, [context.getHandler(), context.getClass()]);
    if (rule === 'public') return true;
    if (!rule) throw new Error('A route without @Access was reached.');
    const request = context.switchToHttp().getRequest<Request>();
    if (rule === 'optional' && !hasCredential(request)) return true;
    const caller = await this.identify(request, rule);
    request.caller = caller;
    const requestContext = currentContext();
    if (requestContext) {
      requestContext.caller = callerName(caller);
      requestContext.actor = actorOf(caller);
    }
    return true;
  }

  private async identify(request: Request, rule: AccessRule): Promise<Caller> {
    switch (rule) {
      case 'service':
        return this.service(request);
      case 'serviceActingUser':
        return this.actingUser(request);
      case 'adminOrService': {
        if (isFromService(request)) return this.anyService(request);
        const user = await this.user(request);
        if (!isAdmin(user)) throw AccessErrors.adminOnly();
        return user;
      }
      case 'bearer':
        return this.user(request);
      case 'session':
        return this.signedIn(request);
      case 'sessionOrActingUser':
        return isFromService(request) ? this.actingUser(request) : this.signedIn(request);
      case 'bearerOrActingUser': {
        // Whom the body names counts only for who has proven to be somebody.
        const proven = isFromService(request) ? this.service(request) : await this.user(request);
        await readBody(request);
        const named = namedUser(request);
        const caller = proven.kind === 'service' ? await this.actingUser(request, named) : proven;
        const user = caller.kind === 'service' ? caller.actingUser : caller;
        if (named !== undefined && named !== user?.userId) throw AccessErrors.otherUser();
        return caller;
      }
      case 'sessionOrService':
        return isFromService(request) ? this.anyService(request) : this.signedIn(request);
      case 'bearerOrService':
      case 'optional':
        return isFromService(request) ? this.anyService(request) : this.user(request);
      default: {
        if (isFromService(request)) return this.anyService(request);
        const user = await this.user(request);
        if (!hasScope(user.scopes, rule)) throw AccessErrors.insufficientScope(rule);
        return user;
      }
    }
  }

  private service(request: Request): ServiceCaller {
    const presented = singleHeader(request, 'x-service-token');
    const service = presented === undefined ? null : this.serviceTokens.identify(presented);
    if (!service) throw AccessErrors.invalidServiceToken();
    return { kind: 'service', service };
  }

  private anyService(request: Request): ServiceCaller | Promise<ServiceCaller> {
    return request.headers['x-acting-user'] === undefined ? this.service(request) : this.actingUser(request);
  }

  /** @param named the user, where the header names none. */
  private async actingUser(request: Request, named?: string): Promise<ServiceCaller> {
    return { ...this.service(request), actingUser: await this.credentials.actingUser(actingUserId(request, named)) };
  }

  private async signedIn(request: Request): Promise<UserCaller> {
    const user = await this.user(request);
    if (!user.sessionId) throw AccessErrors.sessionRequired();
    return user;
  }

  private user(request: Request): Promise<UserCaller> {
    const header = singleHeader(request, 'authorization');
    const apiKey = singleHeader(request, 'x-api-key');
    if (apiKey !== undefined) {
      if (header !== undefined) throw AccessErrors.twoCredentials();
      return this.credentials.apiKey(apiKey);
    }
    if (header === undefined) throw AccessErrors.notAuthenticated();
    // RFC 9110 section 11.1: the scheme is case-insensitive; RFC 6750 section 2.1 gives the token's alphabet.
    const token = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(header)?.[1];
    if (!token) throw AccessErrors.invalidToken('Invalid Authorization header');
    return this.credentials.bearer(token);
  }
}

/** Whoever names an acting user claims to be a trusted backend, and must prove it. */
const isFromService = ({ headers }: Request): boolean => headers['x-service-token'] !== undefined || headers['x-acting-user'] !== undefined;

const hasCredential = (request: Request): boolean =>
  isFromService(request) || request.headers.authorization !== undefined || request.headers['x-api-key'] !== undefined;

function actingUserId(request: Request, named?: string): string {
  const id = singleHeader(request, 'x-acting-user') ?? named;
  if (!isUserId(id)) throw AccessErrors.malformedHeader('X-Acting-User');
  return id;
}

/** The user that a request says it is about. What cannot be an id is left to the route to refuse. */
function namedUser({ query, body }: Request): string | undefined {
  const id: unknown = query['user_id'] ?? (body as { user_id?: unknown } | undefined)?.user_id;
  return isUserId(id) ? id : undefined;
}

const isUserId = (id: unknown): id is string => typeof id === 'string' && id.length <= MAX_USER_ID_LENGTH && /^[\w-]+$/.test(id);

/** A credential that is sent twice could be read as either one, so it is refused. Node joins some repeated headers with a comma. */
function singleHeader(request: Request, name: string): string | undefined {
  const sent = request.rawHeaders.filter((_value, at) => at % 2 === 0 && request.rawHeaders[at]?.toLowerCase() === name).length;
  const value = request.headers[name];
  if (sent > 1 || Array.isArray(value) || (value && value.length > MAX_CREDENTIAL_LENGTH)) throw AccessErrors.malformedHeader(name);
  return value;
}
