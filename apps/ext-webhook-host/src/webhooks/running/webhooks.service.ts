import { Inject, Injectable } from '@nestjs/common';
import type { HttpMethod, Webhook } from '@platform/app-document';
import { channelOf, type WebhookChannel } from '@platform/contracts';
import { ExtensionError } from '@platform/extension-sdk/runtime';
import { isFromProgram } from '@platform/platform';
import { AppDocumentsService } from '../../documents/app-documents.service.js';
import { PANEL_URL } from '../../context/run-context-factory.js';
import { DeployedAppsService, type DeployedApp } from '../../kernel/deployed/deployed-apps.service.js';
import type { CompiledApp } from '../../handlers/handler-runtime.js';
import { RunsService } from '../../runs/runs.service.js';
import { webhookEvent, type WebhookRequest } from './webhook-event.js';
import { webhookResponse, type WebhookResponse } from './webhook-response.js';
import { WebhookRoutes, type WebhookMatch } from './webhook-routes.js';
import { WebhookErrors } from './webhooks.errors.js';

type CompiledWebhook = CompiledApp['webhooks'][number];

/**
 * Errors before a handler begins, because there is no room for it. The sender can send the request
 * again.
 */
const NOT_BEGUN: ReadonlySet<string> = new Set(['RUNTIME_BUSY', 'RUNTIME_UNAVAILABLE']);

/** A webhook of the running version. */
export interface FoundWebhook {
  app: DeployedApp;
  webhook: CompiledWebhook;
  /** Method that its handler sees: GET for a HEAD request if the webhook does not accept HEAD. */
  method: HttpMethod;
}

/**
 * Webhooks exist at the path, but not for the method. `allow` has the form of the header `Allow`.
 */
export interface OtherMethods {
  allow: string;
}

type Registered = Pick<Webhook, 'path' | 'method'> & { webhook: CompiledWebhook };

/** The requested webhook, as in the address. */
export interface RequestedWebhook {
  appId: string;
  channel: WebhookChannel;
  method: string;
  path: string;
}

/** Finds webhooks and runs them. */
@Injectable()
export class WebhooksService {
  private readonly routes = new WeakMap<CompiledApp, WebhookRoutes<Registered>>();

  constructor(
    private readonly apps: DeployedAppsService,
    private readonly documents: AppDocumentsService,
    private readonly runs: RunsService,
    @Inject(PANEL_URL) private readonly panelUrl: string,
  ) {}

  /**
   * Finds the webhook of an app for a request. Returns `OtherMethods` if the path has webhooks, but
   * only for other methods. A published app answers only in the channel `live`; any other app only
   * in `draft`, while it is not suspended. If a webhook is in `draft` or was not found, the gateway
   * is asked again which version runs, so that an app that was published or deployed a moment ago
   * is found.
   *
   * @throws AppError 404 `webhook.not_found` if there is no such webhook or app; 503
   * `gateway_unavailable` if the gateway is unreachable, and the running version or its code is not
   * stored here.
   */
  async findWebhook(asked: RequestedWebhook): Promise<FoundWebhook | OtherMethods> {
    const now = performance.now();
    const known = asked.channel === 'live' ? await this.findIn(await this.apps.findApp(asked.appId), asked) : null;
    const found = isFound(known) ? known : await this.findIn(await this.apps.findApp(asked.appId, now), asked);
    if (!found) throw WebhookErrors.notFound();
    return found;
  }

  /**
   * Runs a webhook, and returns the response. It runs to its end, even if the sender disconnects:
   * the sender may not send the request again.
   *
   * @throws ExtensionError if the handler failed; AppError 502 `webhook.bad_response` if it
   * returned no valid response; AppError as in `RunsService.runFunction`.
   */
  async runWebhook({ app, webhook }: FoundWebhook, request: WebhookRequest): Promise<WebhookResponse> {
    const event = webhookEvent(request);
    const { data } = await this.runs.runWebhook(app, webhook, event, request);
    return webhookResponse(data, {
      url: new URL(request.url, this.panelUrl).href,
      redirectHosts: webhook.definition.redirect_hosts ?? [],
      toProgram: isFromProgram(request.method, event.headers),
    });
  }

  /**
   * Like `runWebhook`, with errors for the sender of the request, who learns no details.
   *
   * @throws AppError 500 `webhook.failed` if the handler failed; 502 `webhook.bad_response` if it
   * returned no valid response; 503 `webhook.busy` if there was no room to begin it; 504
   * `webhook.timeout` if its time was over; AppError as in `RunsService.runFunction`.
   */
  async answerRequest(found: FoundWebhook, request: WebhookRequest): Promise<WebhookResponse> {
    try {
      return await this.runWebhook(found, request);
    } catch (error) {
      if (!(error instanceof ExtensionError)) throw error;
      if (error.code === 'TIMEOUT') throw WebhookErrors.timedOut();
      throw NOT_BEGUN.has(error.code) ? WebhookErrors.tooMany() : WebhookErrors.failed();
    }
  }

  private async findIn(
    app: DeployedApp | null,
    { channel, method, path }: RequestedWebhook,
  ): Promise<FoundWebhook | OtherMethods | null> {
    if (!app || channelOf(app) !== channel || (channel === 'draft' && app.is_suspended)) return null;
    const match = await this.match(app, method, path);
    return match && 'webhook' in match ? { app, webhook: match.webhook.webhook, method: match.method } : match;
  }

  private async match(app: DeployedApp, method: string, path: string): Promise<WebhookMatch<Registered>> {
    const compiled = await this.documents.loadCompiledApp(app);
    let routes = this.routes.get(compiled);
    if (!routes) {
      routes = new WebhookRoutes(compiled.webhooks.map((webhook) => ({ ...webhook.definition, webhook })));
      this.routes.set(compiled, routes);
    }
    return routes.match(method, path);
  }
}

export const isFound = (found: FoundWebhook | OtherMethods | null): found is FoundWebhook =>
  found !== null && 'webhook' in found;
