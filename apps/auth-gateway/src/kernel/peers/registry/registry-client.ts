import type { OnApplicationShutdown } from '@nestjs/common';
import { call, type Answer } from '@platform/client';
import type { SkeletonSection, ToolDefinition } from '@platform/contracts';
import { abortSignalOf, ServiceCalls, type CancellationSignal } from '@platform/platform';
import type { Registry as Metrics } from 'prom-client';
import { isOutage } from '../service-outage.js';
import type {
  CatalogResponse,
  CreateRegistryAppRequest,
  HealthResponse,
  paths,
  PutToolsResponse,
  RegistryApp,
  RegistryInstall,
  RemovedInstall,
  ToolManifestResponse,
  UpdateRegistryAppRequest,
} from './generated/registry.js';
import { RegistryUnavailable } from './registry.errors.js';
import { connectRegistry, type InstallChanges, type RegistryConnection } from './registry-connection.js';

export type * from './generated/registry.js';
export type { InstallChange, InstallChanges } from './registry-connection.js';

export interface RegistryClientOptions {
  baseUrl: string;
  serviceToken: string;
  metrics: Metrics;
  /** How long calls are refused after five failures in a row, 5 s unless told. */
  probeAfterMs?: number;
}

/** A value with the tag of its state, for `ifMatch`. */
export interface Tagged<Value> {
  value: Value;
  etag: string;
}

export interface PutTools {
  tools: ToolDefinition[];
  skeleton_sections: SkeletonSection[];
  version: string;
  /** False: the Registry holds the manifest without serving it. */
  release: boolean;
  /** The tag of the served manifest, as `getTools(appId)` returned it. */
  ifMatch?: string;
}

type ListAppsQuery = NonNullable<paths['/v1/apps']['get']['parameters']['query']>;

/** More than a user can have. */
const ALL_INSTALLS = 500;

/**
 * The Registry. Every method throws RegistryUnavailable when there is no proper answer (a 503 unless somebody catches it), and
 * ApiError with `status` and `code` when the Registry refuses; `isRefusedWith` tells which. What may be done twice is retried; `createApp`
 * and changes with `ifMatch` are not.
 */
export class RegistryClient implements OnApplicationShutdown {
  private readonly calls: ServiceCalls;
  private readonly connection: RegistryConnection;

  constructor({ baseUrl, serviceToken, metrics, probeAfterMs }: RegistryClientOptions) {
    this.calls = new ServiceCalls({
      service: 'registry',
      metrics,
      isOutage,
      toUnavailable: (cause) => new RegistryUnavailable(cause),
      probeAfterMs,
      isReady: (signal) => this.connection.isReady(signal),
    });
    this.connection = connectRegistry(baseUrl, serviceToken);
  }

  private get http(): RegistryConnection['http'] {
    return this.connection.http;
  }

  onApplicationShutdown(): Promise<void> {
    this.calls.close();
    return this.connection.close();
  }

  /** @throws ApiError 404 `app.not_found`. */
  getApp(appId: string): Promise<Tagged<RegistryApp>> {
    const params = { path: { app_id: appId } };
    return this.calls.repeatable('getApp', (signal) => tagged(this.http.GET('/v1/apps/{app_id}', { params, signal })));
  }

  /** By id; the active ones, and 50 of them, unless told; at most 200. */
  listApps(query: ListAppsQuery = {}): Promise<RegistryApp[]> {
    return this.calls.repeatable('listApps', (signal) => call(this.http.GET('/v1/apps', { params: { query }, signal })));
  }

  /** @throws ApiError 409 `app.exists`, also when an earlier try succeeded whose answer was lost. */
  createApp(app: CreateRegistryAppRequest): Promise<RegistryApp> {
    return this.calls.once('createApp', (time) => call(this.http.POST('/v1/apps', { body: app, signal: abortSignalOf(time) })));
  }

  /** @throws ApiError 404 `app.not_found`, 409 `app.version_not_held`, 412 `precondition_failed`. */
  updateApp(appId: string, changes: UpdateRegistryAppRequest, ifMatch?: string): Promise<Tagged<RegistryApp>> {
    const params = { path: { app_id: appId }, header: onlyIf(ifMatch) };
    return this.change('updateApp', ifMatch, (signal) => tagged(this.http.PUT('/v1/apps/{app_id}', { params, body: changes, signal })));
  }

  /** @throws ApiError 404 `app.not_found`, also when an earlier try succeeded whose answer was lost. */
  async deleteApp(appId: string): Promise<void> {
    const params = { path: { app_id: appId } };
    await this.calls.repeatable('deleteApp', (signal) => call(this.http.DELETE('/v1/apps/{app_id}', { params, signal })));
  }

