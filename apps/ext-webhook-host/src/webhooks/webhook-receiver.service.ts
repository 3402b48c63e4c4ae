import { Injectable } from '@nestjs/common';
import { APP_ANSWER_HEADERS, ConcurrencyLimit, clientBucket, BodyReceiver } from '@platform/platform';
import type { Request, Response } from 'express';
import { WebhookInboxService } from './inbox/webhook-inbox.service.js';
import { hasContent, type WebhookResponse } from './running/webhook-response.js';
import { WebhookErrors } from './running/webhooks.errors.js';
import { isFound, WebhooksService } from './running/webhooks.service.js';

/**
 * Concurrency limits for webhooks that are handled at once. Providers wait three to ten seconds for
 * an answer.
 */
const PLACES = {
  slots: 128,
  maxSlots: 512,
  perApp: 64,
  perAppComputing: 16,
  perRequester: 32,
  waitMs: 4_000,
  waiting: 1_000,
  maxWaiting: 2_000,
};

/** Address as it was sent: nothing is decoded. */
const ADDRESS = /^\/v1\/ext\/([^/?]+)\/(draft\/)?webhook\/([^?]*)/;

/** Receives requests to webhooks and answers them. */
@Injectable()
export class WebhookReceiverService {
  private readonly bodies = new BodyReceiver();
  private readonly places = new ConcurrencyLimit(PLACES, WebhookErrors.tooMany);

  constructor(
    private readonly webhooks: WebhooksService,
    private readonly inbox: WebhookInboxService,
  ) {}

  /**
   * Receives a request to a webhook, and answers it: with the response of the handler; with 202 if
   * the webhook has an inbox, in which the request is stored; with 204 and `Allow` to an OPTIONS
   * request that no webhook of the path accepts.
   *
   * @throws AppError 404 and 503 as in `WebhooksService.findWebhook`; 405 `method_not_allowed` if
   * the webhooks of the path accept only other methods; 408 or 413 if the body is too slow or
   * larger than 10 MiB, and 400 if it breaks off; 503 `webhook.busy` or `webhook.inbox_full` if
   * there is no room; 500, 502 and 504 as in `WebhooksService.answerRequest`.
   */
  async receiveRequest(request: Request, response: Response): Promise<void> {
    const { method: asked, originalUrl: url, rawHeaders } = request;
    const [, appId = '', draft, path = ''] = ADDRESS.exec(url) ?? [];
    const found = await this.webhooks.findWebhook({ appId, channel: draft ? 'draft' : 'live', method: asked, path });
    if (!isFound(found)) {
      if (asked !== 'OPTIONS') throw WebhookErrors.methodNotAllowed(found.allow);
      send(methods(found.allow), response);
      return;
    }
    const { method } = found;
    const [app, sender] = [found.app.app_id, clientBucket(request.ip)];
    const handle = async (body: Buffer): Promise<WebhookResponse> => {
      const received = { method, url, rawHeaders, body };
      if (!found.webhook.definition.inbox) return this.webhooks.answerRequest(found, received);
      return accepted(await this.inbox.acceptRequest(found, received));
    };
    const answer = await this.bodies.withBody({ app, sender }, request, (body) =>
      this.places.runInSlot({ app, from: sender }, () => handle(body)),
    );
    send(answer, response);
  }
}

const accepted = (deliveryId: string): WebhookResponse => ({
  status: 202,
  headers: { 'content-type': 'application/json', ...APP_ANSWER_HEADERS },
  body: Buffer.from(JSON.stringify({ status: 'accepted', delivery_id: deliveryId })),
});

const methods = (allow: string): WebhookResponse => ({
  status: 204,
  headers: { allow, ...APP_ANSWER_HEADERS },
  body: Buffer.alloc(0),
});

function send({ status, headers, body }: WebhookResponse, response: Response): void {
  response.removeHeader('Vary'); // the answer is the same for all callers
  response.writeHead(status, { ...headers, ...(hasContent(status) && { 'content-length': body.length }) });
  response.end(body);
}
