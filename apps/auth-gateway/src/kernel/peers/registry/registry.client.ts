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
 * Client of the Registry, the service that stores apps, their manifests and their installs. A
 * manifest is the list of an app's functions. Each method throws ServiceUnavailable (503 if not
 * caught) if there is no valid answer or calls are refused after failures, and ApiError with
 * `status` and `code` if the Registry refuses; `isRefusedWith` tests the code. Calls that are safe
 * to repeat are retried; `createApp`, `getHealth` and changes with `ifMatch` are not.
 */
export class RegistryClient implements OnApplicationShutdown {
  private readonly service: ServiceClient;

  constructor(options: RegistryClientOptions) {
    this.service = new ServiceClient({ service: 'registry', probePath: HEALTH, ...options });
  }

  onApplicationShutdown(): Promise<void> {
    return this.service.close();
  }

  /**
   * Reads an app, with the ETag of its current state.
   *
   * @throws ApiError 404 `app.not_found` if the app does not exist; ServiceUnavailable if the
   * Registry does not answer.
   */
  getApp(appId: string): Promise<Tagged<AsJson<RegistryApp>>> {
    return this.service.fetchTagged('getApp', { method: 'GET', path: segments`/v1/apps/${appId}` });
  }

  /**
   * Lists apps in the order of their ids: by default the first 50 active apps. At most 200 per
   * request. Empty if none matches.
   *
   * @throws ServiceUnavailable if the Registry does not answer.
   */
  listApps(query: Partial<ListRegistryAppsQuery> = {}): Promise<AsJson<RegistryApp>[]> {
    return this.service.sendWithRetries('listApps', { method: 'GET', path: '/v1/apps', query: { ...query } });
  }

  /**
   * Registers an app. Never retried.
   *
   * @throws ApiError 409 `app.exists` if the id is in use, also if an earlier request succeeded but
   * its answer was lost; 422 if the app is invalid; ServiceUnavailable if the Registry does not
   * answer.
   */
  createApp(app: CreateRegistryAppRequest): Promise<AsJson<RegistryApp>> {
    return this.service.sendOnce('createApp', { method: 'POST', path: '/v1/apps', body: app });
  }

  /**
   * Changes the given fields of an app. Returns the app after the change, with its new ETag.
   * Retried only without `ifMatch`.
   *
   * @param ifMatch ETag of the state to change.
   * @throws ApiError 404 `app.not_found` if the app does not exist; 409 `app.version_not_held` if
   * the platform pushed no manifest of the new `version`; 412 `precondition_failed` if the app has
   * changed since this ETag; 422 if a field is invalid; ServiceUnavailable if the Registry does not
   * answer.
   */
  updateApp(appId: string, changes: UpdateRegistryAppRequest, ifMatch?: string): Promise<Tagged<AsJson<RegistryApp>>> {
    return this.service.sendChange('updateApp', {
      method: 'PUT',
      path: segments`/v1/apps/${appId}`,
      body: changes,
      ifMatch,
    });
  }

  /**
   * Deletes an app with its manifests and settings, and uninstalls it for all users.
   *
   * @throws ApiError 404 `app.not_found` if the app does not exist, also if an earlier request
   * succeeded but its answer was lost; ServiceUnavailable if the Registry does not answer.
   */
  async deleteApp(appId: string): Promise<void> {
    await this.service.sendWithRetries<DeleteRegistryAppResponse>('deleteApp', {
      method: 'DELETE',
      path: segments`/v1/apps/${appId}`,
    });
  }

  /**
   * Reads the manifest of an app: the served one, or that of a version. If none is served,
   * `version` is null and the lists are empty. The ETag is for `ifMatch` of `putTools`, if
   * `version` is not given.
   *
   * @throws ApiError 404 `app.not_found` if the app does not exist, `app.version_not_found` if
   * there is no manifest of this version; ServiceUnavailable if the Registry does not answer.
   */
  getTools(appId: string, version?: string): Promise<Tagged<ToolManifestResponse>> {
    const query = { version } satisfies GetToolsQuery;
    return this.service.fetchTagged('getTools', { method: 'GET', path: segments`/v1/apps/${appId}/tools`, query });
  }

  /**
   * Stores the manifest of a version, in place of an earlier one, and serves it if `release` is
   * true. Pushing the served manifest again changes nothing. Retried only without `ifMatch`.
   *
   * @throws ApiError 404 `app.not_found` if the app does not exist; 409 `app.version_is_served` if
   * another manifest is served as this version and `release` is false; 412 `precondition_failed` if
   * the served manifest does not have the ETag `ifMatch`; 422 if the manifest is invalid or too
   * large; ServiceUnavailable if the Registry does not answer.
   */
  async putTools(appId: string, { ifMatch, ...manifest }: PutTools): Promise<PutToolsResponse> {
    const body: PutToolsRequest = manifest;
    const request = { method: 'PUT' as const, path: segments`/v1/apps/${appId}/tools`, body, ifMatch };
    return (await this.service.sendChange<PutToolsResponse>('putTools', request)).value;
  }

