import { Inject, Injectable } from '@nestjs/common';
import type { ToolManifest } from '@platform/contracts';
import { hasScope, type UserCaller } from '@platform/guards';
import { queryPrepared } from '@platform/persistence';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { CallErrors } from './calls.errors.js';
import { SystemExtensions, type CalledFunction } from './system-extension.js';

/** An extension that a user may call. */
export interface CallTarget {
  appId: string;
  isSystem: boolean;
  functions: ReadonlyMap<string, CalledFunction>;
}

/** As JSON. A version never changes, so neither does what is kept of it. */
const MANIFEST_BYTES_KEPT = 32 * 1024 * 1024;

interface CalledApp {
  system: boolean;
  status: string;
  /** Of the version that is served, in hexadecimal. */
  sha256: string | null;
  is_installed: boolean;
  is_disabled: boolean;
  required_scopes: string[];
  is_denied: boolean;
}

/** Finds what may be called, for whom. */
@Injectable()
export class CallTargets {
  private readonly deployed = new LRUCache<string, CallTarget['functions']>({ maxSize: MANIFEST_BYTES_KEPT });

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(SystemExtensions) private readonly systemExtensions: SystemExtensions,
  ) {}

  /**
   * Everybody has the system's own extensions; others have to be installed and active.
   *
   * @throws AppError 404 when there is no such app for this user, 403 when it is disabled for them or closed to them.
   */
  async get(user: UserCaller, appId: string): Promise<CallTarget> {
    const [app] = await queryPrepared<CalledApp>(
      this.dataSource,
      `SELECT a.system, a.status, encode(v.sha256, 'hex') AS sha256, i.user_id IS NOT NULL AS is_installed, d.user_id IS NOT NULL AS is_disabled,
         coalesce(p.required_scopes, '{}') AS required_scopes,
         coalesce($3 = ANY (p.denied_roles) OR $2 = ANY (p.denied_users), false) AS is_denied
       FROM apps a
         LEFT JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
         LEFT JOIN installs i ON i.app_id = a.app_id AND i.user_id = $2 AND i.removed_at IS NULL
         LEFT JOIN disabled_extensions d ON d.app_id = a.app_id AND d.user_id = $2
         LEFT JOIN access_policies p ON p.app_id = a.app_id AND p.tenant_id = $4
       WHERE a.app_id = $1`,
      [appId, user.userId, user.role, user.tenantId],
    );
    const isThere = app && (app.system || (app.is_installed && app.status === 'active'));
    if (!isThere) throw CallErrors.notFound();
    if (app.is_disabled) throw CallErrors.disabled();
    if (app.is_denied || !app.required_scopes.every((scope) => hasScope(user.scopes, scope))) throw CallErrors.closed();
    const system = this.systemExtensions.functionsOf(appId);
    return { appId, isSystem: system !== undefined, functions: system ?? (await this.functionsOf(appId, app.sha256)) };
  }

  private async functionsOf(appId: string, sha256: string | null): Promise<CallTarget['functions']> {
    if (sha256 === null) return new Map();
    const known = this.deployed.get(sha256);
    if (known) return known;
    const [row] = await this.dataSource.query<{ manifest: ToolManifest; bytes: number }[]>(
      "SELECT manifest, octet_length(manifest::text) AS bytes FROM app_versions WHERE app_id = $1 AND sha256 = decode($2, 'hex')",
      [appId, sha256],
    );
    const functions = new Map(
      row?.manifest.tools.map(({ name, params_schema, required_scopes }) => [name, { params_schema, required_scopes, run: null }]),
    );
    this.deployed.set(sha256, functions, { size: row?.bytes ?? 1 });
    return functions;
  }
}
