import { Injectable } from '@nestjs/common';
import { exponentialBackoff, JobsService, type QueueDefinition } from '@platform/messaging';
import { Outbox } from '@platform/persistence';
import type { DataSource } from 'typeorm';
import { lockAppForDeploy } from '../../apps/model/developer-reach.js';
import { DeploysService } from '../../apps/deploys/deploys.service.js';
import { createManifestVersion } from '../../apps/deploys/versions/versions.js';
import { RegistryClient } from '../../kernel/peers/registry/registry.client.js';
import { SystemExtensionsRegistry } from '../calls/system-extensions.registry.js';

const SYSTEM_APPS = [
  { appId: 'developer', displayName: 'Developer', summary: 'Deploy and manage your apps.' },
  { appId: 'billing', displayName: 'Billing', summary: 'Your credits, your plan and your payments.' },
  { appId: 'automations', displayName: 'Automations', summary: 'Run functions automatically when something happens.' },
];

/** Inserts the apps of the system extensions that are missing. */
export async function seedSystemApps(dataSource: DataSource): Promise<void> {
  for (const { appId, displayName, summary } of SYSTEM_APPS) {
    await dataSource.query(
      `INSERT INTO apps (app_id, display_name, short_description, system, status, published_at) VALUES ($1, $2, $3, true, 'active', now())
       ON CONFLICT DO NOTHING`,
      [appId, displayName, summary],
    );
  }
}

type SystemAppJobs = { deploy: Record<string, never> };

const EVERY_MS = 5 * 60_000;

const systemAppQueue: QueueDefinition<SystemAppJobs> = {
  name: 'system-apps',
  attempts: 10, // at the start of the platform, until the Registry has started, too
  backoff: exponentialBackoff(1_000, 60_000),
  concurrency: 1,
};

/**
 * Deploys the manifests of this release's system extensions to the Registry, in the same way as
 * other apps.
 */
@Injectable()
export class SystemAppsWorker {
  constructor(
    private readonly outbox: Outbox,
    private readonly deploys: DeploysService,
    private readonly registry: RegistryClient,
    private readonly extensions: SystemExtensionsRegistry,
    jobs: JobsService,
  ) {
    jobs.registerHandlers(systemAppQueue, { deploy: () => this.deployManifests() });
    jobs.scheduleJob(systemAppQueue, 'deploy', EVERY_MS, { atStart: true });
  }

  /**
   * Deploys the manifests of all system extensions that are not served yet.
   *
   * @throws ServiceUnavailable while the Registry is unavailable.
   */
  async deployManifests(): Promise<void> {
    await this.registry.getHealth();
    for (const { appId, manifest } of this.extensions.listManifests()) {
      await this.outbox.transaction(async (em) => {
        const app = await lockAppForDeploy(em, appId, null);
        await this.deploys.startUnlessServed(em, app, createManifestVersion(manifest), {
          requestedBy: 'platform',
          changelog: 'Comes with the platform',
        });
      });
    }
  }
}