  /**
   * Reads the runtime settings of an app, `{}` at first, with their ETag.
   *
   * @throws ApiError 404 `app.not_found` if the app does not exist; ServiceUnavailable if the
   * Registry does not answer.
   */
  getSettings(appId: string): Promise<Tagged<Record<string, unknown>>> {
    return this.service.fetchTagged('getSettings', { method: 'GET', path: segments`/v1/apps/${appId}/settings` });
  }

  /**
   * Merges the changes into the runtime settings of an app (RFC 7396): null removes a key. Returns
   * all settings, with their new ETag. Retried only without `ifMatch`.
   *
   * @throws ApiError 404 `app.not_found` if the app does not exist; 412 `precondition_failed` if
   * the settings do not have the ETag `ifMatch`; 422 if a key names a secret, or the settings
   * become too large; ServiceUnavailable if the Registry does not answer.
   */
  updateSettings(
    appId: string,
    changes: Record<string, unknown>,
    ifMatch?: string,
  ): Promise<Tagged<Record<string, unknown>>> {
    return this.service.sendChange('updateSettings', {
      method: 'PUT',
      path: segments`/v1/apps/${appId}/settings`,
      body: changes,
      ifMatch,
    });
  }

  /**
   * Lists all apps that the user has installed, in the order of installation. Empty if there are
   * none.
   *
   * @throws ServiceUnavailable if the Registry does not answer.
   */
  listInstalls(userId: string): Promise<AsJson<RegistryInstall>[]> {
    const query = { limit: ALL_INSTALLS } satisfies Partial<ListInstallsQuery>;
    return this.service.sendWithRetries('listInstalls', {
      method: 'GET',
      path: segments`/v1/users/${userId}/extensions`,
      query,
    });
  }

  /**
   * Installs an app for a user. Safe to retry: no effect if it is installed already.
   *
   * @throws ApiError 404 `app.not_found` if the app does not exist; 409 `install.too_many` if the
   * user already has 200 apps; ServiceUnavailable if the Registry does not answer.
   */
  install(userId: string, appId: string): Promise<AsJson<RegistryInstall>> {
    const body: RegisterInstallRequest = { app_id: appId };
    return this.service.sendWithRetries('install', {
      method: 'POST',
      path: segments`/v1/users/${userId}/extensions`,
      body,
    });
  }

  /**
   * Removes an app of a user. Safe to retry: no effect if it was removed before.
   *
   * @throws ApiError 404 `install.not_found` if the user never had the app; ServiceUnavailable if
   * the Registry does not answer.
   */
  uninstall(userId: string, appId: string): Promise<AsJson<RemovedInstall>> {
    return this.service.sendWithRetries('uninstall', {
      method: 'DELETE',
      path: segments`/v1/users/${userId}/extensions/${appId}`,
    });
  }

  /**
   * Reads the changes of installs after a revision, oldest first; 0 reads from the start.
   * `has_more` says if there are more, and `next_after` is the revision for the next call.
   *
   * @param limit maximum number of changes, up to 1,000.
   * @throws ServiceUnavailable if the Registry does not answer.
   */
  listInstallChanges(after: number, limit = 500): Promise<AsJson<InstallChangesResponse>> {
    const query = { after, limit } satisfies InstallChangesQuery;
    return this.service.sendWithRetries('installChanges', { method: 'GET', path: '/v1/internal/installs', query });
  }

  getCatalog(userId: string): Promise<CatalogResponse> {
    const query = { user_id: userId } satisfies CatalogQuery;
    return this.service.sendWithRetries('catalog', { method: 'GET', path: '/v1/catalog', query });
  }

  /**
   * Reads the health of the Registry. Never retried.
   *
   * @throws ServiceUnavailable while the Registry cannot serve requests.
   */
  getHealth(): Promise<HealthResponse> {
    return this.service.sendOnce('health', { method: 'GET', path: HEALTH });
  }

  /**
   * Checks that the Registry can be called. Sends a request only after failures in a row. Call it
   * before work that would leave data behind if the following call to the Registry failed.
   *
   * @throws ServiceUnavailable while calls are refused because of earlier failures, or if the
   * Registry fails again.
   */
  assertReachable(): Promise<void> {
    return this.service.assertReachable();
  }
}
