import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  RegisterSessionRequest,
  RevokeOtherSessionsResponse,
  RevokeSessionResponse,
  SessionIdResponse,
  SessionListResponse,
  SessionValidResponse,
} from '@platform/contracts';
import { Access, CurrentCaller, CurrentUser, type Caller, type UserCaller } from '@platform/guards';
import { RefusesUnknownQueryKeys } from '@platform/platform';
import { CurrentClient, type Client } from './client.js';
import { UserSessionsService } from './user-sessions.service.js';

@ApiTags('Sessions')
@Controller('v1/auth/sessions')
export class SessionsController {
  constructor(private readonly sessions: UserSessionsService) {}

  /** Lists the active sessions of the user, last seen first. */
  @Get()
  @Access('sessionOrActingUser', { permission: 'sessions' })
  @RefusesUnknownQueryKeys()
  listSessions(@CurrentUser() user: UserCaller): Promise<SessionListResponse> {
    return this.sessions.listSessions(user);
  }

  /**
   * Ends all other sessions of the user, and returns their number. If a backend calls for the user,
   * it ends all sessions.
   */
  @Post('revoke-others')
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'sessions' })
  revokeOtherSessions(@CurrentUser() user: UserCaller): Promise<RevokeOtherSessionsResponse> {
    return this.sessions.revokeOtherSessions(user);
  }

  /**
   * Registers a session that a client manages itself, so that it is listed and can be revoked. It
   * gets no tokens. A user has at most 25 of them, in addition to logins; a new one replaces the
   * one that was idle longest. Limit: 30 per hour and user. 404 `user.not_found` if the user does
   * not exist or is deactivated, 422 if `user_id` names another user than the caller.
   */
  @Post('register')
  @HttpCode(200)
  @Access('sessionOrService', { permission: 'panel-sign-in' })
  registerSession(
    @CurrentCaller() caller: Caller,
    @Body() request: RegisterSessionRequest,
    @CurrentClient() client: Client,
  ): Promise<SessionIdResponse> {
    return this.sessions.registerSession(caller, request, client);
  }

  /**
   * Ends a session of the user. Every process of the gateway refuses it immediately, or within 5 s
   * if a notification is lost. A retry gets the same answer. 404 `session.not_found` if the user
   * has no such session.
   */
  @Post(':session_id/revoke')
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'sessions' })
  revokeSession(
    @CurrentUser() user: UserCaller,
    @Param('session_id') sessionId: string,
  ): Promise<RevokeSessionResponse> {
    return this.sessions.revokeSession(user, sessionId);
  }

  /**
   * Tells if a session can still be used. The check counts as use, so a session that is checked
   * does not become idle. 404 `session.not_found` if the session does not exist or belongs to
   * another user.
   */
  @Get(':session_id/valid')
  @Access('sessionOrService', { permission: 'sessions' })
  isSessionValid(
    @CurrentCaller() caller: Caller,
    @Param('session_id') sessionId: string,
  ): Promise<SessionValidResponse> {
    return this.sessions.checkSessionValidity(caller, sessionId);
  }
}
