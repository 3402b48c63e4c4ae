import { All, Controller, Delete, Get, Param, Patch, Post, Put, Req, Res } from '@nestjs/common';
import { Access } from '@platform/guards';
import { IgnoresUnknownQueryKeys } from '@platform/platform';
import type { Request, Response } from 'express';
import { PanelGatewayClient } from '../gateway/panel-gateway.client.js';
import { relay } from '../gateway/relay.js';
import { CurrentVisitor, type Visitor } from '../gateway/visitor.js';
import { SessionCookieService } from '../sessions/session-cookie.service.js';
import type { StoredSession } from '../sessions/session-store.js';
import { PanelSessionsService } from '../sessions/panel-sessions.service.js';
import { CurrentSession, SignedIn } from '../sessions/signed-in.js';
import { ApiErrors } from './api.errors.js';
import { toGatewayRequest } from './gateway-request.js';

/**
 * Routes of the gateway that pages can call, under `/api` and otherwise unchanged. Answers of the
 * gateway are passed on with their status, also refusals; without an answer, the status is 503.
 * Routes that are not listed do not exist here. No route returns a token of the gateway.
 */
@Controller('api')
export class ApiController {
  constructor(
    private readonly gateway: PanelGatewayClient,
    private readonly sessions: PanelSessionsService,
    private readonly cookie: SessionCookieService,
  ) {}

  @Get(['v1/auth/signup-status', 'v1/auth/email-available', 'v1/billing/plans', 'v1/billing/topup-config'])
  @Access('public')
  async readAsAnyone(
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    relay(await this.gateway.callPublicly(visitor, toGatewayRequest(request)), response);
  }

  @Post(['v1/auth/signup', 'v1/auth/resend-verification', 'v1/auth/forgot-password', 'v1/auth/reset-password'])
  @Access('public')
  async postAsAnyone(
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    relay(await this.gateway.callPublicly(visitor, toGatewayRequest(request)), response);
  }

  @Get([
    'v1/auth/me',
    'v1/auth/sessions',
    'v1/keys',
    'v1/billing/wallet',
    'v1/billing/wallet/history',
    'v1/billing/usage',
    'v1/billing/subscription',
    'v1/billing/auto-topup',
    'v1/billing/payment-methods',
    'v1/billing/payments',
    'v1/billing/invoices',
    'v1/billing/invoices/:invoiceId',
    'v1/me/notifications',
    'v1/me/spending',
    'v1/developer/earnings',
    'v1/developer/payouts',
    'v1/developer/payout-destination',
    'v1/webhook-endpoints',
    'v1/webhook-endpoints/:endpointId',
    'v1/webhook-endpoints/:endpointId/deliveries',
    'v1/webhook-endpoints/:endpointId/deliveries/:deliveryId',
  ])
  @SignedIn()
  async read(
    @CurrentSession() session: StoredSession,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    relay(await this.sessions.callGateway(session, visitor, toGatewayRequest(request)), response);
  }

  /**
   * Passes changes of the signed-in user on to the gateway. Some answers contain the
   * `client_secret` of a payment of the user, which their browser needs to pay, or the secret of a
   * webhook endpoint. It is passed on and never stored.
   */
  @Post([
    'v1/auth/me/change-password',
    'v1/auth/sessions/revoke-others',
    'v1/keys',
    'v1/me/notifications/read',
    'v1/developer/payouts/request',
    'v1/billing/topup',
    'v1/billing/checkout',
    'v1/billing/checkout/confirm',
    'v1/billing/cancel',
    'v1/billing/resume',
    'v1/billing/change-plan/preview',
    'v1/billing/change-plan',
    'v1/billing/renew',
    'v1/billing/payment-methods/setup',
    'v1/billing/payments/:intentId/continue',
    'v1/webhook-endpoints',
    'v1/webhook-endpoints/:endpointId/rotate-secret',
    'v1/webhook-endpoints/:endpointId/test',
    'v1/webhook-endpoints/:endpointId/replay',
    'v1/webhook-endpoints/:endpointId/deliveries/:deliveryId/replay',
  ])
  @SignedIn()
  async post(
    @CurrentSession() session: StoredSession,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    relay(await this.sessions.callGateway(session, visitor, toGatewayRequest(request)), response);
  }

  @Put([
    'v1/me/spending',
    'v1/billing/auto-topup',
    'v1/billing/profile',
    'v1/billing/payment-methods/:methodId/default',
    'v1/developer/payout-destination',
  ])
  @SignedIn()
  async put(
    @CurrentSession() session: StoredSession,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    relay(await this.sessions.callGateway(session, visitor, toGatewayRequest(request)), response);
  }

  @Patch('v1/webhook-endpoints/:endpointId')
  @SignedIn()
  async patch(
    @CurrentSession() session: StoredSession,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    relay(await this.sessions.callGateway(session, visitor, toGatewayRequest(request)), response);
  }

  @Delete(['v1/keys/:keyId', 'v1/billing/payment-methods/:methodId', 'v1/webhook-endpoints/:endpointId'])
  @SignedIn()
  async remove(
    @CurrentSession() session: StoredSession,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    relay(await this.sessions.callGateway(session, visitor, toGatewayRequest(request)), response);
  }

  /**
   * Ends a session of the user. If the gateway has ended the current session, it also signs out
   * here: it removes the session and the cookie.
   */
  @Post('v1/auth/sessions/:sessionId/revoke')
  @SignedIn()
  async revokeSession(
    @Param('sessionId') sessionId: string,
    @CurrentSession() session: StoredSession,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const answer = await this.sessions.callGateway(session, visitor, toGatewayRequest(request));
    if (answer.status === 200 && sessionId === session.gatewaySessionId) {
      await this.sessions.endSession(session, visitor);
      response.setHeader('Set-Cookie', this.cookie.clear());
    }
    relay(answer, response);
  }

  /**
   * Looks up, approves and denies logins of devices. The panel itself tells the gateway who the
   * user is, with its service token; the browser cannot choose the user.
   */
  @Post(['v1/auth/cli/device/lookup', 'v1/auth/cli/device/approve'])
  @SignedIn()
  async postAsPanel(
    @CurrentSession() session: StoredSession,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    relay(await this.sessions.actFor(session, visitor, toGatewayRequest(request)), response);
  }

  /**
   * Unknown paths under `/api` get 404 `not_found`. Without this route they would get the page for
   * all other paths.
   */
  @All(['', '*path'])
  @Access('public')
  @IgnoresUnknownQueryKeys()
  nothing(): never {
    throw ApiErrors.notFound();
  }
}
