import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject } from '@platform/app-document';
import { webhookAddress, type RunTenant } from '@platform/contracts';
import {
  assertProgress,
  assertUserId,
  type ContextSecrets,
  type ContextTenant,
  type ContextWebhook,
  DeclaredSecrets,
  type ExtensionContext,
  type LogLevel,
  restrict,
  RunTime,
  type SecretKeeper,
  verifySignature,
} from '@platform/extension-sdk/runtime';
import { currentContext, isUnavailable } from '@platform/platform';
import { ExtensionCache } from '../kernel/cache/extension-cache.js';
import { RunEventsService } from './run-events.service.js';
import { GatewayClient } from '../kernel/gateway/gateway.client.js';
import { HostAppLogsService } from '../kernel/logs/host-app-logs.service.js';
import { DenialReportsService } from './denial-reports.service.js';
import { SecretVaultService } from '../kernel/secrets/secret-vault.service.js';
import { DocumentStore } from '../kernel/store/document-store.js';
import { AppConfigCache, RunConfig } from './app-config-cache.js';
import { backgroundUser } from './identities.js';
import {
  unavailableAi,
  unavailableBackgroundTasks,
  unavailableOAuth,
  unavailableSkeleton,
  unavailableStorage,
} from './unavailable-features.js';
import { HostRunBilling } from './host-run-billing.js';
import { deliverChatMessage } from './run-chat.js';
import { RunCache } from './run-cache.js';
import { RunErrors, unavailableError } from '../handlers/run-errors.js';
import { RunNotify } from './run-notify.js';
import { RunProgress } from './run-progress.js';
import { RunStore } from './run-store.js';
import type { CallFunction, Run } from './run.js';
import { withOpenCheck } from './open-check.js';

export const PANEL_URL = Symbol('PANEL_URL');

/** Creates the context (`ctx`) of runs. */
@Injectable()
export class RunContextFactory {
  constructor(
    private readonly documents: DocumentStore,
    private readonly vault: SecretVaultService,
    private readonly cache: ExtensionCache,
    private readonly configs: AppConfigCache,
    private readonly gateway: GatewayClient,
    private readonly events: RunEventsService,
    private readonly logs: HostAppLogsService,
    private readonly denials: DenialReportsService,
    @Inject(PANEL_URL) private readonly panelUrl: string,
  ) {}

  /**
   * Creates the context of a run, restricted to the kind of the run and to the capabilities of its
   * version. After the end of the run, reading a member of the context throws RUN_OVER, TIMEOUT or
   * CANCELLED.
   */
  createContext(run: Run, call: CallFunction): ExtensionContext {
    const { app, user, tenantId, state } = run;
    const open = <Part extends object>(part: Part): Part => withOpenCheck(part, state.assertOpen);
    const scope = { tenantId, appId: app.app_id, userId: user.platform_id };
    const context: ExtensionContext = {
      app,
      user,
      tenant: run.tenant ? contextTenant(run.tenant, tenantId) : UNKNOWN_TENANT,
      store: open(
        new RunStore(this.documents, scope, state, {
          onlyFor: run.onlyFor,
          tenantOf: (id) => tenantOf(run, id),
          changedUntil: run.grant.handlesRemoval ? () => this.assertRemoved(run) : null,
        }),
      ),
      http: open(state.http),
      config: open(new RunConfig(() => this.configs.getConfig(run))),
      secrets: open(this.secretsOf(run)),
      cache: open(new RunCache(this.cache, scope, state)),
      extensions: open({
        call: (appId: string, name: string, params: JsonObject = {}) => call(run, appId, name, params),
        emit: async (type: string, data: JsonObject) => {
          state.storeOperations.spend();
          await this.events.publishEvent(
            run,
            type,
            state.redactor.redactValue(data) as JsonObject,
            state.once.deriveUuid(`events ${type}`),
          );
        },
      }),
      notify: open(new RunNotify(this.gateway, run)),
      ai: unavailableAi,
      billing: open(new HostRunBilling(this.gateway, run)),
      storage: unavailableStorage,
      skeleton: unavailableSkeleton,
      webhook: webhookOf(run),
      time: new RunTime(user.attributes['timezone']),
      log: (message, level) => this.log(run, message, level),
      once: (eventId, retentionSeconds) => {
        state.storeOperations.spend();
        return state.once.once(eventId, retentionSeconds);
      },
      webhookUrl: (path) => {
        if (!run.channel)
          throw unavailableError('WEBHOOK_URL', 'The address of the webhooks is not known at the moment.', {
            retryable: true,
          });
        return this.panelUrl + webhookAddress(app.app_id, run.channel, path);
      },
      asUser: async (id) => {
        assertUserId(id);
        const given = await run.grant.getUserGrant(id).catch((error: unknown) => {
          if (!isUnavailable(error, 'gateway')) throw error;
          throw unavailableError('AS_USER', 'The app cannot act for a user at the moment.', {
            retryable: true,
            cause: error,
          });
        });
        const user = backgroundUser(id, given.tenantId, given.scopes);
        return this.createContext({ ...run, grant: given.grant, tenantId: given.tenantId, user, userId: id }, call);
      },
      // Progress of a run that is not a task is ignored: its caller waits for the answer.
      progress: async (percent, message) => {
        assertProgress(percent, message);
        if (run.isTask) await (state.progress ??= new RunProgress(this.gateway, run)).report(percent, message);
      },
      backgroundTask: unavailableBackgroundTasks,
      deliverChatMessage: (text, options) => deliverChatMessage(this.gateway, run, text, options),
      oauthAuthorizeUrl: unavailableOAuth,
    };
    return open(restrict(context, run, (capability) => this.deny(run, capability)));
  }