  /**
   * The manifest that is served (its `version` is null when there is none), or that of a version.
   *
   * @throws ApiError 404 `app.not_found`, `app.version_not_found`.
   */
  getTools(appId: string, version?: string): Promise<Tagged<ToolManifestResponse>> {
    const params = { path: { app_id: appId }, query: { version } };
    return this.calls.repeatable('getTools', (signal) => tagged(this.http.GET('/v1/apps/{app_id}/tools', { params, signal })));
  }

  /**
   * Replaces the manifest of a version.
   *
   * @throws ApiError 404 `app.not_found`, 409 `app.version_is_served` when another manifest is served as this version and `release` is
   * false, 412 `precondition_failed`.
   */
  putTools(appId: string, { ifMatch, ...body }: PutTools): Promise<PutToolsResponse> {
    const params = { path: { app_id: appId }, header: onlyIf(ifMatch) };
    return this.change('putTools', ifMatch, (signal) => call(this.http.PUT('/v1/apps/{app_id}/tools', { params, body, signal })));
  }

  /** @throws ApiError 404 `app.not_found`. */
  getSettings(appId: string): Promise<Tagged<Record<string, unknown>>> {
    const params = { path: { app_id: appId } };
    return this.calls.repeatable('getSettings', (signal) => tagged(this.http.GET('/v1/apps/{app_id}/settings', { params, signal })));
  }

  /** Merges as RFC 7396 says: null removes a key. @throws ApiError 404 `app.not_found`, 412, 422. */
  updateSettings(appId: string, changes: Record<string, unknown>, ifMatch?: string): Promise<Tagged<Record<string, unknown>>> {
    const params = { path: { app_id: appId }, header: onlyIf(ifMatch) };
    return this.change('updateSettings', ifMatch, (signal) =>
      tagged(this.http.PUT('/v1/apps/{app_id}/settings', { params, body: changes, signal })),
    );
  }

  /** All that the user has, in the order in which they were installed. */
  listInstalls(userId: string): Promise<RegistryInstall[]> {
    const params = { path: { user_id: userId }, query: { limit: ALL_INSTALLS } };
    return this.calls.repeatable('listInstalls', (signal) => call(this.http.GET('/v1/users/{user_id}/extensions', { params, signal })));
  }

  /** Changes nothing when the user has it already. @throws ApiError 404 `app.not_found`, 409 `install.too_many`. */
  install(userId: string, appId: string): Promise<RegistryInstall> {
    const params = { path: { user_id: userId } };
    return this.calls.repeatable('install', (signal) =>
      call(this.http.POST('/v1/users/{user_id}/extensions', { params, body: { app_id: appId }, signal })),
    );
  }

  /** Changes nothing when it was removed before. @throws ApiError 404 `install.not_found` when the user never had it. */
  uninstall(userId: string, appId: string): Promise<RemovedInstall> {
    const params = { path: { user_id: userId, app_id: appId } };
    return this.calls.repeatable('uninstall', (signal) =>
      call(this.http.DELETE('/v1/users/{user_id}/extensions/{app_id}', { params, signal })),
    );
  }

  /** What changed after a revision, 0 for everything; at most 1000 at once. */
  installChanges(after: number, limit = 500): Promise<InstallChanges> {
    const params = { query: { after, limit } };
    return this.calls.repeatable('installChanges', (signal) => call(this.http.GET('/v1/internal/installs', { params, signal })));
  }

  catalog(userId: string): Promise<CatalogResponse> {
    const params = { query: { user_id: userId } };
    return this.calls.repeatable('catalog', (signal) => call(this.http.GET('/v1/catalog', { params, signal })));
  }

  /** @throws RegistryUnavailable while it cannot serve. */
  health(): Promise<HealthResponse> {
    return this.calls.once('health', this.askHealth);
  }

  /** Before what leaves something behind when the call that follows fails. @throws RegistryUnavailable while calls are refused. */
  assertReachable(): Promise<void> {
    return this.calls.assertReachable(this.askHealth);
  }

  private readonly askHealth = (time: CancellationSignal): Promise<HealthResponse> =>
    call(this.http.GET('/v1/health', { signal: abortSignalOf(time) }));

  /** A change that was made is refused when it comes again with the tag of the state before it. */
  private change<T>(operation: string, ifMatch: string | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return ifMatch === undefined ? this.calls.repeatable(operation, work) : this.calls.once(operation, (time) => work(abortSignalOf(time)));
  }
}

const onlyIf = (ifMatch: string | undefined) => (ifMatch === undefined ? {} : { 'If-Match': ifMatch });

async function tagged<Value>(pending: Promise<Answer<Value>>): Promise<Tagged<Value>> {
  let etag = '';
  const value = await call(
    pending.then((answer) => {
      etag = answer.response.headers.get('etag') ?? '';
      return answer;
    }),
  );
  return { value, etag };
}
