import { call, type DeployResponse, type PlatformClient } from '@platform/client';
import type { Command } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import type { Context, ContextOf } from '../context.js';
import { CommandError } from '../failures.js';
import { pagesOf } from '../pages.js';
import { newLines } from '../text/new-in-version.js';
import { printable, printableLines } from '../text/printable.js';

const LOOK_EVERY_MS = 300;
const GIVE_UP_AFTER_MS = 120_000;

export function addRollback(apps: Command, contextOf: ContextOf): void {
  apps
    .command('rollback')
    .argument('<app>', 'id of the app, see `platform apps`')
    .argument(
      '[version]',
      'an earlier version; by default the one that ran before the current version, without versions of `platform dev`',
    )
    .description('roll an app back to an earlier version')
    .addHelpText('after', '\nExample:\n  $ platform apps rollback notes 1.2.0')
    .action((appId: string, version: string | undefined, _options: object, command: Command) =>
      rollback(contextOf(command), appId, version),
    );
}

async function rollback({ keyOrSession: client, output }: Context, appId: string, wanted?: string): Promise<void> {
  const path = { app_id: appId };
  const { version: present } = await call(client.GET('/v1/developer/apps/{app_id}', { params: { path } }));
  if (present === null)
    throw new CommandError(`No version of ${printable(appId)} is running, so it cannot be rolled back.`);
  if (wanted === present) throw new CommandError(`${printable(appId)} already runs ${printable(present)}.`);
  const version = wanted ?? (await versionBefore(client, appId, present));
  const changelog = `Rollback from ${present}`;
  const begun = await call(
    client.POST('/v1/developer/apps/{app_id}/deploys', { params: { path }, body: { version, changelog } }),
  );
  const deploy = await ended(client, begun);
  const { waits_for } = deploy;
  if (deploy.status === 'waiting' && waits_for) {
    const lines = [
      `It waits for review; ${printable(present)} keeps running. New in this version:`,
      ...newLines(waits_for).map((line) => `  ${line}`),
    ];
    output.result(deploy, [`${printable(appId)} ${printable(version)} was accepted.`, ...lines].join('\n'));
    return;
  }
  if (deploy.status !== 'success')
    throw new CommandError(
      printableLines(deploy.error_message || `The deploy ended with the status ${deploy.status}.`),
    );
  output.result(deploy, `${printable(appId)} now runs ${printable(version)} instead of ${printable(present)}.`);
}

/**
 * Finds the version to roll back to: that of the newest successful deploy before the last one of
 * the current version, or the newest one if the current version has no deploy. Skips versions of
 * `platform dev`.
 *
 * @throws CommandError if there is none.
 */
async function versionBefore(client: PlatformClient, appId: string, present: string): Promise<string> {
  const path = { app_id: appId };
  const pages = pagesOf((query) =>
    call(client.GET('/v1/developer/apps/{app_id}/deploys', { params: { path, query } })),
  );
  // Deploys are listed newest first, so the wanted version follows the last deploy of the current
  // one. A current version without a deploy is newer than all deploys.
  let newest: string | undefined;
  let isPast = false;
  // Versions of `platform dev` were test versions of the developer, not meant for users.
  const { developmentNumber } = await import('@platform/app-document');
  for await (const deploys of pages) {
    for (const { status, version } of deploys) {
      if (status !== 'success' || version === null) continue;
      if (version === present) isPast = true;
      else if (developmentNumber(version) !== null) continue;
      else if (isPast) return version;
      else newest ??= version;
    }
  }
  if (isPast || newest === undefined) {
    const none = `No other version of ${printable(appId)} ran before ${printable(present)}.`;
    throw new CommandError(`${none} To roll back to a version of \`platform dev\`, name it.`);
  }
  return newest;
}

async function ended(client: PlatformClient, begun: DeployResponse): Promise<DeployResponse> {
  const path = { app_id: begun.app_id, deploy_id: begun.deploy_id };
  const deadline = Date.now() + GIVE_UP_AFTER_MS;
  for (
    let deploy = begun;
    ;
    deploy = await call(client.GET('/v1/developer/apps/{app_id}/deploys/{deploy_id}', { params: { path } }))
  ) {
    if (deploy.deployed_at !== null) return deploy;
    if (Date.now() > deadline)
      throw new CommandError(
        'The rollback takes longer than usual and continues. `platform apps` shows the running version.',
      );
    await delay(LOOK_EVERY_MS);
  }
}
