import { Injectable } from '@nestjs/common';
import type { CallResponse, RunRequest } from '@platform/contracts';
import type { DeployedApp } from '../deployed/deployed-apps.service.js';
import type { WebhookEvent, WebhookRequest } from '../webhooks/webhook-event.js';
import type { CompiledApp, HandlerResult } from './handler-runtime.js';

/** Runs what apps declare, each run with its context, its limits and its deadline. */
@Injectable()
export abstract class Runs {
  /**
   * A function. Answers also when it failed. Aborting `signal` ends the run.
   *
   * @throws AppError 404 `app_version.not_found`, 503 when its document is not here and the gateway is away.
   */
  abstract call(request: RunRequest, signal: AbortSignal): Promise<CallResponse>;

  /**
   * A webhook of the version that `app` names, as `__webhook__` in the tenant of its developer. `event` is what the handler is given,
   * `request` what its signature is verified over. `data` of the result is for `webhookResponse`; no secret that the run has read is in it.
   *
   * @throws ExtensionError when the handler failed (TIMEOUT when its time was over); anything else is a fault of the platform.
   */
  abstract webhook(
    app: DeployedApp,
    webhook: CompiledApp['webhooks'][number],
    event: WebhookEvent,
    request: WebhookRequest,
    signal?: AbortSignal,
  ): Promise<HandlerResult>;
}
