import { Injectable } from '@nestjs/common';
import { isAppId } from '@platform/contracts';
import { columns, queryPrepared, type RowOf } from '@platform/persistence';
import { isUnavailable, maxEntries } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { GatewayClient } from '../gateway/gateway.client.js';
import { StoredDeployedApp } from './stored-deployed-app.entity.js';

/** The running version of an app. */
export interface DeployedApp {
  app_id: string;
  version: string;
  /** Hash of the canonical document, in hexadecimal. */
  sha256: string;
  /** Tenant of the developer, in which the webhooks of the app run. */
  tenant_id: string;
  developer_id: string;
  is_active: boolean;
  /** True if no handler of the app may start by itself. */
  is_suspended: boolean;
  /** Hosts to which it may send requests; `*` is any host. */
  hosts: string[];
  /** Members of the context that it may use. */
  capabilities: string[];
}

/** Time within which a new deploy or a suspension takes effect here. */
const MAX_AGE_MS = 5_000;
const KNOWN_APPS = 10_000;

const COLUMNS = columns(StoredDeployedApp, [
  'appId',
  'version',
  'sha256',
  'tenantId',
  'developerId',
  'isActive',
  'isSuspended',
  'hosts',
  'capabilities',
]);

interface Known {
  app: DeployedApp | null;
  /** Time of the question to the gateway, in `performance.now()`. */
  askedAt: number;
  /** True if the gateway has answered; false if this is the stored answer. */
  isTold: boolean;
}

/**
 * Knows the running version of each app. Answers are at most 5 s old, or the last known ones while
 * the gateway is unreachable.
 */
@Injectable()
export class DeployedAppsService {
  private readonly known = new LRUCache<string, Known>({
    ...maxEntries(KNOWN_APPS),
    ttl: MAX_AGE_MS,
    // Concurrent callers wait for the same question.
    fetchMethod: async (appId) => {
      const askedAt = performance.now();
      return { ...(await this.ask(appId)), askedAt };
    },
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly gateway: GatewayClient,
  ) {}

  /**
   * Returns the running version of an app; null if the app does not exist or runs no version. While
   * the gateway is unreachable, it is the version of the gateway's last answer.
   *
   * @param since in `performance.now()`: answers to earlier questions are not used.
   * @throws AppError 503 `gateway_unavailable` if the gateway is unreachable, and its last answer,
   * if there was one, named no version.
   */
  async findApp(appId: string, since = 0): Promise<DeployedApp | null> {
    if (!isAppId(appId)) return null;
    let found = await this.known.fetch(appId);
    // A question that was already pending can be older than `since`.
    while (found && found.askedAt < since) found = await this.known.fetch(appId, { forceRefresh: true });
    return found?.app ?? null;
  }

  /**
   * Cached answer of the gateway, also if it is no longer current: for facts that never change for
   * the same content. Null if none is cached, if the app runs no version, or if the latest question
   * found the gateway unreachable.
   */
  findCachedApp(appId: string): DeployedApp | null {
    const known = this.known.peek(appId, { allowStale: true });
    return known?.isTold ? known.app : null;
  }

  private async ask(appId: string): Promise<Omit<Known, 'askedAt'>> {
    try {
      const app = await this.gateway.fetchRuntime(appId);
      await this.remember(appId, app);
      return { app, isTold: true };
    } catch (error) {
      if (!isUnavailable(error, 'gateway')) throw error;
      const remembered = await this.remembered(appId);
      if (!remembered) throw error;
      return { app: remembered, isTold: false };
    }
  }

  private async remember(appId: string, app: DeployedApp | null): Promise<void> {
    if (!app) {
      await queryPrepared(this.dataSource, 'DELETE FROM deployed_apps WHERE app_id = $1', [appId]);
      return;
    }
    await queryPrepared(
      this.dataSource,
      `INSERT INTO deployed_apps AS known (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (app_id) DO UPDATE SET version = excluded.version, sha256 = excluded.sha256, tenant_id = excluded.tenant_id,
         developer_id = excluded.developer_id, is_active = excluded.is_active, is_suspended = excluded.is_suspended,
         hosts = excluded.hosts, capabilities = excluded.capabilities, updated_at = now()
       WHERE (known.version, known.sha256, known.tenant_id, known.developer_id, known.is_active, known.is_suspended, known.hosts,
           known.capabilities)
         IS DISTINCT FROM (excluded.version, excluded.sha256, excluded.tenant_id, excluded.developer_id, excluded.is_active,
           excluded.is_suspended, excluded.hosts, excluded.capabilities)`,
      [
        appId,
        app.version,
        app.sha256,
        app.tenant_id,
        app.developer_id,
        app.is_active,
        app.is_suspended,
        app.hosts,
        app.capabilities,
      ],
    );
  }

  private async remembered(appId: string): Promise<DeployedApp | null> {
    const [row] = await queryPrepared<RowOf<typeof COLUMNS>>(
      this.dataSource,
      `SELECT ${COLUMNS} FROM deployed_apps WHERE app_id = $1`,
      [appId],
    );
    return row ?? null;
  }
}
