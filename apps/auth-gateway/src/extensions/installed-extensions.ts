import { Inject, Injectable } from '@nestjs/common';
import type { ToolDefinition } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { queryPrepared } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { copyInstalls, stateOf } from '../marketplace/installs/install-copies.js';
import { RegistryClient } from '../registry/registry-client.js';
import { RegistryUnavailable } from '../registry/registry.errors.js';
import { hasAccess, type PolicyRow } from './access-rules.js';
import { ExtensionErrors } from './extensions.errors.js';

/** An app that a user has. */
export interface ExtensionRow {
  app_id: string;
  display_name: string;
  short_description: string;
  description: string;
  category: string;
  system: boolean;
  is_active: boolean;
  is_disabled: boolean;
  /** Null where the tenant has no rule for it. */
  policy: PolicyRow | null;
  /** Of the version that runs; null without one. */
  tools: ToolDefinition[] | null;
}

/** An app that a user may call. */
export interface CallableExtension {
  system: boolean;
  /** The version that runs; null for a platform's own app, which has none. */
  version: string | null;
}

interface CallableRow {
  system: boolean;
  served_version: string | null;
  is_disabled: boolean;
  policy: PolicyRow | null;
}

const CALLABLE = `
  SELECT a.system, a.served_version, d.user_id IS NOT NULL AS is_disabled, to_jsonb(p) AS policy
  FROM apps a
    LEFT JOIN installs i ON i.user_id = $1 AND i.app_id = a.app_id AND i.removed_at IS NULL
    LEFT JOIN disabled_extensions d ON d.user_id = $1 AND d.app_id = a.app_id
    LEFT JOIN access_policies p ON p.tenant_id = $2 AND p.app_id = a.app_id
  WHERE a.app_id = $3 AND a.status = 'active' AND (a.system OR i.user_id IS NOT NULL)`;

/** What users have, and what of it they may call. */
@Injectable()
export class InstalledExtensions {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(RegistryClient) private readonly registry: RegistryClient,
  ) {}

  /** The platform's own apps, then the others in the order in which they were installed. While the Registry is away, the copy says which. */
  async of(userId: string): Promise<ExtensionRow[]> {
    const ids = await this.refresh(userId).catch((error: unknown) => {
      if (error instanceof RegistryUnavailable) return this.copied(userId);
      throw error;
    });
    return this.dataSource.query<ExtensionRow[]>(
      `SELECT a.app_id, a.display_name, a.short_description, a.description, a.category, a.system, a.status = 'active' AS is_active,
         d.user_id IS NOT NULL AS is_disabled, to_jsonb(p) AS policy, v.manifest -> 'tools' AS tools
       FROM apps a JOIN users u ON u.id = $1
         LEFT JOIN disabled_extensions d ON d.user_id = u.id AND d.app_id = a.app_id
         LEFT JOIN access_policies p ON p.tenant_id = u.tenant_id AND p.app_id = a.app_id
         LEFT JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
       WHERE a.app_id = ANY ($2) OR (a.system AND a.status = 'active')
       ORDER BY NOT a.system, array_position($2, a.app_id), a.app_id`,
      [userId, ids],
    );
  }

  /**
   * The check before a call. Asks the copy alone, so it works while the Registry is away.
   *
   * @throws AppError 404 for an app that is unknown, inactive or not installed, 403 `extension.disabled`, `extension.access_denied`.
   */
  async getCallable(user: UserCaller, appId: string): Promise<CallableExtension> {
    const [row] = await queryPrepared<CallableRow>(this.dataSource, CALLABLE, [user.userId, user.tenantId, appId]);
    if (!row) throw ExtensionErrors.notFound();
    if (row.is_disabled) throw ExtensionErrors.disabled();
    if (row.policy && !hasAccess(row.policy, user)) throw ExtensionErrors.accessDenied();
    return { system: row.system, version: row.served_version };
  }

  /** Brings the copy up to what the Registry says of this user, and returns the ids of what they have. @throws RegistryUnavailable. */
  async refresh(userId: string): Promise<string[]> {
    const installs = await this.registry.listInstalls(userId);
    const known = await this.revisions(userId);
    const news = installs.filter(({ app_id, revision }) => revision > (known.get(app_id) ?? 0));
    if (news.length) await copyInstalls(this.dataSource.manager, news.map(stateOf));
    return installs.map(({ app_id }) => app_id);
  }

  private async copied(userId: string): Promise<string[]> {
    const installs = await this.dataSource.query<{ app_id: string }[]>(
      'SELECT app_id FROM installs WHERE user_id = $1 AND removed_at IS NULL ORDER BY installed_at, app_id',
      [userId],
    );
    return installs.map(({ app_id }) => app_id);
  }

  private async revisions(userId: string): Promise<Map<string, number>> {
    const installs = await this.dataSource.query<{ app_id: string; revision: string }[]>(
      'SELECT app_id, revision FROM installs WHERE user_id = $1',
      [userId],
    );
    return new Map(installs.map(({ app_id, revision }) => [app_id, Number(revision)]));
  }
}
