import { Inject, Injectable } from '@nestjs/common';
import { developmentNumber, pathOf, type AppFunction, type JsonObject, type JsonValue } from '@platform/app-document';
import { channelOf, type CallResponse, type RunRequest } from '@platform/contracts';
import {
  type CallKind,
  capabilityNotDeclared,
  ExtensionError,
  isPathAllowed,
  RUN_LIMITS,
  SYSTEM_IDENTITY,
  TASK_LIMITS,
  WEBHOOK_IDENTITY,
} from '@platform/extension-sdk/runtime';
import {
  type CancellationSignal,
  currentContext,
  isUnavailable,
  isUnreachable,
  LOGGER,
  newId,
} from '@platform/platform';
import type { Logger } from 'pino';
import { Histogram, Registry } from 'prom-client';
import { backgroundUser, identityOf, userOf } from '../context/identities.js';
import { RunContextFactory } from '../context/run-context-factory.js';
import { RunErrors } from '../handlers/run-errors.js';
import { RunState } from '../context/run-state.js';
import type { Run } from '../context/run.js';
import { AppDocumentsService } from '../documents/app-documents.service.js';
import { DeployedAppsService, type DeployedApp } from '../kernel/deployed/deployed-apps.service.js';
import { Egress } from '@platform/egress';
import { RunEventsService } from '../context/run-events.service.js';
import { RunGrantsClient, type AuthorizedRun } from '../kernel/gateway/run-grants.client.js';
import type { SecretRedactor } from '../kernel/secrets/secret-redactor.js';
import { ProcessedEventsRepository } from '../kernel/store/processed-events.repository.js';
import type { WebhookRequest as WebhookEvent } from '@platform/extension-sdk';
import type { WebhookRequest } from '../webhooks/running/webhook-event.js';
import { VersionPermissionsService } from './version-permissions.service.js';
import { ExtensionCallsService } from './extension-calls.service.js';
import { failureAnswer, redactSecrets, successAnswer } from './function-answers.js';
import type { CompiledApp, CompiledHandler, HandlerResult, HandlerRuntime } from '../handlers/handler-runtime.js';
import { HandlerRuntimeService } from './handler-runtime.service.js';

/** A version, and the tenant in which it runs by itself. */
type BackgroundApp = Pick<DeployedApp, 'app_id' | 'version' | 'sha256' | 'tenant_id'>;

/** Properties of a run when it begins. */
type Begun = Omit<Run, 'state' | 'capabilities'>;

/** Runs the handlers of apps, each run with its context, its limits and its deadline. */
@Injectable()
export class RunsService {
  private readonly durations: Histogram;

