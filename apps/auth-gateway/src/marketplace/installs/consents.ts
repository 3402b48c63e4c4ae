import { Inject, Injectable } from '@nestjs/common';
import { commonScopes, narrowingOf, type UserCaller } from '@platform/guards';
import { TenantData } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import { recordAudit } from '../../audit/record-audit.js';
import { scopeConsent } from '../../extensions/scope-consent.js';
import { UserNotifications } from '../../notifications/notifications.service.js';
import type { InstallState } from './install-copies.js';

const ASKED_AT_ONCE = 500;
const MOST_SCOPES_NAMED = 20;

/** What a user agrees to. */
export interface AgreedVersion {
  version: string | null;
  requested_scopes: string[];
}

interface Waiting {
  user_id: string;
  tenant_id: string;
  version: string;
  display_name: string;
  requested_scopes: string[];
  granted_scopes: string[];
}

/** What users granted the apps that they installed. */
@Injectable()
export class Consents {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(UserNotifications) private readonly notifications: UserNotifications,
  ) {}

  /**
   * Keeps that the user agreed, with what they were shown; of an install that has changed meanwhile nothing. A program agrees to no more
   * than its key holds, and takes nothing back. Returns what is granted now.
   */
  async agree(em: EntityManager, user: UserCaller, { app_id, revision }: InstallState, agreed: AgreedVersion): Promise<string[]> {
    const tenant = new TenantData(em, user.tenantId);
    const [install] = await tenant.query<{ granted_scopes: string[] }>(
      `SELECT granted_scopes FROM installs
       WHERE tenant_id = $tenant AND user_id = $1 AND app_id = $2 AND revision = $3 AND removed_at IS NULL FOR NO KEY UPDATE`,
      [user.userId, app_id, revision],
    );
    if (!install) return [];
    const before = install.granted_scopes;
    const { requested_scopes: requested, version } = agreed;
    const after = narrowingOf(user) === null ? [...requested].sort() : withKept(commonScopes(requested, user.scopes), before, requested);
    if (after.join() === before.join()) return after;
    await tenant.query('UPDATE installs SET granted_scopes = $3 WHERE tenant_id = $tenant AND user_id = $1 AND app_id = $2', [
      user.userId,
      app_id,
      after,
    ]);
    await recordAudit(em, {
      action: 'app.scopes_granted',
      target: { type: 'app', id: app_id },
      tenantId: user.tenantId,
      before: { scopes: before },
      after: { scopes: after },
      metadata: { user_id: user.userId, version },
    });
    return after;
  }

  /**
   * Tells users that the version which is served now asks for what they did not agree to: each once for a version, however often this
   * runs.
   *
   * @param userIds only these; all who have the app unless told.
   */
  async ask(appId: string, userIds?: readonly string[]): Promise<void> {
    while ((await this.askSome(appId, userIds)) === ASKED_AT_ONCE);
  }

  private askSome(appId: string, userIds: readonly string[] | undefined): Promise<number> {
    return this.dataSource.transaction(async (em) => {
      const [waiting] = await em.query<[Waiting[], number]>(
        `WITH served AS (
           SELECT v.version, v.requested_scopes, a.display_name FROM apps a
             JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
           WHERE a.app_id = $1 AND a.status = 'active' AND NOT a.system
         ), waiting AS (
           SELECT i.user_id FROM installs i, served s
           WHERE i.app_id = $1 AND i.removed_at IS NULL AND i.asked_version IS DISTINCT FROM s.version
             AND NOT i.granted_scopes @> s.requested_scopes AND ($2::text[] IS NULL OR i.user_id = ANY ($2))
           ORDER BY i.user_id LIMIT ${ASKED_AT_ONCE} FOR NO KEY UPDATE OF i
         )
         UPDATE installs i SET asked_version = s.version FROM served s, waiting w WHERE i.app_id = $1 AND i.user_id = w.user_id
         RETURNING i.user_id, i.tenant_id, s.version, s.display_name, s.requested_scopes, i.granted_scopes`,
        [appId, userIds ?? null],
      );
      for (const { user_id, tenant_id, ...asked } of waiting) {
        const { missing_scopes: missing } = scopeConsent(asked.requested_scopes, asked.granted_scopes);
        if (!missing.length) continue;
        await this.notifications.keep(em, {
          app_id: 'marketplace',
          user_id,
          tenant_id,
          subject: `${asked.display_name} asks for more`,
          message: messageOf({ ...asked, app_id: appId }, missing),
        });
      }
      return waiting.length;
    });
  }
}

/** What a key adds to what its owner agreed to before. */
const withKept = (added: readonly string[], before: readonly string[], requested: readonly string[]): string[] =>
  [...new Set([...added, ...commonScopes(before, requested)])].sort();

function messageOf(
  { app_id, display_name, version }: Pick<Waiting, 'display_name' | 'version'> & { app_id: string },
  missing: readonly string[],
): string {
  const more = missing.length > MOST_SCOPES_NAMED ? ` and ${missing.length - MOST_SCOPES_NAMED} more` : '';
  const named = missing.slice(0, MOST_SCOPES_NAMED).join(', ');
  return `Version ${version} of ${display_name} asks for ${named}${more}. Until you agree, it acts for you without. To agree, install it again, or run: platform installs consent ${app_id}`;
}