  /**
   * Writes a log line of the platform about a run, without secrets that the run has read, and
   * shortened to the limit of a line. It counts against no limit.
   */
  writeLog({ app, kind, handler, userId, state }: Omit<Run, 'capabilities'>, message: string, level: LogLevel): void {
    this.logs.writeLine({
      appId: app.app_id,
      at: new Date(),
      level,
      message: shortened(state.redactor.redact(message), state.limits.logLineBytes),
      kind,
      handler,
      requestId: currentContext()?.requestId ?? null,
      userId,
    });
  }

  private log(run: Run, message: string, level: LogLevel = 'info'): void {
    const { state } = run;
    if (++state.logLines > state.limits.logLines) return;
    const known: readonly string[] = ['info', 'warning', 'error'] satisfies LogLevel[];
    this.writeLog(run, message, known.includes(level) ? level : 'info');
    if (state.logLines === state.limits.logLines)
      this.writeLog(run, 'The run has reached its limit of log lines; further lines are dropped.', 'warning');
  }

  private deny(run: Run, capability: string): void {
    void this.denials.reportDenial(run, capability);
  }

  /**
   * Checks that the user has not installed the app again, in a run that handles its removal.
   * Returns a time at which this was true: data that was changed later can belong to the new
   * installation.
   *
   * @throws ExtensionError RUN_REFUSED if the user has installed it again; STORE_UNAVAILABLE if the
   * gateway is unreachable.
   */
  private async assertRemoved({ grant }: Run): Promise<string> {
    const until = await this.documents.databaseTime();
    await grant.assertAppRemoved().catch((error: unknown) => {
      if (!isUnavailable(error, 'gateway')) throw error;
      throw unavailableError('STORE', 'Stored data of the app cannot be changed at the moment.', {
        retryable: true,
        cause: error,
      });
    });
    return until;
  }

  private vaultOf(run: Run): SecretKeeper {
    const { vault } = this;
    if (!run.grant.handlesRemoval) return vault;
    return {
      find: (owner, name) => vault.find(owner, name),
      namesSet: (owner, names) => vault.namesSet(owner, names),
      set: async (owner, name, value) => {
        if (!(await vault.setUnlessNewer(owner, name, value, await this.assertRemoved(run)))) throw RunErrors.refused();
      },
      delete: async (owner, name) => vault.delete(owner, name, await this.assertRemoved(run)),
    };
  }

  private secretsOf(run: Run): ContextSecrets {
    const { app, compiled, user, state } = run;
    const owner = { appId: app.app_id, identity: user.platform_id };
    const secrets = new DeclaredSecrets(this.vaultOf(run), owner, compiled.document.app.secrets, state.redactor);
    const counted = <Result>(work: () => Promise<Result>): Promise<Result> => {
      state.storeOperations.spend();
      return work();
    };
    return {
      get: (name) => counted(() => secrets.get(name)),
      set: (name, value) => counted(() => secrets.set(name, value)),
      delete: (name) => counted(() => secrets.delete(name)),
      isSet: (name) => counted(() => secrets.isSet(name)),
      list: () => counted(() => secrets.list()),
    };
  }
}

/**
 * Tenant of a user other than that of the run. The gateway knows which users have the app.
 *
 * @throws ExtensionError USER_NOT_AVAILABLE if the app may not act for the user; STORE_UNAVAILABLE
 * if the gateway is unreachable; RUN_REFUSED if the permission of the run has ended.
 */
function tenantOf({ grant }: Run, userId: string): Promise<string> {
  return grant.getTenantId(userId).catch((error: unknown) => {
    if (!isUnavailable(error, 'gateway')) throw error;
    throw unavailableError('STORE', 'Documents of other users cannot be accessed at the moment.', {
      retryable: true,
      cause: error,
    });
  });
}

const contextTenant = ({ name, is_active, features, isolation }: RunTenant, tenantId: string): ContextTenant => ({
  tenant_id: tenantId,
  name,
  is_active,
  features: features as JsonObject,
  isolation,
});

/**
 * Not a getter in the literal of the context: with one, V8 makes hidden classes for each object
 * that the literal creates.
 */
const UNKNOWN_TENANT = new Proxy({} as ContextTenant, {
  get() {
    throw unavailableError('TENANT', 'The tenant is not known in this run.');
  },
});

function webhookOf({ request }: Run): ContextWebhook {
  const receivedAt = request?.receivedAt ?? new Date();
  return {
    receivedAt,
    verify: (options) => {
      if (!request) throw unavailableError('WEBHOOK', 'This run does not answer a webhook request.');
      return verifySignature(request, options, receivedAt.getTime());
    },
  };
}

const shortened = (text: string, maxBytes: number): string =>
  Buffer.byteLength(text) <= maxBytes
    ? text
    : `${new TextDecoder().decode(Buffer.from(text).subarray(0, maxBytes - 4), { stream: true })}…`;
