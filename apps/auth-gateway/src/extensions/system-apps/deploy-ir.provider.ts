import type { CheckedDocument } from '@platform/app-document';
import { Injectable } from '@nestjs/common';
import type { DeployReceipt } from '@platform/contracts';
import { QuotasService, type UserCaller } from '@platform/guards';
import { AppError } from '@platform/platform';
import { isUnfinished, type DeployRow } from '../../apps/deploys/versions/deploy-response.js';
import { DeployWaitService } from '../../apps/deploys/saga/deploy-wait.service.js';
import { DEPLOYS_LIMIT } from '../../apps/deploys/deploys.limits.js';
import { DeploysService } from '../../apps/deploys/deploys.service.js';
import { DocumentCheckService } from '../../apps/deploys/documents/document-check.service.js';
import { toDeployableDocument, formatIssue } from '../../apps/deploys/documents/deployable-document.js';
import { describeChanges } from '../../apps/deploys/versions/changes-text.js';
import { AppWebhooksService } from '../../apps/own-apps/app-webhooks.service.js';
import { AppSubmissionsService } from '../../apps/reviews/app-submissions.service.js';
import { FunctionError } from '../calls/function-error.js';
import type { CallContext, FunctionResult, SystemFunction } from '../calls/system-extensions.registry.js';

/** Shorter than the time limit of a call. */
const WAIT_MS = 20_000;

interface Params {
  app_id: string;
  ir_dict: unknown;
  dev_mode?: boolean;
}

/**
 * `deploy_ir`: stores a document as a version of the developer's app, deploys it, and waits for the
 * result.
 */
@Injectable()
export class DeployIrProvider {
  readonly definition: SystemFunction = {
    name: 'deploy_ir',
    description:
      'Deploys an app from its document: checks it, stores it as a version, and makes that the one that runs. Safe to repeat.',
    action_type: 'write',
    key_scope: 'apps:write',
    params_schema: {
      type: 'object',
      required: ['app_id', 'ir_dict'],
      properties: {
        app_id: {
          type: 'string',
          pattern: '^[A-Za-z0-9_-]{1,64}$',
          description: 'The app, which the caller has created.',
        },
        ir_dict: { description: 'The app document: an object in the simple form or in the envelope form.' },
        dev_mode: {
          type: 'boolean',
          description: 'True (default): only deploys the version. False: also submits the app for review.',
        },
      },
    },
    return_schema: {
      type: 'object',
      required: ['app_id', 'deployed_at', 'steps_registered', 'ir_version'],
      properties: {
        app_id: { type: 'string' },
        deployed_at: { type: 'string', format: 'date-time' },
        steps_registered: { type: 'integer' },
        ir_version: { type: 'string' },
        commit: { type: 'string', description: 'The version.' },
        status: {
          enum: ['deployed', 'waiting'],
          description: 'deployed: the version runs. waiting: it waits for a review, and the previous version runs.',
        },
        waits_for: {
          type: ['object', 'null'],
          description:
            'Differences between a waiting version and the running one: scopes, hosts, capabilities, events, webhooks, schedules, functions, name, icon.',
        },
        webhooks: {
          type: 'array',
          description:
            'Addresses at which other systems call the app. They are different while the app is not published.',
          items: {
            type: 'object',
            properties: {
              path: { type: 'string' },
              method: { type: 'string' },
              channel: { enum: ['live', 'draft'] },
              url: { type: 'string' },
            },
          },
        },
        unchanged: {
          type: 'boolean',
          description: 'True if this version of the document was deployed before, so nothing was done.',
        },
        warnings: {
          type: 'array',
          items: { type: 'string' },
          description: 'Things that are valid, but perhaps not intended.',
        },
      },
    },
    handler: (context, params) => this.deployDocument(context, params as unknown as Params),
  };

  constructor(
    private readonly deploys: DeploysService,
    private readonly waits: DeployWaitService,
    private readonly submissions: AppSubmissionsService,
    private readonly quotas: QuotasService,
    private readonly checker: DocumentCheckService,
    private readonly webhooks: AppWebhooksService,
  ) {}

  private async deployDocument(
    { user }: CallContext,
    { app_id: appId, ir_dict, dev_mode }: Params,
  ): Promise<FunctionResult> {
    await this.quotas.consume(DEPLOYS_LIMIT, user.userId);
    if (!(await this.deploys.isDeveloperOf(user.userId, appId))) {
      throw new FunctionError('APP_NOT_FOUND', `App not found: you have no app "${appId}". Create it first.`);
    }
    const checked = await this.checker.checkDocument(user.userId, { json: JSON.stringify(ir_dict), appId });
    if (!checked.ok) {
      throw new FunctionError('INVALID_IR', `Invalid IR — not deployed. ${checked.issues.map(formatIssue).join(' ')}`, {
        data: { issues: checked.issues },
      });
    }
    const begun = await this.deploys.deployDocument(user, appId, toDeployableDocument(checked));
    const deploy = await this.waits.waitUntilSettled(begun, WAIT_MS);
    assertDeployed(deploy);
    const submission = dev_mode === false ? ` ${await this.submitForReview(user, appId)}` : '';
    const webhooks = (await this.webhooks.findWebhooksByApp([appId])).get(appId) ?? [];
    const isUnchanged = !isUnfinished(begun);
    const deployed = isUnchanged ? 'is already deployed: nothing has changed' : 'is deployed';
    const done =
      deploy.waits_for && deploy.status === 'waiting'
        ? `waits for a review: ${describeChanges(deploy.waits_for)}`
        : deployed;
    const data = { ...receiptOf(deploy, checked), webhooks, unchanged: isUnchanged };
    return { data, summary: `${appId} ${checked.version} ${done}.${submission}` };
  }

  /**
   * Submits the app for review, and returns the result as text, also for a refusal: that does not
   * undo the deploy.
   */
  private async submitForReview(user: UserCaller, appId: string): Promise<string> {
    try {
      await this.submissions.submitApp(user, appId);
      return 'It is submitted for review.';
    } catch (error) {
      if (error instanceof AppError) return `It was not submitted for review: ${error.message}`;
      throw error;
    }
  }
}

function assertDeployed(deploy: DeployRow): void {
  const { deploy_id, status, error_message: reason } = deploy;
  const data = { deploy_id };
  if (status === 'failed') throw new FunctionError('DEPLOY_FAILED', reason, { data });
  if (status === 'superseded')
    throw new FunctionError('DEPLOY_SUPERSEDED', 'A newer deploy has replaced this one.', { data });
  if (!isUnfinished(deploy)) return;
  const goesOn = 'The deploy continues in the background; try again to see its result.';
  throw new FunctionError(
    reason ? 'BACKEND_5XX' : 'BACKEND_TIMEOUT',
    `${reason || 'This takes longer than usual.'} ${goesOn}`,
    {
      retryable: true,
      data,
    },
  );
}

const receiptOf = (deploy: DeployRow, document: CheckedDocument): Omit<DeployReceipt, 'webhooks' | 'unchanged'> => ({
  app_id: deploy.app_id,
  deployed_at: deploy.finished_at as Date,
  steps_registered: document.steps,
  ir_version: document.irVersion,
  commit: document.version,
  status: deploy.status === 'waiting' ? 'waiting' : 'deployed',
  waits_for: deploy.status === 'waiting' ? deploy.waits_for : null,
  validation: 'ok',
  tools_synced: deploy.released_at !== null,
  panels_synced: document.panels > 0,
  icon_synced: document.icon?.includes('<svg') ?? false,
  manifest_synced: true,
  migrations_applied: null,
  warnings: deploy.warnings,
});
