import type { CheckedDocument } from '@platform/app-document';
import { Injectable } from '@nestjs/common';
import type { DeployReceipt } from '@platform/contracts';
import { Quotas, type UserCaller } from '@platform/guards';
import { AppError } from '@platform/platform';
import { isUnfinished, type DeployRow } from '../../apps/deploys/versions/deploy-response.js';
import { DeployWaits } from '../../apps/deploys/saga/deploy-waits.js';
import { DEPLOYS_LIMIT } from '../../apps/deploys/deploys.limits.js';
import { Deploys } from '../../apps/deploys/deploys.service.js';
import { DocumentChecker } from '../../apps/deploys/documents/document-checker.js';
import { goodDocument, inWords } from '../../apps/deploys/documents/sent-document.js';
import { newInWords } from '../../apps/deploys/versions/new-in-words.js';
import { AppWebhooks } from '../../apps/own-apps/app-webhooks.js';
import { AppSubmissions } from '../../apps/reviews/app-submissions.service.js';
import { FunctionError } from '../calls/function-error.js';
import type { CallContext, FunctionResult, SystemFunction } from '../calls/system-extension.js';

/** Below the time that a call has. */
const WAIT_MS = 20_000;

interface Params {
  app_id: string;
  ir_dict: unknown;
  dev_mode?: boolean;
}

/** `deploy_ir`: stores a document as a version of the developer's app, has it deployed and waits for it. */
@Injectable()
export class DeployIr {
  readonly definition: SystemFunction = {
    name: 'deploy_ir',
    description: 'Deploys an app from its document: checks it, stores it as a version, and makes that the one that runs. Safe to repeat.',
    action_type: 'write',
    key_scope: 'apps:write',
    params_schema: {
      type: 'object',
      required: ['app_id', 'ir_dict'],
      properties: {
        app_id: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'The app, which the caller has created.' },
        ir_dict: { description: 'The app document: an object in the simple form or in the envelope form.' },
        dev_mode: { type: 'boolean', description: 'True, or absent: the app stays as it is. False: it is submitted for review, too.' },
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
          description: 'Whether the version runs, or waits for a review while the one before runs on.',
        },
        waits_for: {
          type: ['object', 'null'],
          description:
            'What is new in the version beside the one that runs, where it waits: scopes, hosts, capabilities, events, webhooks, schedules, functions, name, icon.',
        },
        webhooks: {
          type: 'array',
          description: 'Where other systems call the app now: at other addresses while it is not published.',
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
        unchanged: { type: 'boolean', description: 'Whether this version of the document was deployed already, so that nothing was done.' },
        warnings: { type: 'array', items: { type: 'string' }, description: 'What is not wrong, but perhaps not meant.' },
      },
    },
    handler: (context, params) => this.run(context, params as unknown as Params),
  };

  constructor(
    private readonly deploys: Deploys,
    private readonly waits: DeployWaits,
    private readonly submissions: AppSubmissions,
    private readonly quotas: Quotas,
    private readonly checker: DocumentChecker,
    private readonly webhooks: AppWebhooks,
  ) {}

  private async run({ user }: CallContext, { app_id: appId, ir_dict, dev_mode }: Params): Promise<FunctionResult> {
    await this.quotas.take(DEPLOYS_LIMIT, user.userId);
    if (!(await this.deploys.isOwn(user.userId, appId))) {
      throw new FunctionError('APP_NOT_FOUND', `App not found: you have no app "${appId}". Create it first.`);
    }
    const checked = await this.checker.read(user.userId, { json: JSON.stringify(ir_dict), appId });
    if (!checked.ok) {
      throw new FunctionError('INVALID_IR', `Invalid IR — not deployed. ${checked.issues.map(inWords).join(' ')}`, {
        data: { issues: checked.issues },
      });
    }
    const begun = await this.deploys.deployDocument(user, appId, goodDocument(checked));
    const deploy = await this.waits.settled(begun, WAIT_MS);
    assertDeployed(deploy);
    const submission = dev_mode === false ? ` ${await this.submit(user, appId)}` : '';
    const webhooks = (await this.webhooks.of([appId])).get(appId) ?? [];
    const isUnchanged = !isUnfinished(begun);
    const deployed = isUnchanged ? 'is deployed already: nothing has changed' : 'is deployed';
    const done = deploy.waits_for && deploy.status === 'waiting' ? `waits for a review: ${newInWords(deploy.waits_for)}` : deployed;
    const data = { ...receiptOf(deploy, checked), webhooks, unchanged: isUnchanged };
    return { data, summary: `${appId} ${checked.version} ${done}.${submission}` };
  }

  /** In words: the deploy has succeeded whatever becomes of this. */
  private async submit(user: UserCaller, appId: string): Promise<string> {
    try {
      await this.submissions.submit(user, appId);
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
  if (status === 'superseded') throw new FunctionError('DEPLOY_SUPERSEDED', 'A newer deploy has taken the place of this one.', { data });
  if (!isUnfinished(deploy)) return;
  const goesOn = 'The deploy goes on in the background; try again to see what became of it.';
  throw new FunctionError(reason ? 'BACKEND_5XX' : 'BACKEND_TIMEOUT', `${reason || 'This takes longer than usual.'} ${goesOn}`, {
    retryable: true,
    data,
  });
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
