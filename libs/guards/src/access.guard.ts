import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { currentContext, readBody, type AppError } from '@platform/platform';
import type { Request } from 'express';
import { ACCESS, type RouteAccess } from './access.js';
import { AccessErrors } from './access.errors.js';
import type { ServicePermission } from '@platform/contracts';
import { actorOf, callerName, hasScope, isAdmin, userOf, type Caller, type ServiceCaller, type UserCaller } from './caller.js';
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
    const access = this.reflector.getAllAndOverride<RouteAccess | undefined>(ACCESS, [context.getHandler(), context.getClass()]);
    if (!access) throw new Error('A route without @Access was reached.');
    if (access.rule === 'public') return true;
    const request = context.switchToHttp().getRequest<Request>();
    if (access.rule === 'optional' && !hasCredential(request)) return true;
    const caller = await this.identify(request, access);
    request.caller = caller;
    const requestContext = currentContext();
    if (requestContext) {
      requestContext.caller = callerName(caller);
      requestContext.actor = actorOf(caller);
    }
    return true;
  }

  private async identify(request: Request, access: RouteAccess): Promise<Caller> {
    const { rule } = access;
    const { headers } = request;
    if (headers['x-acting-session'] !== undefined && headers['x-acting-user'] === undefined)
      throw AccessErrors.missingHeader('x-acting-user');
    switch (rule) {
      case 'service':
        if (request.headers['x-acting-user'] !== undefined) return this.refuseActingUser(request, access);
        return this.service(request, access);
      case 'serviceActingUser':
        return this.actingUser(request, access);
      case 'adminOrService': {
        const caller = await (isFromService(request) ? this.anyService(request, access) : this.user(request));
        const user = userOf(caller);
        if (user && !isAdmin(user)) throw user.apiKeyId === undefined ? AccessErrors.adminOnly() : AccessErrors.adminsKeyOnly();
        return caller;
      }
      case 'bearer':
        return this.keyHolder(request, access);
      case 'session':
        return this.signedIn(request);
      case 'sessionOrActingUser':
        return this.namedIn(request, access, isFromService(request) ? this.service(request, access) : await this.signedIn(request));
      case 'bearerOrActingUser':
        return this.namedIn(
          request,
          access,
          isFromService(request) ? this.service(request, access) : await this.keyHolder(request, access),
        );
      case 'sessionOrService':
        return isFromService(request) ? this.anyService(request, access) : this.signedIn(request);
      case 'bearerOrService':
      case 'optional':
        return isFromService(request) ? this.anyService(request, access) : this.keyHolder(request, access);
      default: {
        const caller = await (isFromService(request) ? this.anyService(request, access) : this.user(request));
        const user = userOf(caller);
        if (user && !hasScope(user.scopes, rule)) throw lacking(user, rule);
        return caller;
      }
    }
  }

  private service(request: Request, { permission }: RouteAccess): ServiceCaller {
    const presented = singleHeader(request, 'x-service-token');
    const service = presented === undefined ? null : this.serviceTokens.identify(presented);
    if (!service) throw AccessErrors.invalidServiceToken();
    this.assertAllowed(service, permission);
    return { kind: 'service', service };
  }

  private assertAllowed(service: string, permission: ServicePermission | null): void {
    if (!permission) throw new Error('A route for service tokens without a permission was reached.');
    if (!this.serviceTokens.may(service, permission)) throw AccessErrors.serviceNotAllowed(service, permission);
  }

  private refuseActingUser(request: Request, access: RouteAccess): never {
    this.service(request, access);
    throw AccessErrors.actingUserNotAllowed();
  }

  private anyService(request: Request, access: RouteAccess): ServiceCaller | Promise<ServiceCaller> {
    return request.headers['x-acting-user'] === undefined ? this.service(request, access) : this.actingUser(request, access);
  }

  /** Whom the query or the body names counts only for who has proven to be somebody, and is the user who calls. */
  private async namedIn(request: Request, access: RouteAccess, proven: Caller): Promise<Caller> {
    await readBody(request);
    const named = namedUser(request);
    const caller = proven.kind === 'service' ? await this.actingUser(request, access, named) : proven;
    if (named !== undefined && named !== userOf(caller)?.userId) throw AccessErrors.otherUser();
    return caller;
  }

  /** @param named the user, where the header names none. */
  private async actingUser(request: Request, access: RouteAccess, named?: string): Promise<ServiceCaller> {
    const service = this.service(request, access);
    const sessionId = singleHeader(request, 'x-acting-session');
    return { ...service, actingUser: await this.credentials.actingUser(actingUserId(request, named), sessionId) };
  }

  private async signedIn(request: Request): Promise<UserCaller> {
    const user = await this.user(request);
    if (!user.sessionId) throw AccessErrors.sessionRequired();
    return user;
  }

  /** Whoever is signed in, and a key that was given what the route asks of keys. */
  private async keyHolder(request: Request, { keyScopes }: RouteAccess): Promise<UserCaller> {
    const user = await this.user(request);
    if (user.apiKeyId === undefined) return user;
    const given = user.keyScopes ?? [];
    if (keyScopes.some((scope) => hasScope(given, ofPath(scope, request)))) return user;
    throw AccessErrors.keyLacksScope(keyScopes.map((scope) => ofPath(scope, request)).filter(isInWords));
  }

  /** Who shows a credential of their own, and names nobody else beside it. */
  private async user(request: Request): Promise<UserCaller> {
    const user = await this.bearer(request);
    const named = singleHeader(request, 'x-acting-user');
    if (named !== undefined && named !== user.userId) throw AccessErrors.otherActingUser();
    const session = singleHeader(request, 'x-acting-session');
    if (session !== undefined && session !== user.sessionId) throw AccessErrors.otherActingUser();
    return user;
  }

  private bearer(request: Request): Promise<UserCaller> {
    const header = singleHeader(request, 'authorization');
    const apiKey = singleHeader(request, 'x-api-key');
    if (apiKey !== undefined) {
      if (header !== undefined) throw AccessErrors.twoCredentials();
      return this.credentials.apiKey(apiKey);
    }
    if (header === undefined) throw AccessErrors.notAuthenticated();
    // RFC 9110 section 11.1: the scheme is case-insensitive; RFC 6750 section 2.1 gives the token's alphabet.
    const token = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(header)?.[1];
    if (!token) throw AccessErrors.invalidAuthorization();
    return this.credentials.bearer(token);
  }
}

