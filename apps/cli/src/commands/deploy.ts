import type { AppDocument, DocumentIssue } from '@platform/app-document';
import type { AppResponse } from '@platform/client';
import type { Command } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import { acceptable, checkDocumentFile, defaultFile, issueLines } from '../app-document/document-file.js';
import type { Context, ContextOf } from '../context.js';
import { ensureApp } from '../deploying/developer-apps.js';
import { deployDocument, DeployRefused, type DeployReceipt, type DeployRequest } from '../deploying/deploy-document.js';
import { refusalLines } from '../deploying/refusal.js';
import { DeployProgress } from '../deploying/deploy-progress.js';
import { ensureDeveloper } from '../deploying/developer.js';
import { CommandError } from '../failures.js';
import { printable } from '../text/printable.js';
import { startProgressLine } from '../text/progress-line.js';
import { newLines } from '../text/new-in-version.js';
import { moment } from '../text/times.js';
import { ABOUT_DRAFT_ADDRESSES, webhookLines } from '../text/webhook-lines.js';

/** The platform answers when the deploy is done, or after 20 s. */
const TIMEOUT_MS = 40_000;

interface DeployOptions {
  nickname?: string;
}

export function addDeploy(program: Command, contextOf: ContextOf): void {
  program
    .command('deploy')
    .argument('[file]', 'app document, or source file of an extension', defaultFile())
    .option('--nickname <name>', 'register as a developer with this nickname, if you are not one yet')
    .description('deploy an app; safe to repeat. Accepts PLATFORM_API_KEY')
    .addHelpText('after', '\nExample:\n  $ platform deploy --json | jq .steps_registered')
    .action((file: string, options: DeployOptions, command: Command) => deploy(contextOf(command), file, options));
}

async function deploy(context: Context, file: string, { nickname }: DeployOptions): Promise<void> {
  const { output } = context;
  const checked = await checkDocumentFile(file);
  const document = acceptable(file, checked);
  for (const line of issueLines(file, checked.warnings)) output.note(line);
  const client = context.keyOrSessionWithin(TIMEOUT_MS);
  const developer = await ensureDeveloper(context, client, document.app.id, nickname);
  const app = await ensureApp(client, document.app);

  const appId = document.app.id;
  const receipt = await deployWatched(context, {
    client,
    userId: developer.platform_id,
    appId,
    document: checked.value,
  }).catch((error: unknown) => {
    if (!(error instanceof DeployRefused)) throw error;
    throw new CommandError(refusalLines(error, file, checked.locate).join('\n'));
  });
  const known = new Set(checked.warnings.map(inWords));
  for (const warning of receipt.warnings) if (!known.has(warning)) output.note(`Warning: ${printable(warning)}`);
  output.result(receipt, receiptText(receipt, document, app));
}

async function deployWatched(
  { interruption }: Context,
  what: Pick<DeployRequest, 'client' | 'userId' | 'appId' | 'document'>,
): Promise<DeployReceipt> {
  const line = startProgressLine(`Deploying ${what.appId}`, interruption.signal);
  try {
    const progress = await DeployProgress.start(what.client, what.appId, line);
    return await deployDocument({ ...what, pause: delay, onTrouble: (reason) => line.trouble(reason) }).finally(() =>
      progress.stop(),
    );
  } finally {
    line.stop();
  }
}

/** Formats a warning as the platform does, to skip warnings that were already printed. */
const inWords = ({ pointer, message }: Pick<DocumentIssue, 'pointer' | 'message'>): string =>
  pointer ? `${pointer}: ${message}` : message;

function receiptText(
  { steps_registered, deployed_at, webhooks, unchanged, waits_for }: DeployReceipt,
  { app }: AppDocument,
  { status }: AppResponse,
): string {
  const functions = app.functions.map(({ name, action_type }) => `${name} (${action_type})`).join(', ');
  const lines = [
    unchanged
      ? `${app.id} ${app.version} ${waits_for ? 'is already waiting for review' : 'is already deployed'}: nothing has changed.`
      : `${app.id} ${app.version} was ${waits_for ? 'accepted' : 'deployed'}.`,
    `  Functions    ${functions || 'none'}`,
    ...webhookLines(webhooks).map((line, at) => `  ${(at ? '' : 'Webhooks').padEnd(12)} ${line}`),
    `  Steps        ${steps_registered}`,
    `  Deployed     ${moment(deployed_at)}`,
  ];
  if (webhooks.some(({ channel }) => channel === 'draft')) lines.push('', ABOUT_DRAFT_ADDRESSES);
  if (waits_for) {
    lines.push(
      '',
      'It waits for review; the previous version keeps running. New in this version:',
      ...newLines(waits_for).map((line) => `  ${line}`),
    );
  }
  if (status === 'draft')
    lines.push('', `The app is a draft. Run \`platform submit ${app.id}\` to request the review for the marketplace.`);
  return lines.join('\n');
}
