import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { LoginRequest, VerifyEmailRequest, type LoginResponse } from '@platform/contracts';
import { Access } from '@platform/guards';
import type { Request, Response } from 'express';
import { PanelGatewayClient } from '../gateway/panel-gateway.client.js';
import { relay } from '../gateway/relay.js';
import { CurrentVisitor, type Visitor } from '../gateway/visitor.js';
import { DeviceCookieService } from './device-cookie.service.js';
import { SessionCookieService } from './session-cookie.service.js';
import type { StoredSession } from './session-store.js';
import { PanelSessionsService } from './panel-sessions.service.js';
import { CurrentSession, SignedIn } from './signed-in.js';

/** Session of this browser with the panel. */
@Controller('session')
export class SessionController {
  constructor(
    private readonly gateway: PanelGatewayClient,
    private readonly sessions: PanelSessionsService,
    private readonly cookie: SessionCookieService,
    private readonly device: DeviceCookieService,
  ) {}

  /**
   * Signs in, which ends the previous session of this browser: 204, with a new cookie for the
   * session and one by which the gateway recognises the device; or the refusal of the gateway.
   */
  @Post()
  @Access('public')
  async signIn(
    @Body() body: LoginRequest,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const device = body.device_token ?? this.device.read(request);
    await this.begin(
      '/v1/auth/login',
      Object.assign({}, body, device ? { device_token: device } : {}),
      visitor,
      request,
      response,
    );
  }

  /**
   * Confirms an email address and signs in like `POST /session`: 204 and new cookies, or the
   * refusal of the gateway.
   */
  @Post('verify-email')
  @Access('public')
  async verifyEmail(
    @Body() body: VerifyEmailRequest,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.begin('/v1/auth/verify-email', body, visitor, request, response);
  }

  /** The signed-in user, as the gateway returns it. */
  @Get()
  @SignedIn()
  async whoAmI(
    @CurrentSession() session: StoredSession,
    @CurrentVisitor() visitor: Visitor,
    @Res() response: Response,
  ): Promise<void> {
    relay(await this.sessions.callGateway(session, visitor, { method: 'GET', path: '/v1/auth/me' }), response);
  }

  /** Signs out. The answer is the same if no user was signed in. */
  @Delete()
  @HttpCode(204)
  @Access('public')
  async signOut(
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    const value = this.cookie.read(request);
    if (value) await this.sessions.endByCookie(value, visitor);
    response.setHeader('Set-Cookie', this.cookie.clear());
  }

  private async begin(
    path: string,
    body: unknown,
    visitor: Visitor,
    request: Request,
    response: Response,
  ): Promise<void> {
    const answer = await this.gateway.callPublicly(visitor, { method: 'POST', path, body });
    if (answer.status !== 200) {
      relay(answer, response);
      return;
    }
    const tokens = JSON.parse(answer.body) as LoginResponse;
    const value = await this.sessions.startSession(tokens, visitor, this.cookie.read(request));
    response.setHeader('Set-Cookie', [this.cookie.issue(value), this.device.issue(tokens.device_token)]);
    response.status(204).end();
  }
}
