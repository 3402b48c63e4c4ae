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
import { SessionList } from './session-list.js';

@ApiTags('Sessions')
@Controller('v1/auth/sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionList) {}

  /** Where the user is signed in. */
  @Get()
  @Access('sessionOrActingUser', { permission: 'sessions' })
  @RefusesUnknownQueryKeys()
  listSessions(@CurrentUser() user: UserCaller): Promise<SessionListResponse> {
    return this.sessions.list(user);
  }

  /** Signs out everywhere but here. */
  @Post('revoke-others')
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'sessions' })
  revokeOtherSessions(@CurrentUser() user: UserCaller): Promise<RevokeOtherSessionsResponse> {
    return this.sessions.revokeOthers(user);
  }

  /**
   * Enters a session that a client keeps by other means, so that it is listed and can be revoked. It gets no tokens. A user
   * has 25 of them at most, beside the sign-ins; the one that was idle longest makes room. 30 an hour for each user.
   */
  @Post('register')
  @HttpCode(200)
  @Access('sessionOrService', { permission: 'panel-sign-in' })
  registerSession(
    @CurrentCaller() caller: Caller,
    @Body() request: RegisterSessionRequest,
    @CurrentClient() client: Client,
  ): Promise<SessionIdResponse> {
    return this.sessions.register(caller, request, client);
  }

  /** Ends a session: it is refused by every process of the gateway at once, or within 5 s should a notification be lost. */
  @Post(':session_id/revoke')
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'sessions' })
  revokeSession(@CurrentUser() user: UserCaller, @Param('session_id') sessionId: string): Promise<RevokeSessionResponse> {
    return this.sessions.revoke(user, sessionId);
  }

  /** Whether a session may still be used. */
  @Get(':session_id/valid')
  @Access('sessionOrService', { permission: 'sessions' })
  isSessionValid(@CurrentCaller() caller: Caller, @Param('session_id') sessionId: string): Promise<SessionValidResponse> {
    return this.sessions.validity(caller, sessionId);
  }
}
