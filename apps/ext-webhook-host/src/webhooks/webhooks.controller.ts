import { Controller, Delete, Get, Inject, Post, Put, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '@platform/guards';
import type { Request, Response } from 'express';
import { WebhookReceiver } from './webhook-receiver.js';

/** What other systems send to apps. The platform knows no sender: each handler verifies the signature itself. */
@ApiTags('Inbound extension webhook')
@Controller('v1/ext/:app_id/webhook')
export class WebhooksController {
  constructor(@Inject(WebhookReceiver) private readonly receiver: WebhookReceiver) {}

  /** OAuth redirects and one-time URL verification. */
  @Get('*path')
  @Access('public')
  async getWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receive(request, response);
  }

  /** Hooks that servers send. */
  @Post('*path')
  @Access('public')
  async postWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receive(request, response);
  }

  @Put('*path')
  @Access('public')
  async putWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receive(request, response);
  }

  @Delete('*path')
  @Access('public')
  async deleteWebhook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.receiver.receive(request, response);
  }
}
