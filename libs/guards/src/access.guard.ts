import { Inject, Injectable, Optional, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { currentContext, readBody, type AppError } from '@platform/platform';
import type { Request } from 'express';
import { ACCESS, PANEL_URL, type RouteAccess } from './access.js';
import { AccessErrors } from './access.errors.js';
import {
  actorOf,
  callerName,
  hasScope,
  isAdmin,
  isProgram,
  userOf,
  type Caller,
  type ServiceCaller,
  type UserCaller,
} from './caller.js';
import { API_KEY } from './strategies/api-key.strategy.js';
import { PassportService } from './strategies/passport.service.js';
import { BEARER } from './strategies/bearer.strategy.js';
import { SERVICE_TOKEN, type ServiceTokenTerms } from './strategies/service-token.strategy.js';
import { singleHeader } from './single-header.js';
import { isUserId } from './user-id.js';

const NO_TERMS = {};

/**
 * Admits a request by the `@Access` rule of its route, and attaches the caller to it. The rule and
 * the headers select the credential; the strategy of that credential identifies the caller. A
 * request that is refused gets an AppError of `AccessErrors`, mostly 401 or 403.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly passport: PassportService,
    @Optional() @Inject(PANEL_URL) private readonly panelUrl: string | undefined,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<RouteAccess | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!access) throw new Error('A route without @Access was reached.');
    if (access.rule === 'public') return true;
    const request = context.switchToHttp().getRequest<Request>();
    if (access.rule === 'optional' && !hasCredential(request)) return true;
    const caller = await this.identify(request, access);
    this.requirePerson(caller, access);
    request.caller = caller;
    const requestContext = currentContext();
    if (requestContext) {
      requestContext.caller = callerName(caller);
      requestContext.actor = actorOf(caller);
      const sessionId = userOf(caller)?.sessionId;
      if (sessionId !== undefined) requestContext.sessionId = sessionId;
    }
    return true;
  }

  /**
   * Refuses programs (API keys, apps, command lines) on routes whose `@Access` sets `money` to true
   * or to a page of the panel.
   *
   * @throws AppError 403 `money.release_denied`, with the address of that page, if the route names
   * one.
   */
  private requirePerson(caller: Caller, { money }: RouteAccess): void {
    const user = userOf(caller);
    if (!money || !user || !isProgram(user)) return;
    throw AccessErrors.moneyDenied(
      typeof money === 'string' && this.panelUrl !== undefined ? `${this.panelUrl}${money}` : null,
    );
  }

  private async identify(request: Request, access: RouteAccess): Promise<Caller> {
    const { rule } = access;
    const { headers } = request;
    if (headers['x-acting-session'] !== undefined && headers['x-acting-user'] === undefined)
      throw AccessErrors.missingHeader('x-acting-user');
    switch (rule) {
      case 'service':
        if (headers['x-acting-user'] !== undefined) return this.refuseActingUser(request, access);
        return this.service(request, access);
      case 'serviceActingUser':
        return this.actingUser(request, access);
      case 'adminOrService': {
        const caller = await (isFromService(request) ? this.anyService(request, access) : this.user(request));
        const user = userOf(caller);
        if (user && !isAdmin(user))
          throw user.apiKeyId === undefined ? AccessErrors.adminOnly() : AccessErrors.adminsKeyOnly();
        return caller;
      }
      case 'bearer':
        return this.keyHolder(request, access);
      case 'session':
        return this.signedIn(request);
      case 'sessionOrActingUser':
        return this.namedIn(
          request,
          access,
          await (isFromService(request) ? this.service(request, access) : this.signedIn(request)),
        );
      case 'bearerOrActingUser':
        return this.namedIn(
          request,
          access,
          await (isFromService(request) ? this.service(request, access) : this.keyHolder(request, access)),
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

  private service(request: Request, access: RouteAccess): Promise<ServiceCaller> {
    return this.authenticate(SERVICE_TOKEN, request, access);
  }

  private async refuseActingUser(request: Request, access: RouteAccess): Promise<never> {
    await this.service(request, access);
    throw AccessErrors.actingUserNotAllowed();
  }

  private anyService(request: Request, access: RouteAccess): Promise<ServiceCaller> {
    return request.headers['x-acting-user'] === undefined
      ? this.service(request, access)
      : this.actingUser(request, access);
  }

  /**
   * Reads the `user_id` of the query or the body, after the credential was verified, and returns
   * the caller. For a trusted backend without `X-Acting-User`, `user_id` names the user for whom it
   * acts.
   *
   * @throws AppError 403 `other_user` if `user_id` is not the calling or acting user;
   * ValidationFailed if a backend names no user; the errors of `readBody` and of
   * `Credentials.authenticateActingUser`.
   */
  private async namedIn(request: Request, access: RouteAccess, proven: Caller): Promise<Caller> {
    const context = currentContext();
    if (context) context.caller = callerName(proven); // the memory of the body is counted under its sender
    await readBody(request);
    const named = namedUser(request);
    const caller = proven.kind === 'service' ? await this.actingUser(request, access, named) : proven;
    if (named !== undefined && named !== userOf(caller)?.userId) throw AccessErrors.otherUser();
    return caller;
  }

  private actingUser(request: Request, { permission }: RouteAccess, namedUser?: string): Promise<ServiceCaller> {
    const terms: ServiceTokenTerms = { permission, needsActingUser: true, namedUser };
    return this.authenticate(SERVICE_TOKEN, request, terms);
  }

  private async signedIn(request: Request): Promise<UserCaller> {
    const user = await this.user(request);
    if (!user.sessionId) throw AccessErrors.sessionRequired();
    return user;
  }

  /**
   * Identifies a user by an access token, or by an API key that has one of the scopes of the route.
   * An access token needs none of them.
   *
   * @throws AppError as in `user`; 403 `insufficient_scope` if the key has none of the scopes.
   */
  private async keyHolder(request: Request, { keyScopes }: RouteAccess): Promise<UserCaller> {
    const user = await this.user(request);
    if (user.apiKeyId === undefined) return user;
    const given = user.keyScopes ?? [];
    if (keyScopes.some((scope) => hasScope(given, ofPath(scope, request)))) return user;
    throw AccessErrors.keyLacksScope(keyScopes.map((scope) => ofPath(scope, request)).filter(isInWords));
  }

  /**
   * Identifies a user by their own credential: the header `x-api-key` or Authorization. The headers
   * for acting users can only repeat this user and session.
   *
   * @throws AppError 401 if the credential is missing or not accepted; 400 `two_credentials` for
   * both headers, `malformed_header` for one that is sent twice or is too long; 403 `other_user` if
   * `X-Acting-User` or `X-Acting-Session` names another user or session.
   */
  private async user(request: Request): Promise<UserCaller> {
    const strategy = request.headers['x-api-key'] === undefined ? BEARER : API_KEY;
    const user: UserCaller = await this.authenticate(strategy, request, NO_TERMS);
    const named = singleHeader(request, 'x-acting-user');
    if (named !== undefined && named !== user.userId) throw AccessErrors.otherActingUser();
    const session = singleHeader(request, 'x-acting-session');
    if (session !== undefined && session !== user.sessionId) throw AccessErrors.otherActingUser();
    return user;
  }

  /**
   * Identifies the caller with one strategy of Passport. `AuthGuard` of `@nestjs/passport` is not
   * used, because it takes the Passport of the whole process, and sets `request.user`.
   *
   * @param terms requirements of the route for the credential.
   * @throws the AppError with which the strategy refuses the request.
   */
  private authenticate<Who extends Caller>(strategy: string, request: Request, terms: object): Promise<Who> {
    return new Promise((resolve, reject) => {
      const decide = (error: unknown, caller?: Who | false | null): void => {
        if (caller) resolve(caller);
        else
          reject(
            error instanceof Error
              ? error
              : new Error(`The strategy ${strategy} refused without an error.`, { cause: error }),
          );
      };
      const run = this.passport.authenticate(strategy, terms, decide) as (
        request: Request,
        response: unknown,
        next: typeof decide,
      ) => void;
      run(request, request.res, decide);
    });
  }
}

/**
 * Fills the placeholder at the beginning of a scope such as `{app_id}:call` from the path. A value
 * that cannot be part of a scope leaves the placeholder, so that only a key with `*` has the scope.
 */
const ofPath = (scope: string, { params }: Request): string =>
  scope.replace(/^\{(\w+)\}/, (parameter, name: string) => {
    const value = params[name];
    return typeof value === 'string' && /^[a-z0-9_-]+$/.test(value) ? value : parameter;
  });

/**
 * False for a scope with a placeholder that the path did not fill; the error does not mention it.
 */
const isInWords = (scope: string): boolean => !scope.includes('{');

/**
 * The error for a missing scope. For an API key it says which one lacks the scope: the key or its
 * owner.
 */
function lacking({ apiKeyId, keyScopes = [] }: UserCaller, scope: string): AppError {
  if (apiKeyId === undefined) return AccessErrors.insufficientScope(scope);
  return hasScope(keyScopes, scope) ? AccessErrors.keyOwnerLacksScope(scope) : AccessErrors.keyLacksScope([scope]);
}

const isFromUser = ({ headers }: Request): boolean =>
  headers.authorization !== undefined || headers['x-api-key'] !== undefined;

/**
 * True for a request with a service token, and for one that names an acting user without a
 * credential of a user: it claims to come from a trusted backend, and must prove it.
 */
const isFromService = (request: Request): boolean =>
  request.headers['x-service-token'] !== undefined ||
  (request.headers['x-acting-user'] !== undefined && !isFromUser(request));

const hasCredential = (request: Request): boolean => isFromService(request) || isFromUser(request);

/**
 * Reads the `user_id` of the query or, if the query has none, of the body. Undefined if it is
 * absent or cannot be an id; the route itself refuses such a value.
 */
function namedUser({ query, body }: Request): string | undefined {
  const id: unknown = query['user_id'] ?? (body as { user_id?: unknown } | undefined)?.user_id;
  return isUserId(id) ? id : undefined;
}
