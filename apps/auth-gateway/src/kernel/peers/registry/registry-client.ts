import type { OnApplicationShutdown } from '@nestjs/common';
import type {
  AsJson,
  CatalogQuery,
  CatalogResponse,
  CreateRegistryAppRequest,
  DeleteRegistryAppResponse,
  GetToolsQuery,
  HealthResponse,
  InstallChangesQuery,
  InstallChangesResponse,
  ListInstallsQuery,
  ListRegistryAppsQuery,
  PutToolsRequest,
  PutToolsResponse,
  RegisterInstallRequest,
  RegistryApp,
  RegistryInstall,
  RemovedInstall,
  SkeletonSection,
  ToolDefinition,
  ToolManifestResponse,
  UpdateRegistryAppRequest,
} from '@platform/contracts';
import { segments, ServiceClient, type Tagged } from '@platform/platform';
import type { Registry as Metrics } from 'prom-client';

export interface RegistryClientOptions {
  baseUrl: string;
  serviceToken: string;
  metrics: Metrics;
  /** Milliseconds during which calls are refused after five failures in a row. Default: 5,000. */
  probeAfterMs?: number;
}

export interface PutTools {
  tools: ToolDefinition[];
  skeleton_sections: SkeletonSection[];
  version: string;
  /** False: the Registry stores the manifest but does not serve it. */
  release: boolean;
  /**
   * Tag of the served manifest, as `getTools(appId)` returned it. The Registry refuses the change
   * with 412 if the manifest has changed.
   */
  ifMatch?: string;
}

const HEALTH = '/v1/health';
/** More than a user can install. */
const ALL_INSTALLS = 500;

/**
 * Client of the Registry. Every method throws ServiceUnavailable (503 if not caught) if there is no
 * valid answer, and ApiError with `status` and `code` if the Registry refuses; `isRefusedWith`
 * tests the code. Calls that are safe to repeat are retried; `createApp` and changes with `ifMatch`
 * are not.
 */
export class RegistryClient implements OnApplicationShutdown {
  private readonly service: ServiceClient;

  constructor(options: RegistryClientOptions) {
    this.service = new ServiceClient({ service: 'registry', probePath: HEALTH, ...options });
  }

  onApplicationShutdown(): Promise<void> {
    return this.service.close();
  }

  /** @throws ApiError 404 `app.not_found`. */
  getApp(appId: string): Promise<Tagged<AsJson<RegistryApp>>> {
    return this.service.tagged('getApp', { method: 'GET', path: segments`/v1/apps/${appId}` });
  }

  /** Apps in the order of their ids. Default: 50 active apps; at most 200. */
  listApps(query: Partial<ListRegistryAppsQuery> = {}): Promise<AsJson<RegistryApp>[]> {
    return this.service.repeatable('listApps', { method: 'GET', path: '/v1/apps', query: { ...query } });
  }

  /**
   * Never retried. @throws ApiError 409 `app.exists`, also if an earlier request succeeded but its
   * answer was lost.
   */
  createApp(app: CreateRegistryAppRequest): Promise<AsJson<RegistryApp>> {
    return this.service.once('createApp', { method: 'POST', path: '/v1/apps', body: app });
  }

  /**
   * @throws ApiError 404 `app.not_found`, 409 `app.version_not_held`, 412 `precondition_failed`.
   */
  updateApp(appId: string, changes: UpdateRegistryAppRequest, ifMatch?: string): Promise<Tagged<AsJson<RegistryApp>>> {
    return this.service.change('updateApp', { method: 'PUT', path: segments`/v1/apps/${appId}`, body: changes, ifMatch });
  }

  /**
   * @throws ApiError 404 `app.not_found`, also if an earlier request succeeded but its answer was
   * lost.
   */
  async deleteApp(appId: string): Promise<void> {
    await this.service.repeatable<DeleteRegistryAppResponse>('deleteApp', { method: 'DELETE', path: segments`/v1/apps/${appId}` });
  }

