import { Inject, Injectable } from '@nestjs/common';
import { Jobs } from '@platform/messaging';
import { Provisioning } from '../../accounts/provisioning.js';
import { InstallFeed } from './install-feed.js';
import { installQueue } from './installs.jobs.js';
import { Installs } from './installs.service.js';
import { PlatformApps } from './platform-apps.js';

const COPY_EVERY_MS = 60_000;
const COMPLETE_EVERY_MS = 600_000;

/** What happens to installs by itself. */
@Injectable()
export class InstallWorker {
  constructor(
    @Inject(Jobs) jobs: Jobs,
    @Inject(Provisioning) provisioning: Provisioning,
    @Inject(Installs) installs: Installs,
    @Inject(InstallFeed) feed: InstallFeed,
    @Inject(PlatformApps) platformApps: PlatformApps,
  ) {
    provisioning.add((userId) => platformApps.giveTo(userId));
    jobs.process(installQueue, {
      'copy-changes': () => feed.copyChanges(),
      'complete-users': () => platformApps.completeUsers(),
      'erase-user': ({ user_id }) => installs.removeAll(user_id),
    });
    jobs.schedule(installQueue, 'copy-changes', COPY_EVERY_MS);
    jobs.schedule(installQueue, 'complete-users', COMPLETE_EVERY_MS);
  }
}