/** `{app_id}:call` with what the path says. What cannot be part of a scope stays, and no key has that. */
const ofPath = (scope: string, { params }: Request): string =>
  scope.replace(/^\{(\w+)\}/, (parameter, name: string) => {
    const value = params[name];
    return typeof value === 'string' && /^[a-z0-9_-]+$/.test(value) ? value : parameter;
  });

/** What the path cannot fill is of no use to who reads it. */
const isInWords = (scope: string): boolean => !scope.includes('{');

/** Of a key, what lacks it: the key, or its owner. */
function lacking({ apiKeyId, keyScopes = [] }: UserCaller, scope: string): AppError {
  if (apiKeyId === undefined) return AccessErrors.insufficientScope(scope);
  return hasScope(keyScopes, scope) ? AccessErrors.keyOwnerLacksScope(scope) : AccessErrors.keyLacksScope([scope]);
}

const isFromUser = ({ headers }: Request): boolean => headers.authorization !== undefined || headers['x-api-key'] !== undefined;

/** Whoever names an acting user without a credential of their own claims to be a trusted backend, and must prove it. */
const isFromService = (request: Request): boolean =>
  request.headers['x-service-token'] !== undefined || (request.headers['x-acting-user'] !== undefined && !isFromUser(request));

const hasCredential = (request: Request): boolean => isFromService(request) || isFromUser(request);

function actingUserId(request: Request, named?: string): string {
  const id = singleHeader(request, 'x-acting-user') ?? named;
  if (id === undefined) throw AccessErrors.missingHeader('x-acting-user');
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
  const value = request.headers[name];
  if (value === undefined) return undefined;
  let sent = 0;
  for (let at = 0; at < request.rawHeaders.length; at += 2) if (request.rawHeaders[at]?.toLowerCase() === name) sent++;
  if (sent > 1 || Array.isArray(value) || value.length > MAX_CREDENTIAL_LENGTH) throw AccessErrors.malformedHeader(name);
  return value;
}
