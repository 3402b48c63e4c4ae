import { Injectable } from '@nestjs/common';
import type { JsonObject, JsonValue } from '@platform/app-document';
import type { ContextConfig } from '@platform/extension-sdk/runtime';
import { isUnavailable } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { GatewayClient } from '../kernel/gateway/gateway.client.js';
import type { RunGrant } from '../kernel/gateway/run-grant.js';
import { unavailableError } from '../handlers/run-errors.js';
import type { Run } from './run.js';

const MAX_AGE_MS = 5_000;
const KEPT_BYTES = 16 * 1024 * 1024;

/**
 * Configuration of apps, as the gateway merges it. At most 5 s old; older while the gateway is
 * unreachable.
 */
@Injectable()
export class AppConfigCache {
  private readonly known = new LRUCache<string, JsonObject, RunGrant>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (config) => JSON.stringify(config).length,
    ttl: MAX_AGE_MS,
    noDeleteOnFetchRejection: true,
    noDeleteOnStaleGet: true,
    fetchMethod: (_key, _stale, { context }) => context.callWithGrant((grant) => this.gateway.fetchConfig(grant)),
  });

  constructor(private readonly gateway: GatewayClient) {}

  /**
   * Configuration of the app of a run, for its tenant and user: at most 5 s old, or the last known
   * one while the gateway is unreachable. Callers share the object and must not change it.
   *
   * @throws ExtensionError CONFIG_UNAVAILABLE if the gateway is unreachable and no earlier answer
   * is kept; RUN_REFUSED if the permission of the run has ended.
   */
  async getConfig({
    app,
    tenantId,
    userId,
    grant,
  }: Pick<Run, 'app' | 'tenantId' | 'userId' | 'grant'>): Promise<JsonObject> {
    const key = JSON.stringify([app.app_id, app.version, tenantId, userId]);
    try {
      return (await this.known.fetch(key, { context: grant })) ?? {};
    } catch (error) {
      if (!isUnavailable(error, 'gateway')) throw error;
      const before = this.known.get(key, { allowStale: true });
      if (before) return before;
      throw unavailableError('CONFIG', 'The configuration of the app cannot be read at the moment.', {
        retryable: true,
        cause: error,
      });
    }
  }
}

/** The member `ctx.config` of one run. */
export class RunConfig implements ContextConfig {
  constructor(private readonly read: () => Promise<JsonObject>) {}

  async get(key: string, fallback: JsonValue = null): Promise<JsonValue> {
    return structuredClone(valueAt(await this.read(), key) ?? fallback);
  }

  async getSection(prefix: string): Promise<JsonObject> {
    const section = valueAt(await this.read(), prefix);
    return isObject(section) ? structuredClone(section) : {};
  }

  async all(): Promise<JsonObject> {
    return structuredClone(await this.read());
  }
}

const valueAt = (config: JsonObject, key: string): JsonValue | undefined =>
  key
    .split('.')
    .reduce<JsonValue | undefined>(
      (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      config,
    );

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
