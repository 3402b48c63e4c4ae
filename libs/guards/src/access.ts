import { applyDecorators, SetMetadata, type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { ApiBearerAuth, ApiSecurity } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Caller, UserCaller } from './caller.js';

export const ACCESS = Symbol('ACCESS');

type Scope = `${string}:${string}`;

/**
 * Who may call a route. `public`: everyone. `optional`: everyone too, and who sends a credential must send a good one and is known.
 * `bearer`: a user, by access token or API key. `session`: a signed-in user, by access token only, for what a leaked key must not do.
 * `service`: a trusted backend. `serviceActingUser`: a trusted backend for the user in `X-Acting-User`. `sessionOrActingUser`: such a
 * backend, or a signed-in user. `bearerOrActingUser`: a user, or a trusted backend for the user in `X-Acting-User` or, without the header,
 * in `user_id` of the query or the body. `sessionOrService`, `bearerOrService`, `adminOrService`: a user, who must be
 * an administrator in the last case, or a trusted backend with or without an acting user. Otherwise a scope such as `users:write`, which
 * a user must hold and a trusted backend need not.
 */
export type AccessRule =
  | 'public'
  | 'optional'
  | 'bearer'
  | 'session'
  | 'service'
  | 'serviceActingUser'
  | 'sessionOrActingUser'
  | 'bearerOrActingUser'
  | 'sessionOrService'
  | 'bearerOrService'
  | 'adminOrService'
  | Scope;

/** The guard of a route, its OpenAPI security entry and its documented 401 and 403, in one. A route without it refuses to boot. */
export function Access(rule: AccessRule): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(ACCESS, rule), ...documented(rule));
}

function documented(rule: AccessRule): (MethodDecorator & ClassDecorator)[] {
  switch (rule) {
    case 'public':
      return [];
    case 'optional':
      return [...documented('bearerOrService'), ApiSecurity({})];
    case 'service':
      return [ApiSecurity('service')];
    case 'serviceActingUser':
      return [ApiSecurity({ service: [], actingUser: [] })];
    case 'sessionOrActingUser':
      return [ApiBearerAuth('bearer'), ApiSecurity({ service: [], actingUser: [] })];
    case 'bearerOrActingUser':
      return [ApiBearerAuth('bearer'), ApiSecurity('apiKey'), ApiSecurity({ service: [], actingUser: [] })];
    case 'adminOrService':
    case 'sessionOrService':
      return [ApiBearerAuth('bearer'), ApiSecurity('service')];
    case 'session':
      return [ApiBearerAuth('bearer')];
    case 'bearer':
      return [ApiBearerAuth('bearer'), ApiSecurity('apiKey')];
    default:
      return [ApiBearerAuth('bearer'), ApiSecurity('apiKey'), ApiSecurity('service')];
  }
}

declare module 'express' {
  interface Request {
    caller?: Caller;
  }
}

/** Whoever calls; not on `public` routes. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<Request>();
  if (!caller) throw new Error('@CurrentCaller on a route that admits everyone');
  return caller;
});

/** The user who calls; only on routes whose access guarantees one. */
export const CurrentUser = createParamDecorator((_data: unknown, context: ExecutionContext): UserCaller => {
  const user = userOf(context);
  if (!user) throw new Error('@CurrentUser on a route that admits callers without a user');
  return user;
});

/** The user who calls, or null; for routes with the access `optional`. */
export const MaybeUser = createParamDecorator((_data: unknown, context: ExecutionContext): UserCaller | null => userOf(context) ?? null);

function userOf(context: ExecutionContext): UserCaller | undefined {
  const { caller } = context.switchToHttp().getRequest<Request>();
  return caller?.kind === 'service' ? caller.actingUser : caller;
}
