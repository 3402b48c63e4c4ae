import { All, Controller, Req, Res } from '@nestjs/common';
import { Access } from '@platform/guards';
import type { Request, Response } from 'express';
import { OpenToOtherSites } from '../csrf/open-to-other-sites.js';
import { WebhookProxyClient } from './webhook-proxy.client.js';

/** Passes webhook requests to apps on to the host. Their public address is on the panel. */
@Controller('v1/ext')
export class WebhooksController {
  constructor(private readonly host: WebhookProxyClient) {}

  @All('*path')
  @Access('public')
  @OpenToOtherSites()
  async forward(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.host.forward(request, response);
  }
}
