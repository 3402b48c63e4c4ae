import { applyDecorators, Controller, Delete, Get, Options, Patch, Post, Put, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '@platform/guards';
import type { Request, Response } from 'express';
import { WebhookReceiverService } from './webhook-receiver.service.js';

const ANSWERS: [status: number, description: string][] = [
  [200, 'Answer of the handler, which can also have another status'],
  [202, 'The webhook has an inbox: the request is stored and will be handled'],
  [404, 'There is no such webhook'],
  [405, 'The webhook accepts only other methods'],
  [408, 'The body arrived too slowly'],
  [413, 'The body is larger than 10 MiB'],
  [500, 'The handler failed'],
  [502, 'The handler returned no valid response'],
  [503, 'The service or the inbox is full; try again later'],
  [504, 'The handler took longer than 10 s'],
];

const WebhookRoute = () =>
  applyDecorators(
    Access('public'),
    ApiParam({ name: 'app_id', type: String, description: 'Id of the app' }),
    ApiParam({ name: 'path', type: String, description: 'Path of the webhook in the app; it can contain slashes' }),
    ...ANSWERS.map(([status, description]) => ApiResponse({ status, description })),
  );

const AnyBody = () =>
  applyDecorators(
    ApiConsumes('*/*'),
    ApiBody({ description: 'Any content type; the handler gets the exact bytes', required: false, schema: {} }),
  );

/**
 * Receives requests of other systems to published apps. The platform does not know the senders:
 * each handler verifies the signature itself.
 */
@ApiTags('Inbound extension webhook')
@Controller('v1/ext/:app_id/webhook')
export class HostWebhooksController {
  constructor(private readonly receiver: WebhookReceiverService) {}

  /**
   * Passes a GET request to a webhook of an app, such as an OAuth redirect or the one-time check of
   * an address. A HEAD request gets the same answer without a body. Answers 404 `webhook.not_found`
   * if the path has no webhook, and 405 `method_not_allowed` if its webhooks do not accept GET.
   */
  @Get('*path')
  @WebhookRoute()
  async getWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receiveRequest(request, response);
  }

  /**
   * Passes a POST request to a webhook of an app. Most senders use POST. Answers 404
   * `webhook.not_found` if the path has no webhook, and 405 `method_not_allowed` if its webhooks do
   * not accept POST.
   */
  @Post('*path')
  @WebhookRoute()
  @AnyBody()
  async postWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receiveRequest(request, response);
  }

  /**
   * Passes a PUT request to a webhook of an app that accepts PUT. Answers 404 `webhook.not_found`
   * if the path has no webhook, and 405 `method_not_allowed` if its webhooks do not accept PUT.
   */
  @Put('*path')
  @WebhookRoute()
  @AnyBody()
  async putWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receiveRequest(request, response);
  }

  /**
   * Passes a PATCH request to a webhook of an app that accepts PATCH. Answers 404
   * `webhook.not_found` if the path has no webhook, and 405 `method_not_allowed` if its webhooks do
   * not accept PATCH.
   */
  @Patch('*path')
  @WebhookRoute()
  @AnyBody()
  async patchWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receiveRequest(request, response);
  }

  /**
   * Passes an OPTIONS request to a webhook of an app that accepts OPTIONS. If no webhook of the
   * path does, the header `Allow` of the answer lists the methods of the path. Answers 404
   * `webhook.not_found` if the path has no webhook.
   */
  @Options('*path')
  @WebhookRoute()
  @ApiResponse({
    status: 204,
    description: 'No webhook of the path accepts OPTIONS; `Allow` lists the accepted methods',
  })
  async optionsWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receiveRequest(request, response);
  }

  /**
   * Passes a DELETE request to a webhook of an app that accepts DELETE. Answers 404
   * `webhook.not_found` if the path has no webhook, and 405 `method_not_allowed` if its webhooks do
   * not accept DELETE.
   */
  @Delete('*path')
  @WebhookRoute()
  @AnyBody()
  async deleteWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receiveRequest(request, response);
  }
}

/**
 * Receives requests of other systems to apps that are not published: drafts, and apps that are
 * under review. Their developers can try them here, while the app is not suspended. A published app
 * answers only at the address without `draft`.
 */
@ApiTags('Inbound extension webhook')
@Controller('v1/ext/:app_id/draft/webhook')
export class DraftWebhooksController {
  constructor(private readonly receiver: WebhookReceiverService) {}

  /**
   * Passes a GET request to a webhook of an unpublished app, such as an OAuth redirect or the
   * one-time check of an address. A HEAD request gets the same answer without a body. Answers 404
   * `webhook.not_found` if the path has no webhook, and 405 `method_not_allowed` if its webhooks do
   * not accept GET.
   */
  @Get('*path')
  @WebhookRoute()
  async getDraftWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receiveRequest(request, response);
  }

  /**
   * Passes a POST request to a webhook of an unpublished app. Most senders use POST. Answers 404
   * `webhook.not_found` if the path has no webhook, and 405 `method_not_allowed` if its webhooks do
   * not accept POST.
   */
  @Post('*path')
  @WebhookRoute()
  @AnyBody()
  async postDraftWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receiveRequest(request, response);
  }

  /**
   * Passes a PUT request to a webhook of an unpublished app that accepts PUT. Answers 404
   * `webhook.not_found` if the path has no webhook, and 405 `method_not_allowed` if its webhooks do
   * not accept PUT.
   */
  @Put('*path')
  @WebhookRoute()
  @AnyBody()
  async putDraftWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receiveRequest(request, response);
  }

  /**
   * Passes a PATCH request to a webhook of an unpublished app that accepts PATCH. Answers 404
   * `webhook.not_found` if the path has no webhook, and 405 `method_not_allowed` if its webhooks do
   * not accept PATCH.
   */
  @Patch('*path')
  @WebhookRoute()
  @AnyBody()
  async patchDraftWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receiveRequest(request, response);
  }

  /**
   * Passes an OPTIONS request to a webhook of an unpublished app that accepts OPTIONS. If no
   * webhook of the path does, the header `Allow` of the answer lists the methods of the path.
   * Answers 404 `webhook.not_found` if the path has no webhook.
   */
  @Options('*path')
  @WebhookRoute()
  @ApiResponse({
    status: 204,
    description: 'No webhook of the path accepts OPTIONS; `Allow` lists the accepted methods',
  })
  async optionsDraftWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receiveRequest(request, response);
  }

  /**
   * Passes a DELETE request to a webhook of an unpublished app that accepts DELETE. Answers 404
   * `webhook.not_found` if the path has no webhook, and 405 `method_not_allowed` if its webhooks do
   * not accept DELETE.
   */
  @Delete('*path')
  @WebhookRoute()
  @AnyBody()
  async deleteDraftWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receiveRequest(request, response);
  }
}
