import { call, type DeployResponse, type PlatformClient } from '@platform/client';
import type { Command } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import type { Context, ContextOf } from '../context.js';
import { CommandError } from '../failures.js';
import { printable } from '../text/printable.js';

const PAGE = 100;
const LOOK_EVERY_MS = 300;
const GIVE_UP_AFTER_MS = 120_000;

export function addRollback(apps: Command, contextOf: ContextOf): void {
  apps
    .command('rollback')
    .argument('<app>', 'as shown by `platform apps`')
    .argument('[version]', 'one that was deployed; the one that ran before the present one unless told')
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
  if (deploy.status !== 'success') throw new CommandError(printable(deploy.error_message || `The deploy ended as ${deploy.status}.`));
  output.result(deploy, `${printable(appId)} runs ${printable(version)} again, instead of ${printable(present)}.`);
}

/** @throws CommandError when no other version has run. */
async function versionBefore(client: PlatformClient, appId: string, present: string): Promise<string> {
  const params = { path: { app_id: appId }, query: { limit: PAGE } };
  const deploys = await call(client.GET('/v1/developer/apps/{app_id}/deploys', { params }));
  const ran = deploys.filter(({ status, version }) => status === 'success' && version !== null).map(({ version }) => version as string);
  // Of what was deployed last as what runs now.
  const before = ran.slice(ran.indexOf(present) + 1).find((version) => version !== present);
  if (before === undefined) throw new CommandError(`No other version of ${printable(appId)} has run before ${printable(present)}.`);
  return before;
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
