import { Inject, Injectable } from '@nestjs/common';
import { currentContext } from '@platform/platform';
import { DataSource } from 'typeorm';
import { RegistryClient } from '../../registry/registry-client.js';
import { isRefusedWith, RegistryUnavailable } from '../../registry/registry.errors.js';
import { copyInstalls, stateOf } from './install-copies.js';

const BATCH = 500;
const MOST_BATCHES = 20;

interface Lack {
  user_id: string;
  app_id: string;
}

/** The apps that users have without asking: the platform's own, and those that their role brings when they are created. */
@Injectable()
export class PlatformApps {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(RegistryClient) private readonly registry: RegistryClient,
  ) {}

  /**
   * What a new user gets. Nobody waits for the Registry because of the platform's own apps, which `completeUsers` gives too.
   *
   * @throws RegistryUnavailable when the role brings apps and the Registry is away.
   */
  async giveTo(userId: string): Promise<void> {
    const ofRole = await this.dataSource.query<Lack[]>(
      `SELECT u.id AS user_id, a.app_id FROM users u JOIN roles r ON r.tenant_id = u.tenant_id AND r.name = u.role
         JOIN apps a ON a.app_id = ANY (r.default_extensions) AND a.status = 'active'
       WHERE u.id = $1 AND u.erased_at IS NULL
         AND NOT EXISTS (SELECT FROM installs i WHERE i.user_id = u.id AND i.app_id = a.app_id) ORDER BY a.app_id`,
      [userId],
    );
    await this.give(ofRole);
    const ofPlatform = await this.dataSource.query<Lack[]>(`${LACKS} AND u.id = $1 ORDER BY a.app_id`, [userId]);
    await this.give(ofPlatform).catch((error: unknown) => {
      if (!(error instanceof RegistryUnavailable)) throw error;
      currentContext()?.log.warn({ err: error }, 'the apps of the platform come later');
    });
  }

  /** Gives the platform's own apps to all users who lack them, such as an app that is new; as many as one run should. */
  async completeUsers(): Promise<void> {
    for (let batch = 0; batch < MOST_BATCHES; batch++) {
      const lacks = await this.dataSource.query<Lack[]>(`${LACKS} LIMIT ${BATCH}`);
      const given = await this.give(lacks);
      if (lacks.length < BATCH || !given) return;
    }
  }

  /** Returns how many were given: an app that the Registry does not have yet is left for later. */
  private async give(lacks: readonly Lack[]): Promise<number> {
    const unknown = new Set<string>();
    let given = 0;
    for (const { user_id, app_id } of lacks) {
      if (unknown.has(app_id)) continue;
      try {
        await copyInstalls(this.dataSource.manager, [stateOf(await this.registry.install(user_id, app_id))]);
        given++;
      } catch (error) {
        if (!isRefusedWith(error, 'app.not_found')) throw error;
        unknown.add(app_id);
        currentContext()?.log.warn({ app_id }, 'the Registry does not have this app');
      }
    }
    return given;
  }
}

/** Each of the platform's own apps with each user who does not have it. */
const LACKS = `SELECT u.id AS user_id, a.app_id FROM apps a JOIN users u ON u.is_active AND u.erased_at IS NULL
  WHERE a.system AND a.status = 'active'
    AND NOT EXISTS (SELECT FROM installs i WHERE i.user_id = u.id AND i.app_id = a.app_id AND i.removed_at IS NULL)`;
