import type { SettingDeclaration } from '@platform/app-document';
import { Injectable } from '@nestjs/common';
import { isRecord, type AppConfigResponse } from '@platform/contracts';
import { AppError } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { RegistryClient } from '../../kernel/peers/registry/registry.client.js';
import { isRefusedWith } from '../../kernel/peers/registry/registry.errors.js';
import type { AllowedRun } from '../run-grants/run-grants.service.js';

type Settings = Record<string, unknown>;

const KEPT_MS = 5_000;
/** Size as JSON. */
const BYTES_KEPT = 16 * 1024 * 1024;

const notFound = () => new AppError(404, 'app.not_found', 'There is no such app.');

/**
 * Computes the `config` of a run. The Registry stores the settings of an app: those for the
 * platform, a tenant, a role or a user under `layers`, and those for everyone beside it.
 */
@Injectable()
export class AppConfigsService {
  private readonly settings = new LRUCache<string, Settings>({
    maxSize: BYTES_KEPT,
    sizeCalculation: (settings) => JSON.stringify(settings).length,
    ttl: KEPT_MS,
    fetchMethod: (appId) => this.fetchSettings(appId),
    // While the Registry is unavailable, the last known settings count.
    allowStaleOnFetchRejection: true,
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: RegistryClient,
  ) {}

  /**
   * Returns the configuration of the run's app, for its tenant and user. Each of these replaces
   * values of those before it: the defaults of the app's document; settings for the platform, the
   * tenant, the user's role, everyone and the user; values that the tenant enforces. A change takes
   * effect within 5 s.
   *
   * @throws AppError 404 `app.not_found` if the app was deleted meanwhile; ServiceUnavailable if
   * the Registry is unavailable and no settings of the app are cached.
   */
  async resolveConfig({
    appId,
    tenantId,
    user,
  }: Pick<AllowedRun, 'appId' | 'tenantId' | 'user'>): Promise<AppConfigResponse> {
    const [declared, settings] = await Promise.all([this.loadDeclarations(appId), this.settings.forceFetch(appId)]);
    const { layers, skeleton: _ofSessions, ...app } = settings;
    const ofAll = recordAt(layers);
    const ofTenant = recordAt(ofAll['tenants'], tenantId);
    const inOrder = [
      defaultsOf(declared),
      recordAt(ofAll['platform']),
      recordAt(ofTenant['config']),
      user ? recordAt(ofTenant['roles'], user.role) : {},
      app,
      user ? recordAt(ofTenant['users'], user.userId) : {},
      recordAt(ofTenant['enforced']),
    ];
    return { config: inOrder.reduce(merged) };
  }

  private async loadDeclarations(appId: string): Promise<SettingDeclaration[]> {
    const [app] = await this.dataSource.query<{ settings: SettingDeclaration[] | null }[]>(
      `SELECT v.document -> 'app' -> 'settings' AS settings
       FROM apps a LEFT JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version WHERE a.app_id = $1`,
      [appId],
    );
    if (!app) throw notFound();
    return app.settings ?? [];
  }

  private async fetchSettings(appId: string): Promise<Settings> {
    try {
      return (await this.registry.getSettings(appId)).value;
    } catch (error) {
      if (isRefusedWith(error, 'app.not_found')) return {};
      throw error;
    }
  }
}

/** The object at this key, or an empty one. */
function recordAt(value: unknown, key?: string): Settings {
  const found = key === undefined ? value : isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isRecord(found) ? found : {};
}

/**
 * Merges `over` into `under`, objects at any depth; other values of `over` replace those of
 * `under`. Keys that reach a prototype are refused when settings are written.
 */
function merged(under: Settings, over: Settings): Settings {
  const result = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = result[key];
    result[key] = isRecord(below) && isRecord(value) ? merged(below, value) : value;
  }
  return result;
}

const defaultsOf = (declared: readonly SettingDeclaration[]): Settings =>
  declared.map(({ name, default: value }) => nested(name.split('.'), value)).reduce(merged, {});

const nested = ([key = '', ...rest]: string[], value: unknown): Settings => ({
  [key]: rest.length ? nested(rest, value) : value,
});