  constructor(
    private readonly documents: AppDocumentsService,
    private readonly apps: DeployedAppsService,
    private readonly asked: VersionPermissionsService,
    @Inject(HandlerRuntimeService) private readonly runtime: HandlerRuntime,
    private readonly contexts: RunContextFactory,
    private readonly extensionCalls: ExtensionCallsService,
    private readonly egress: Egress,
    private readonly processedEvents: ProcessedEventsRepository,
    private readonly events: RunEventsService,
    private readonly grants: RunGrantsClient,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Registry,
  ) {
    this.durations = new Histogram({
      name: 'extension_run_duration_seconds',
      help: 'Time of a run; `fault`: the platform failed',
      labelNames: ['kind', 'outcome'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [metrics],
    });
  }

  /**
   * Runs a function, and publishes its event, if it declares one, after a success. A failure is an
   * answer, too: also a fault of the platform, with the code INTERNAL. Aborting `signal` ends the
   * run; the answer is then the failure CANCELLED.
   *
   * @throws AppError 404 `app_version.not_found` if there is no such version; 503
   * `gateway_unavailable` if the document of the app's version, with its functions and code, is not
   * stored here and the gateway is unreachable.
   */
  async runFunction(request: RunRequest, signal: CancellationSignal): Promise<CallResponse> {
    const { app_id, version, sha256, user, tenant_id: tenantId, tenant = null, function: name } = request;
    const compiled = await this.documents.loadCompiledApp(request);
    const handler = compiled.functions.get(name);
    if (!handler) return failureAnswer(RunErrors.unknownFunction(app_id, name));
    const own = `${app_id}.${name}`;
    const run: Begun = {
      app: { app_id, version },
      compiled,
      sha256,
      grant: this.grants.fromText(request.grant),
      channel: request.channel ?? 'live',
      onlyFor: null,
      // Calls without a user come from a webhook. The function may then use the same as the
      // webhook.
      kind: user ? 'function' : 'webhook',
      handler: name,
      tenantId,
      user: user ? userOf(user) : identityOf(WEBHOOK_IDENTITY, tenantId),
      userId: user?.user_id ?? null,
      developerId: user ? null : ((await this.deployed(app_id))?.developer_id ?? null),
      tenant,
      chain: request.chain.at(-1) === own ? request.chain : [...request.chain, own],
      via: [],
      hop: request.hop ?? 0,
      request: null,
      ...(request.is_task && { isTask: true }),
    };
    try {
      return successAnswer(
        await this.execute(run, handler, request.params as JsonObject, request.timeout_ms, signal, {
          published: handler.definition,
        }),
      );
    } catch (error) {
      return failureAnswer(error instanceof ExtensionError ? error : this.fault(run, error));
    }
  }

  /**
   * Runs a webhook of the version in `app`, as `__webhook__` in the tenant of its developer; that
   * of a draft may act for no other user than its developer. The handler gets `event`; its
   * signature is verified over `request`. `data` of the result is for `webhookResponse`. Secrets
   * that the run has read are removed from it, except from its headers.
   *
   * @throws ExtensionError if the handler failed: TIMEOUT if its time was over, CANCELLED if
   * `signal` was aborted; AppError as in `runFunction`. Other errors are faults of the platform.
   */
  async runWebhook(
    app: DeployedApp,
    webhook: CompiledApp['webhooks'][number],
    event: WebhookEvent,
    request: WebhookRequest,
    signal: CancellationSignal | null = null,
  ): Promise<HandlerResult> {
    const { app_id, version, sha256, tenant_id: tenantId } = app;
    const channel = channelOf(app);
    const run: Begun = {
      app: { app_id, version },
      compiled: await this.documents.loadCompiledApp(app),
      sha256,
      grant: this.grants.forWebhook({ app_id, version, sha256, handler: webhook.name }, channel),
      channel,
      onlyFor: channel === 'draft' ? app.developer_id : null,
      kind: 'webhook',
      handler: webhook.name,
      tenantId,
      user: identityOf(WEBHOOK_IDENTITY, tenantId),
      userId: null,
      developerId: app.developer_id,
      tenant: null,
      chain: [`${app_id}.__webhook__${webhook.name}`],
      via: [],
      hop: 0,
      request: { headers: event.headers, body: request.body, receivedAt: request.receivedAt },
    };
    return this.execute(run, webhook, event as unknown as JsonValue, RUN_LIMITS.webhook.seconds * 1_000, signal);
  }

  /**
   * Runs a schedule: as `__system__` in the tenant of the developer, or as the user of `ofUser` in
   * the tenant of that user.
   *
   * @param delivery an id, the same in each attempt. An attempt begins after the previous one has
   * ended, or its process has died.
   * @throws ExtensionError if the handler failed; CAPABILITY_NOT_DECLARED if `ofUser` is set and
   * the version may not act for users; AppError as in `runFunction`. Other errors are faults of the
   * platform.
   */
  async runSchedule(
    app: BackgroundApp,
    name: string,
    event: JsonObject,
    delivery: string,
    ofUser: AuthorizedRun | null = null,
  ): Promise<void> {
    const { app_id, version, sha256, tenant_id: tenantId } = app;
    const compiled = await this.documents.loadCompiledApp(app);
    if (ofUser) await this.assertMayActForUsers(app, compiled);
    const grant = () => this.grants.forSchedule({ app_id, version, sha256, handler: name });
    const begun = ofUser ?? { grant: grant(), tenantId, userId: null, scopes: [] };
    await this.background(app, begun, compiled, compiled.schedules.get(name), event, 0, delivery);
  }

  /**
   * Checks that a version may act for users. A schedule for each user does so without the context
   * of a run, which would check the same.
   *
   * @throws ExtensionError CAPABILITY_NOT_DECLARED if the version does not declare it; AppError as
   * in `runFunction`.
   */
  async assertMayActForUsers(app: BackgroundApp, compiled?: CompiledApp): Promise<void> {
    const version = { app, sha256: app.sha256, compiled: compiled ?? (await this.documents.loadCompiledApp(app)) };
    if (!isPathAllowed(pathOf('asUser'), await this.asked.findAllowedCapabilities(version)))
      throw capabilityNotDeclared('asUser');
  }

  /**
   * Runs an event handler in the tenant of the event and as its user; as `__system__` for an event
   * without a user.
   *
   * @param type the subscribed type, which can end in `*`.
   * @param begun grant and user from the gateway.
   * @param delivery as in `runSchedule`.
   * @throws ExtensionError if the handler failed; AppError as in `runFunction`. Other errors are
   * faults of the platform.
   */
  async runEventHandler(
    app: Omit<BackgroundApp, 'tenant_id'>,
    type: string,
    envelope: JsonObject & { hop: number },
    delivery: string,
    begun: AuthorizedRun,
  ): Promise<void> {
    const compiled = await this.documents.loadCompiledApp(app);
    await this.background(app, begun, compiled, compiled.events.get(type), envelope, envelope.hop + 1, delivery);
  }

  private async background(
    { app_id, version, sha256 }: Omit<BackgroundApp, 'tenant_id'>,
    { grant, tenantId, userId, scopes }: AuthorizedRun,
    compiled: CompiledApp,
    handler: CompiledHandler | undefined,
    event: JsonObject,
    hop: number,
    delivery: string,
  ): Promise<void> {
    if (!handler) throw new Error(`The document of ${app_id} ${version} does not have the stored handler.`);
    const { kind, name } = handler;
    const deployed = await this.deployed(app_id);
    const run: Begun = {
      app: { app_id, version },
      compiled,
      sha256,
      grant,
      channel: deployed && channelOf(deployed),
      onlyFor: null,
      kind,
      handler: name,
      tenantId,
      user: userId === null ? identityOf(SYSTEM_IDENTITY, tenantId) : backgroundUser(userId, tenantId, scopes),
      userId,
      developerId: deployed?.developer_id ?? null,
      tenant: null,
      chain: [`${app_id}.__${kind}__${name}`],
      via: [],
      hop,
      request: null,
    };
    await this.execute(run, handler, event, RUN_LIMITS[kind].seconds * 1_000, null, { delivery });
  }

  /**
   * Running version of an app. Null if there is none, or if the gateway is unreachable and its last
   * answer, if there was one, named no version.
   */
  private deployed(appId: string): Promise<DeployedApp | null> {
    return this.apps.findApp(appId).catch((error: unknown) => {
      if (isUnavailable(error, 'gateway')) return null;
      throw error;
    });
  }

  /**
   * Runs a handler with its context, its limits and its deadline. Then marks the events that the
   * run has taken up as done, or gives them back, publishes the event of `published` after a
   * success, and writes a failure to the log of the app. Removes secrets that the run has read from
   * its result and its error, except from the headers in the answer of a webhook.
   *
   * @throws ExtensionError if the handler failed, the time is over (TIMEOUT) or `caller` is aborted
   * (CANCELLED). Other errors are faults of the platform.
   */
  private async execute(
    begun: Begun,
    handler: CompiledHandler,
    event: JsonValue,
    timeoutMs: number,
    caller: CancellationSignal | null,
    { published = null, delivery = null }: { published?: AppFunction | null; delivery?: string | null } = {},
  ): Promise<HandlerResult> {
    const { kind, app, tenantId } = begun;
    const limits = begun.isTask ? TASK_LIMITS : RUN_LIMITS[kind];
    const end = this.durations.startTimer({ kind });
    const state = new RunState(
      limits,
      Math.min(timeoutMs, limits.seconds * 1_000),
      caller,
      { egress: this.egress, events: this.processedEvents, allowedHosts: () => this.asked.findAllowedHosts(begun) },
      {
        appId: app.app_id,
        tenantId,
        runId: newId('run'),
        delivery,
      },
    );
    const known = { ...begun, state };
    try {
      const asked = this.asked.findAllowedCapabilities(begun);
      const capabilities = asked instanceof Promise ? await state.raceWithEnd(() => asked) : asked;
      const run: Run = { ...known, capabilities };
      const context = this.contexts.createContext(run, (from, ...target) =>
        this.extensionCalls.callFunction(from, ...target),
      );
      const result = await state.raceWithEnd(() =>
        this.runtime.runHandler(handler, {
          event,
          context,
          kind,
          capabilities,
          signal: state.signal,
          redactor: state.redactor,
        }),
      );
      state.end();
      await state.once.finishEvents(isDone(kind, result));
      const clean = quiet(kind, result, state.redactor);
      const unpublished = published && (await this.events.publishResult(run, published, clean.data));
      if (unpublished) this.contexts.writeLog(run, unpublished.message, 'error');
      const seconds = end({ outcome: 'success' });
      // Shows developers that their development version was called.
      if (developmentNumber(app.version) !== null)
        this.contexts.writeLog(run, `Done in ${(seconds * 1_000).toFixed(1)} ms.`, 'info');
      return clean;
    } catch (error) {
      state.end();
      await this.giveBack(state);
      end({ outcome: error instanceof ExtensionError ? 'error' : 'fault' });
      if (!(error instanceof ExtensionError)) {
        this.contexts.writeLog(known, 'The run failed because of a fault of the platform.', 'error');
        throw error;
      }
      const { code, retryable, message, details } = error;
      // Only the developer of the app sees the position in its code.
      const { stack } = details;
      this.contexts.writeLog(known, `${code}: ${message}${typeof stack === 'string' ? `\n${stack}` : ''}`, 'error');
      this.logCause(known, error);
      throw new ExtensionError(code, redactSecrets(message, state.redactor), {
        retryable,
        details: redactSecrets(details, state.redactor),
      });
    }
  }

  /**
   * Gives back the events that a failed run has taken up, so that the next attempt can take them.
   * If this fails, it is logged, and they are free when the time of the run is over.
   */
  private async giveBack(state: RunState): Promise<void> {
    await state.once
      .finishEvents(false)
      .catch((error: unknown) => this.log.warn({ err: error }, 'could not give back the events of a run'));
  }

  private fault({ app, handler }: Pick<Run, 'app' | 'handler'>, error: unknown): ExtensionError {
    this.log.error({ err: error, app_id: app.app_id, handler }, 'a run failed unexpectedly');
    const requestId = currentContext()?.requestId;
    return new ExtensionError('INTERNAL', `Something went wrong on our side${requestId ? ` (${requestId})` : ''}.`, {
      retryable: isUnreachable(error),
    });
  }

  /** Logs the cause of an error for the operator, if there is one. The app does not get it. */
  private logCause({ app, handler }: Begun, error: ExtensionError): void {
    let cause: unknown = error;
    while (cause instanceof ExtensionError) cause = cause.cause;
    if (cause)
      this.log.warn(
        { err: cause, code: error.code, app_id: app.app_id, handler },
        'a run failed for a reason outside of it',
      );
  }

  private get log(): Logger {
    return currentContext()?.log ?? this.logger;
  }
}

/**
 * True if the events that a run has taken up are done. They are not if a webhook answers with an
 * error status (400 and above), which asks the sender to try again.
 */
function isDone(kind: CallKind, { data }: HandlerResult): boolean {
  if (kind !== 'webhook' || !isObject(data)) return true;
  return !(Number(data['status_code']) >= 400);
}

/**
 * Removes the secrets that a run has read from its result, except from the headers in the answer of
 * a webhook: some providers require a secret in a header when a webhook is set up.
 */
function quiet(kind: CallKind, result: HandlerResult, redactor: SecretRedactor): HandlerResult {
  const { data } = result;
  const clean = redactSecrets(result, redactor);
  if (kind !== 'webhook' || !isObject(data) || !isObject(clean.data) || data['headers'] === undefined) return clean;
  return { ...clean, data: { ...clean.data, headers: data['headers'] } };
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
