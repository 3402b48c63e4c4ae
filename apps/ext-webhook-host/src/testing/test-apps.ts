import type { Webhook } from '@platform/app-document';
import type { TestService } from '@platform/testing';
import { AppDocumentsService } from '../documents/app-documents.service.js';
import { DeployedAppsService, type DeployedApp } from '../kernel/deployed/deployed-apps.service.js';
import type { CompiledApp } from '../handlers/handler-runtime.js';
import { RunsService } from '../runs/runs.service.js';
import type { WebhookRequest as WebhookEvent } from '@platform/extension-sdk';
import type { WebhookRequest } from '../webhooks/running/webhook-event.js';

export type TestHandler = (event: WebhookEvent, request: WebhookRequest) => unknown;

export type TestWebhook = Partial<Pick<Webhook, 'method' | 'inbox' | 'redirect_hosts'>> & {
  path: string;
  handler: TestHandler;
};

/**
 * Apps with handlers in the test itself. They replace the apps that the gateway knows, and the
 * runtime of documents.
 */
export class TestApps {
  private readonly apps = new Map<string, { app: DeployedApp; compiled: CompiledApp; handlers: TestHandler[] }>();

  constructor(...services: TestService[]) {
    for (const { app } of services) {
      app.get(DeployedAppsService).findApp = (appId) => Promise.resolve(this.apps.get(appId)?.app ?? null);
      app.get(AppDocumentsService).loadCompiledApp = ({ app_id }) => Promise.resolve(this.find(app_id).compiled);
      app.get(RunsService).runWebhook = async ({ app_id }, webhook, event, request) => {
        const { compiled, handlers } = this.find(app_id);
        const data = await handlers[compiled.webhooks.indexOf(webhook)]?.(event, request);
        return { data: data as never, summary: null, ui: null };
      };
    }
  }

  /** Deploys webhooks of an app, in place of its earlier ones. */
  deploy(appId: string, webhooks: TestWebhook[], { isActive = true } = {}): void {
    const who = {
      tenant_id: 'acme',
      developer_id: 'usr_1',
      is_active: isActive,
      is_suspended: false,
      hosts: [],
      capabilities: [],
    };
    const app = { app_id: appId, version: '1.0.0', sha256: '', ...who };
    const compiled = webhooks.map(({ path, method = 'POST', inbox = false, redirect_hosts = [] }) => {
      const impl = { kind: 'declarative' as const, steps: [] };
      const definition: Webhook = { path, method, inbox, redirect_hosts, secret_header: null, description: '', impl };
      return { kind: 'webhook' as const, name: path, definition };
    });
    this.apps.set(appId, {
      app,
      compiled: { functions: new Map(), webhooks: compiled } as unknown as CompiledApp,
      handlers: webhooks.map(({ handler }) => handler),
    });
  }

  private find(appId: string) {
    const found = this.apps.get(appId);
    if (!found) throw new Error(`there is no app ${appId}`);
    return found;
  }
}
