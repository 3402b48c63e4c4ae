import { Injectable } from '@nestjs/common';
import { JobsService } from '@platform/messaging';
import { RetentionService } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { ProvisioningService } from '../../identity/provisioning/provisioning.service.js';
import { servedVersionQueue } from '../../apps/deploys/versions/served-versions.jobs.js';
import { AppDeletionsService } from '../../apps/own-apps/app-deletions.service.js';
import { AccountDeletionService } from '../../kernel/account-deletion/account-deletion.service.js';
import { ConsentsService } from './consents.service.js';
import { schedulePurgeForDeletedUser } from './document-purges.service.js';
import { InstallEventsService } from './install-events.service.js';
import { NARROWING_LIFETIME } from './install-narrowings.js';
import { InstallFeedService } from './install-feed.service.js';
import { installQueue } from './installs.jobs.js';
import { InstallsService } from './installs.service.js';
import { PlatformAppsService } from './platform-apps.service.js';

const COPY_EVERY_MS = 60_000;
const COMPLETE_EVERY_MS = 600_000;

/** Background jobs and hooks for installations. */
@Injectable()
export class InstallsWorker {
  constructor(
    jobs: JobsService,
    provisioning: ProvisioningService,
    accountDeletion: AccountDeletionService,
    deletions: AppDeletionsService,
    installs: InstallsService,
    feed: InstallFeedService,
    platformApps: PlatformAppsService,
    installEvents: InstallEventsService,
    consents: ConsentsService,
    retention: RetentionService,
  ) {
    provisioning.addStep((userId) => platformApps.installForNewUser(userId));
    accountDeletion.addDataStep(async (tenant, userId) => {
      const installs = await tenant.query(
        'SELECT 1 FROM installs WHERE tenant_id = $tenant AND user_id = $1 AND removed_at IS NULL LIMIT 1',
        [userId],
      );
      await schedulePurgeForDeletedUser(tenant.em, userId);
      if (installs.length) await jobs.enqueue(tenant.em, installQueue, 'erase-user', { user_id: userId });
    });
    deletions.setInstallPurge(purgeInstalls);
    jobs.registerHandlers(installQueue, {
      'copy-changes': () => feed.copyChanges(),
      'complete-users': () => platformApps.installMissing(),
      'erase-user': ({ user_id }) => installs.removeAll(user_id),
      'publish-changes': async ({ changes }) => {
        await installEvents.publishChanges(changes);
        // Users who got the app without installing it themselves have agreed to nothing yet.
        const given = changes.filter(({ is_removed }) => !is_removed);
        for (const { app_id, user_id } of given) await consents.notifyMissingScopes(app_id, [user_id]);
      },
    });
    jobs.registerHandlers(servedVersionQueue, { served: ({ app_id }) => consents.notifyMissingScopes(app_id) });
    jobs.scheduleJob(installQueue, 'copy-changes', COPY_EVERY_MS);
    jobs.scheduleJob(installQueue, 'complete-users', COMPLETE_EVERY_MS);
    // Notes are deleted when they no longer count.
    retention.registerExpiredRows({
      table: 'install_narrowings',
      key: 'id',
      where: `created_at < now() - interval '${NARROWING_LIFETIME}'`,
    });
  }
}

/**
 * Deletes the installations of an app that is about to be deleted, and returns the number of users
 * who had it. The counters are deleted first, so that the triggers do not update them for each row.
 */
async function purgeInstalls(em: EntityManager, appId: string): Promise<number> {
  await em.query('DELETE FROM app_listings WHERE app_id = $1', [appId]);
  const [purged] = await em.query<[{ count: number }]>(
    `WITH purged AS (DELETE FROM installs WHERE app_id = $1 RETURNING removed_at)
     SELECT count(*) FILTER (WHERE removed_at IS NULL)::int AS count FROM purged`,
    [appId],
  );
  return purged.count;
}
