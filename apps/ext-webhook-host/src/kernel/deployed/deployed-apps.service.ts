import { Injectable } from '@nestjs/common';
import { isAppId } from '@platform/contracts';
import { columns, queryPrepared, type RowOf } from '@platform/persistence';
import { isUnavailable, maxEntries } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { GatewayClient } from '../gateway/gateway-client.js';
import { KnownDeployedApp } from './deployed-app.entity.js';

/** The version of an app that runs. */
export interface DeployedApp {
  app_id: string;
  version: string;
  /** Of the canonical document, in hexadecimal. */
  sha256: string;
  /** Of its developer: where its webhooks run. */
  tenant_id: string;
  developer_id: string;
  is_active: boolean;
  /** Nothing of it runs by itself. */
  is_suspended: boolean;
  /** Where it may send requests. Null: anywhere, as versions may that are from before there were such lists. */
  hosts: string[] | null;
  /**
   * What of its context it may use. Null: all, as versions may that are from before there were such lists. Undefined where the gateway has not
   * said it, since it is older, or was when it was last asked.
   */
  capabilities?: string[] | null | undefined;
}

/** What a new deploy or a suspension needs to count here. */
const MAX_AGE_MS = 5_000;
const KNOWN_APPS = 10_000;

const COLUMNS = columns(KnownDeployedApp, [
  'appId',
  'version',
  'sha256',
  'tenantId',
  'developerId',
  'isActive',
  'isSuspended',
  'hosts',
  'capabilities',
  'capabilitiesOf',
]);

interface Known {
  app: DeployedApp | null;
  /** When the gateway was asked, on the clock of `performance`. */
  askedAt: number;
  /** Whether the gateway said it, and not what was noted of it. */
  isTold: boolean;
}

/** Which version of each app runs. At most 5 s old, or the last known answer while the gateway is away. */
@Injectable()
export class DeployedApps {
  private readonly known = new LRUCache<string, Known>({
    ...maxEntries(KNOWN_APPS),
    ttl: MAX_AGE_MS,
    // Whoever asks while a question is under way waits for its answer.
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
   * Null when there is no such app or it has no version.
   *
   * @param since of `performance.now()`: an answer to what was asked before then does not do.
   * @throws AppError 503 when the gateway is away and the app was never asked for.
   */
  async find(appId: string, since = 0): Promise<DeployedApp | null> {
    if (!isAppId(appId)) return null;
    let found = await this.known.fetch(appId);
    // One that is under way may have been asked before.
    while (found && found.askedAt < since) found = await this.known.fetch(appId, { forceRefresh: true });
    return found?.app ?? null;
  }

  /** As the gateway said last, however long ago: for what never changes of the same content. Null where it has not said anything. */
  lastTold(appId: string): DeployedApp | null {
    const known = this.known.peek(appId, { allowStale: true });
    return known?.isTold ? known.app : null;
  }

  private async ask(appId: string): Promise<Omit<Known, 'askedAt'>> {
    try {
      const told = await this.gateway.runtime(appId);
      // An older gateway does not say it, and nobody else may.
      const app =
        told &&
        Object.assign(told, {
          is_suspended: (told.is_suspended as boolean | undefined) ?? true,
          hosts: (told.hosts as string[] | null | undefined) ?? null,
        });
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
      `INSERT INTO deployed_apps AS known (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       ON CONFLICT (app_id) DO UPDATE SET version = excluded.version, sha256 = excluded.sha256, tenant_id = excluded.tenant_id,
         developer_id = excluded.developer_id, is_active = excluded.is_active, is_suspended = excluded.is_suspended,
         hosts = excluded.hosts, capabilities = excluded.capabilities, capabilities_of = excluded.capabilities_of, updated_at = now()
       WHERE (known.version, known.sha256, known.tenant_id, known.developer_id, known.is_active, known.is_suspended, known.hosts,
           known.capabilities, known.capabilities_of)
         IS DISTINCT FROM (excluded.version, excluded.sha256, excluded.tenant_id, excluded.developer_id, excluded.is_active,
           excluded.is_suspended, excluded.hosts, excluded.capabilities, excluded.capabilities_of)`,
      [
        appId,
        app.version,
        app.sha256,
        app.tenant_id,
        app.developer_id,
        app.is_active,
        app.is_suspended,
        app.hosts,
        app.capabilities ?? null,
        app.capabilities === undefined ? null : app.sha256,
      ],
    );
  }

  private async remembered(appId: string): Promise<DeployedApp | null> {
    const [row] = await queryPrepared<RowOf<typeof COLUMNS>>(this.dataSource, `SELECT ${COLUMNS} FROM deployed_apps WHERE app_id = $1`, [
      appId,
    ]);
    if (!row) return null;
    const { capabilities_of: toldOf, ...app } = row;
    return { ...app, capabilities: toldOf === app.sha256 ? app.capabilities : undefined };
  }
}
