import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Access } from '@platform/guards';
import { currentContext } from '@platform/platform';
import type { Request } from 'express';
import { SessionCookieService } from './session-cookie.service.js';
import { SessionStore, type StoredSession } from './session-store.js';
import { SessionErrors } from './sessions.errors.js';

declare module 'express' {
  interface Request {
    panelSession?: StoredSession;
  }
}

/**
 * Admits browsers whose cookie belongs to a session of the panel; others get 401 `not_signed_in`.
 * The gateway checks the session only when it is used.
 */
@Injectable()
export class SignedInGuard implements CanActivate {
  constructor(
    private readonly cookie: SessionCookieService,
    private readonly store: SessionStore,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const value = this.cookie.read(request);
    if (!value) throw SessionErrors.notSignedIn();
    const session = await this.store.findByCookie(value);
    if (!session) throw SessionErrors.notSignedIn(this.cookie.clear());
    request.panelSession = session;
    const requestContext = currentContext();
    if (requestContext) requestContext.caller = `user:${session.userId}`;
    return true;
  }
}

/**
 * Marks a route for users who are signed in to the panel; others get 401. For `@Access` the route
 * is public, since it accepts no credential in a header.
 */
export const SignedIn = (): MethodDecorator & ClassDecorator =>
  applyDecorators(Access('public'), UseGuards(SignedInGuard));

/** The session in a `@SignedIn` route. */
export const CurrentSession = createParamDecorator((_data: unknown, context: ExecutionContext): StoredSession => {
  const { panelSession } = context.switchToHttp().getRequest<Request>();
  if (!panelSession) throw new Error('@CurrentSession is used on a route without @SignedIn');
  return panelSession;
});
