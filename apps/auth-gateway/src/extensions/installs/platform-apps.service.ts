import { Injectable } from '@nestjs/common';
import type { Row } from '@platform/persistence';
import { currentContext, isUnavailable } from '@platform/platform';
import { DataSource } from 'typeorm';
import { RegistryClient } from '../../kernel/peers/registry/registry.client.js';
import { isRefusedWith } from '../../kernel/peers/registry/registry.errors.js';
import { InstallCopiesService, toInstallState } from './install-copies.service.js';
import type { App } from '../../apps/model/app.entity.js';

const MAX_INSTALLS_PER_RUN = 5_000;

interface MissingInstall {
  user_id: string;
  app_id: string;
}

/**
 * Installs apps that users have without a request: those of the platform, and those that the role
 * of a new user includes.
 */
@Injectable()
export class PlatformAppsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: RegistryClient,
    private readonly copies: InstallCopiesService,
  ) {}

  /**
   * Installs the apps that a new user has without a request: those of the user's role, and those of
   * the platform. An unavailable Registry is no error for the platform's own apps, because
   * `installMissing` installs them later.
   *
   * @throws ServiceUnavailable if the role includes apps and the Registry is unavailable.
   */
  async installForNewUser(userId: string): Promise<void> {
    const ofRole = await this.dataSource.query<MissingInstall[]>(
      `SELECT u.id AS user_id, a.app_id FROM users u JOIN roles r ON r.tenant_id = u.tenant_id AND r.name = u.role
         JOIN apps a ON a.app_id = ANY (r.default_extensions) AND a.status = 'active'
       WHERE u.id = $1 AND u.erased_at IS NULL
         AND NOT EXISTS (SELECT FROM installs i WHERE i.user_id = u.id AND i.app_id = a.app_id) ORDER BY a.app_id`,
      [userId],
    );
    for (const lack of ofRole) await this.installApp(lack);
    try {
      for (const lack of await this.findMissing('u.id = $1 ORDER BY a.app_id', userId)) await this.installApp(lack);
    } catch (error) {
      if (!isUnavailable(error, 'registry')) throw error;
      currentContext()?.log.warn({ err: error }, 'the apps of the platform will be installed later');
    }
  }

  /**
   * Installs the platform's own apps for users who lack them, such as after a release with a new
   * app: at most 5,000 users per app and run.
   *
   * @throws ServiceUnavailable while the Registry is unavailable.
   */
  async installMissing(): Promise<void> {
    const apps = await this.dataSource.query<Row<App, 'appId'>[]>(
      "SELECT app_id FROM apps WHERE system AND status = 'active' ORDER BY app_id",
    );
    for (const { app_id } of apps) {
      for (const lack of await this.findMissing(`a.app_id = $1 LIMIT ${MAX_INSTALLS_PER_RUN}`, app_id))
        if (!(await this.installApp(lack))) break;
    }
  }

  /** Pairs of an app of the platform and a user without it. */
  private findMissing(condition: string, value: string): Promise<MissingInstall[]> {
    return this.dataSource.query<MissingInstall[]>(
      `SELECT u.id AS user_id, a.app_id FROM apps a JOIN users u ON u.is_active AND u.erased_at IS NULL
       WHERE a.system AND a.status = 'active'
         AND NOT EXISTS (SELECT FROM installs i WHERE i.user_id = u.id AND i.app_id = a.app_id AND i.removed_at IS NULL) AND ${condition}`,
      [value],
    );
  }

  /**
   * Installs the app for the user. False if the Registry does not know the app yet: the next run
   * tries again. True also if the Registry refuses because the user has too many apps.
   *
   * @throws ServiceUnavailable while the Registry is unavailable.
   */
  private async installApp({ user_id, app_id }: MissingInstall): Promise<boolean> {
    try {
      await this.copies.copyStates([toInstallState(await this.registry.install(user_id, app_id))]);
      return true;
    } catch (error) {
      const isUnknown = isRefusedWith(error, 'app.not_found');
      if (!isUnknown && !isRefusedWith(error, 'install.too_many')) throw error;
      const log = currentContext()?.log;
      if (isUnknown)
        log?.info({ app_id, user_id }, 'the Registry does not have an app of the platform yet; it is installed later');
      else log?.warn({ app_id, user_id, err: error }, 'the Registry did not install an app of the platform');
      return !isUnknown;
    }
  }
}
