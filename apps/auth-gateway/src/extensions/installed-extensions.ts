import { Inject, Injectable } from '@nestjs/common';
import type { ToolDefinition } from '@platform/contracts';
import { DataSource } from 'typeorm';
import { InstallCopies, stateOf } from '../marketplace/installs/install-copies.js';
import { RegistryClient } from '../registry/registry-client.js';
import { RegistryUnavailable } from '../registry/registry.errors.js';
import type { PolicyRow } from './access-rules.js';
import { GRANTED_SCOPES, IS_UNAGREED } from './granted-scopes.js';

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
  version: string | null;
  requested_scopes: string[] | null;
  /** Null without an install, and for the platform's own apps, to which nobody need agree. */
  granted_scopes: string[] | null;
  /** See `IS_UNAGREED`. */
  is_unagreed: boolean;
}

/** What users have. */
@Injectable()
export class InstalledExtensions {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(RegistryClient) private readonly registry: RegistryClient,
    @Inject(InstallCopies) private readonly copies: InstallCopies,
  ) {}

  /** The platform's own apps, then the others in the order in which they were installed. While the Registry is away, the copy says which. */
  async of(userId: string): Promise<ExtensionRow[]> {
    const ids = await this.refresh(userId).catch((error: unknown) => {
      if (error instanceof RegistryUnavailable) return this.copied(userId);
      throw error;
    });
    return this.dataSource.query<ExtensionRow[]>(
      `SELECT a.app_id, a.display_name, a.short_description, a.description, a.category, a.system, a.status = 'active' AS is_active,
         d.user_id IS NOT NULL AS is_disabled, to_jsonb(p) AS policy, v.manifest -> 'tools' AS tools,
         v.version, v.requested_scopes, CASE WHEN NOT a.system THEN ${GRANTED_SCOPES} END AS granted_scopes,
         NOT a.system AND ${IS_UNAGREED} AS is_unagreed
       FROM apps a JOIN users u ON u.id = $1
         LEFT JOIN disabled_extensions d ON d.user_id = u.id AND d.app_id = a.app_id
         LEFT JOIN access_policies p ON p.tenant_id = u.tenant_id AND p.app_id = a.app_id
         LEFT JOIN installs i ON i.user_id = u.id AND i.app_id = a.app_id AND i.removed_at IS NULL
         LEFT JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
       WHERE a.app_id = ANY ($2) OR (a.system AND a.status = 'active')
       ORDER BY NOT a.system, array_position($2, a.app_id), a.app_id`,
      [userId, ids],
    );
  }

  /** Brings the copy up to what the Registry says of this user, and returns the ids of what they have. @throws RegistryUnavailable. */
  async refresh(userId: string): Promise<string[]> {
    const installs = await this.registry.listInstalls(userId);
    const known = await this.revisions(userId);
    const news = installs.filter(({ app_id, revision }) => revision > (known.get(app_id) ?? 0));
    if (news.length) await this.copies.copy(news.map(stateOf));
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
