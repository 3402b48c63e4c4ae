import { applyDecorators, SetMetadata, type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { ApiBearerAuth, ApiSecurity } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Caller, UserCaller } from './caller.js';

export const ACCESS = Symbol('ACCESS');

type Scope = `${string}:${string}`;

/**
 * Who may call a route. `public`: everyone. `bearer`: a signed-in user. `service`: a trusted backend. `serviceActingUser`: a trusted
 * backend for the user in `X-Acting-User`. `adminOrService`: an administrator or a trusted backend. Otherwise a scope such as
 * `users:write`, which the signed-in user must hold.
 */
export type AccessRule = 'public' | 'bearer' | 'service' | 'serviceActingUser' | 'adminOrService' | Scope;

/** The guard of a route, its OpenAPI security entry and its documented 401 and 403, in one. A route without it refuses to boot. */
export function Access(rule: AccessRule): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(ACCESS, rule), ...documented(rule));
}

function documented(rule: AccessRule): (MethodDecorator & ClassDecorator)[] {
  switch (rule) {
    case 'public':
      return [];
    case 'service':
      return [ApiSecurity('service')];
    case 'serviceActingUser':
      return [ApiSecurity({ service: [], actingUser: [] })];
    case 'adminOrService':
      return [ApiBearerAuth('bearer'), ApiSecurity('service')];
    default:
      return [ApiBearerAuth('bearer')];
  }
}

declare module 'express' {
  interface Request {
    caller?: Caller;
  }
}

/** The user who calls; only on routes whose access guarantees one. */
export const CurrentUser = createParamDecorator((_data: unknown, context: ExecutionContext): UserCaller => {
  const caller = context.switchToHttp().getRequest<Request>().caller;
  const user = caller?.kind === 'service' ? caller.actingUser : caller;
  if (!user) throw new Error('@CurrentUser on a route that admits callers without a user');
  return user;
});