  /**
   * Reads the served manifest (its `version` is null if none is served), or the manifest of a
   * version.
   *
   * @throws ApiError 404 `app.not_found`, `app.version_not_found`.
   */
  getTools(appId: string, version?: string): Promise<Tagged<ToolManifestResponse>> {
    const query = { version } satisfies GetToolsQuery;
    return this.service.tagged('getTools', { method: 'GET', path: segments`/v1/apps/${appId}/tools`, query });
  }

  /**
   * Replaces the manifest of a version.
   *
   * @throws ApiError 404 `app.not_found`, 409 `app.version_is_served` if another manifest is served
   * as this version and `release` is false, 412 `precondition_failed`.
   */
  async putTools(appId: string, { ifMatch, ...manifest }: PutTools): Promise<PutToolsResponse> {
    const body: PutToolsRequest = manifest;
    const request = { method: 'PUT' as const, path: segments`/v1/apps/${appId}/tools`, body, ifMatch };
    return (await this.service.change<PutToolsResponse>('putTools', request)).value;
  }

  /** @throws ApiError 404 `app.not_found`. */
  getSettings(appId: string): Promise<Tagged<Record<string, unknown>>> {
    return this.service.tagged('getSettings', { method: 'GET', path: segments`/v1/apps/${appId}/settings` });
  }

  /**
   * Merges the changes into the settings (RFC 7396): null removes a key. @throws ApiError 404
   * `app.not_found`, 412, 422.
   */
  updateSettings(appId: string, changes: Record<string, unknown>, ifMatch?: string): Promise<Tagged<Record<string, unknown>>> {
    return this.service.change('updateSettings', { method: 'PUT', path: segments`/v1/apps/${appId}/settings`, body: changes, ifMatch });
  }

  /** All installed extensions of the user, in the order of installation. */
  listInstalls(userId: string): Promise<AsJson<RegistryInstall>[]> {
    const query = { limit: ALL_INSTALLS } satisfies Partial<ListInstallsQuery>;
    return this.service.repeatable('listInstalls', { method: 'GET', path: segments`/v1/users/${userId}/extensions`, query });
  }

  /**
   * Installs an app for a user. Safe to retry: no effect if it is installed already. @throws
   * ApiError 404 `app.not_found`, 409 `install.too_many`.
   */
  install(userId: string, appId: string): Promise<AsJson<RegistryInstall>> {
    const body: RegisterInstallRequest = { app_id: appId };
    return this.service.repeatable('install', { method: 'POST', path: segments`/v1/users/${userId}/extensions`, body });
  }

  /**
   * Removes an app of a user. Safe to retry: no effect if it was removed before. @throws ApiError
   * 404 `install.not_found` if the user never had it.
   */
  uninstall(userId: string, appId: string): Promise<AsJson<RemovedInstall>> {
    return this.service.repeatable('uninstall', { method: 'DELETE', path: segments`/v1/users/${userId}/extensions/${appId}` });
  }

  /** Changes after a revision; 0 reads from the start. At most 1,000 per request. */
  installChanges(after: number, limit = 500): Promise<AsJson<InstallChangesResponse>> {
    const query = { after, limit } satisfies InstallChangesQuery;
    return this.service.repeatable('installChanges', { method: 'GET', path: '/v1/internal/installs', query });
  }

  catalog(userId: string): Promise<CatalogResponse> {
    const query = { user_id: userId } satisfies CatalogQuery;
    return this.service.repeatable('catalog', { method: 'GET', path: '/v1/catalog', query });
  }

  /** @throws ServiceUnavailable while the Registry cannot serve. */
  health(): Promise<HealthResponse> {
    return this.service.once('health', { method: 'GET', path: HEALTH });
  }

  /**
   * Call it before work that would leave data behind if the following call to the Registry failed.
   * @throws ServiceUnavailable while calls are refused.
   */
  assertReachable(): Promise<void> {
    return this.service.assertReachable();
  }
}
