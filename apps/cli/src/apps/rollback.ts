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
    .argument('<app>', 'as shown by `platform apps`')
    .argument('[version]', 'one that was deployed; the one that ran before the present one unless told, and none of `platform dev`')
    .description('run an earlier version of an app again')
    .addHelpText('after', '\nExample:\n  $ platform apps rollback notes 1.2.0')
    .action((appId: string, version: string | undefined, _options: object, command: Command) =>
      rollback(contextOf(command), appId, version),
    );
}

async function rollback({ keyOrSession: client, output }: Context, appId: string, wanted?: string): Promise<void> {
  const path = { app_id: appId };
  const { version: present } = await call(client.GET('/v1/developer/apps/{app_id}', { params: { path } }));
  if (present === null) throw new CommandError(`Nothing of ${printable(appId)} runs, so there is nothing to go back from.`);
  if (wanted === present) throw new CommandError(`${printable(appId)} runs ${printable(present)} already.`);
  const version = wanted ?? (await versionBefore(client, appId, present));
  const changelog = `Back from ${present}`;
  const begun = await call(client.POST('/v1/developer/apps/{app_id}/deploys', { params: { path }, body: { version, changelog } }));
  const deploy = await ended(client, begun);
  const { waits_for } = deploy;
  if (deploy.status === 'waiting' && waits_for) {
    const lines = [
      `It waits for a review, and ${printable(present)} runs on. New in it:`,
      ...newLines(waits_for).map((line) => `  ${line}`),
    ];
    output.result(deploy, [`${printable(appId)} ${printable(version)} is accepted.`, ...lines].join('\n'));
    return;
  }
  if (deploy.status !== 'success') throw new CommandError(printableLines(deploy.error_message || `The deploy ended as ${deploy.status}.`));
  output.result(deploy, `${printable(appId)} runs ${printable(version)} again, instead of ${printable(present)}.`);
}

/** @throws CommandError when no other version has run. */
async function versionBefore(client: PlatformClient, appId: string, present: string): Promise<string> {
  const path = { app_id: appId };
  const pages = pagesOf((query) => call(client.GET('/v1/developer/apps/{app_id}/deploys', { params: { path, query } })));
  // Newest first: what ran before the last deploy of the present version. What no deploy brought here came after all of them.
  let newest: string | undefined;
  let isPast = false;
  // What `platform dev` has made was tried by its developer alone, and never meant for users.
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
    const none = `No other version of ${printable(appId)} has run before ${printable(present)}.`;
    throw new CommandError(`${none} One of \`platform dev\` is gone back to only where you name it.`);
  }
  return newest;
}

async function ended(client: PlatformClient, begun: DeployResponse): Promise<DeployResponse> {
  const path = { app_id: begun.app_id, deploy_id: begun.deploy_id };
  const deadline = Date.now() + GIVE_UP_AFTER_MS;
  for (let deploy = begun; ; deploy = await call(client.GET('/v1/developer/apps/{app_id}/deploys/{deploy_id}', { params: { path } }))) {
    if (deploy.deployed_at !== null) return deploy;
    if (Date.now() > deadline) throw new CommandError('It takes longer than usual, and goes on. `platform apps` shows what runs.');
    await delay(LOOK_EVERY_MS);
  }
}
