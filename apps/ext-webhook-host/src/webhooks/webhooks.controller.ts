import { applyDecorators, Controller, Delete, Get, Options, Patch, Post, Put, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '@platform/guards';
import type { Request, Response } from 'express';
import { WebhookReceiver } from './webhook-receiver.js';

const ANSWERS: [status: number, description: string][] = [
  [200, 'Or another status: what the handler answers'],
  [202, 'The webhook has an inbox: the request is stored and will be handled'],
  [404, 'There is no such webhook'],
  [405, 'The webhook takes another method'],
  [408, 'The body came too slowly'],
  [413, 'The body is larger than 10 MiB'],
  [500, 'The handler failed'],
  [502, 'The handler gave no valid response'],
  [503, 'The service or the inbox has no room; try again'],
  [504, 'The handler took longer than 10 s'],
];

const WebhookRoute = () =>
  applyDecorators(
    Access('public'),
    ApiParam({ name: 'app_id', type: String, description: 'The app' }),
    ApiParam({ name: 'path', type: String, description: 'The path that the app has registered; it may have slashes in it' }),
    ...ANSWERS.map(([status, description]) => ApiResponse({ status, description })),
  );

const AnyBody = () =>
  applyDecorators(ApiConsumes('*/*'), ApiBody({ description: 'Of any type, to the byte', required: false, schema: {} }));

/** What other systems send to published apps. The platform knows no sender: each handler verifies the signature itself. */
@ApiTags('Inbound extension webhook')
@Controller('v1/ext/:app_id/webhook')
export class WebhooksController {
  constructor(private readonly receiver: WebhookReceiver) {}

  /** Hands a GET to a webhook of an app, such as an OAuth redirect or the one-time check of an address; a HEAD is one whose answer has no body. */
  @Get('*path')
  @WebhookRoute()
  async getWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receive(request, response);
  }

  /** Hands a POST to a webhook of an app, as most senders send them. */
  @Post('*path')
  @WebhookRoute()
  @AnyBody()
  async postWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receive(request, response);
  }

  /** Hands a PUT to a webhook of an app that is registered for it. */
  @Put('*path')
  @WebhookRoute()
  @AnyBody()
  async putWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receive(request, response);
  }

  /** Hands a PATCH to a webhook of an app that is registered for it. */
  @Patch('*path')
  @WebhookRoute()
  @AnyBody()
  async patchWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receive(request, response);
  }

  /** Hands an OPTIONS to a webhook of an app that is registered for it. Without such a webhook, `Allow` of the answer has the methods of the path. */
  @Options('*path')
  @WebhookRoute()
  @ApiResponse({ status: 204, description: 'No webhook of the path takes OPTIONS; `Allow` has the methods that others take' })
  async optionsWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receive(request, response);
  }

  /** Hands a DELETE to a webhook of an app that is registered for it. */
  @Delete('*path')
  @WebhookRoute()
  @AnyBody()
  async deleteWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receive(request, response);
  }
}

/**
 * The same for apps that are not published: drafts, and those that are under review. They answer here for their developer to try, and nowhere
 * once they are published, when the address is the one without `draft`.
 */
@ApiTags('Inbound extension webhook')
@Controller('v1/ext/:app_id/draft/webhook')
export class DraftWebhooksController {
  constructor(private readonly receiver: WebhookReceiver) {}

  /** Hands a GET to a webhook of an app that is not published, such as an OAuth redirect or the one-time check of an address; a HEAD is one whose answer has no body. */
  @Get('*path')
  @WebhookRoute()
  async getDraftWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receive(request, response);
  }

  /** Hands a POST to a webhook of an app that is not published, as most senders send them. */
  @Post('*path')
  @WebhookRoute()
  @AnyBody()
  async postDraftWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receive(request, response);
  }

  /** Hands a PUT to a webhook of an app that is not published that is registered for it. */
  @Put('*path')
  @WebhookRoute()
  @AnyBody()
  async putDraftWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receive(request, response);
  }

  /** Hands a PATCH to a webhook of an app that is not published that is registered for it. */
  @Patch('*path')
  @WebhookRoute()
  @AnyBody()
  async patchDraftWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receive(request, response);
  }

  /** Hands an OPTIONS to a webhook of an app that is not published. Without a webhook that is registered for it, `Allow` of the answer has the methods of the path. */
  @Options('*path')
  @WebhookRoute()
  @ApiResponse({ status: 204, description: 'No webhook of the path takes OPTIONS; `Allow` has the methods that others take' })
  async optionsDraftWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receive(request, response);
  }

  /** Hands a DELETE to a webhook of an app that is not published that is registered for it. */
  @Delete('*path')
  @WebhookRoute()
  @AnyBody()
  async deleteDraftWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receive(request, response);
  }
}
