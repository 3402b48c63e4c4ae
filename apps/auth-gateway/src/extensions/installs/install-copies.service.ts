import { Injectable } from '@nestjs/common';
import type { AsJson, InstallChange, RegistryInstall, RemovedInstall } from '@platform/contracts';
import type { OriginKey } from '@platform/guards';
import { JobsService } from '@platform/messaging';
import { Outbox } from '@platform/persistence';
import { newUuid } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import { loadNarrowings } from './install-narrowings.js';
import { installQueue, type KnownChange } from './installs.jobs.js';

/** State of a user's installation, as the Registry reports it. */
export interface InstallState {
  user_id: string;
  app_id: string;
  revision: number;
  /** Null if the Registry reports the removal alone. */
  installed_at: string | null;
  /** Null while the user has the app. */
  removed_at: string | null;
  /**
   * API key that changed the installation directly at the Registry; null for the gateway and other
   * backends.
   */
  changed_by: OriginKey | null;
}

export const toInstallState = (install: AsJson<RegistryInstall | RemovedInstall | InstallChange>): InstallState => ({
  user_id: install.user_id,
  app_id: install.app_id,
  revision: install.revision,
  installed_at: 'installed_at' in install ? install.installed_at : null,
  removed_at: 'removed_at' in install ? install.removed_at : null,
  changed_by: install.changed_by,
});

const COLUMNS =
  'user_id text, app_id text, revision bigint, installed_at timestamptz, removed_at timestamptz, granted_by jsonb';

/** The gateway's copy of all installations. */
@Injectable()
export class InstallCopiesService {
  constructor(
    private readonly outbox: Outbox,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Updates the gateway's copy of installations to these states, in one transaction with `also`. A
   * state that is older than the copy changes nothing, so states can arrive late, twice and in any
   * order. States of unknown users and apps are dropped. Each new installation and each removal,
   * except of platform apps, is published once, with the permission limit of the API key that made
   * it. An app that a key installs depends on that key until the user agrees.
   */
  async copyStates(
    states: readonly InstallState[],
    also: (em: EntityManager) => Promise<void> = nothing,
  ): Promise<void> {
    await this.outbox.transaction(async (em) => {
      const known = states.length ? await updateCopy(em, states) : [];
      const changes = known.filter(({ is_system }) => !is_system).map(({ is_system: _isSystem, ...change }) => change);
      // Published by jobs, because other changes of the same app wait for this transaction. One job
      // per user, in the turn of the user.
      const byUser = new Map<string, KnownChange[]>();
      for (const change of changes) byUser.set(change.user_id, [...(byUser.get(change.user_id) ?? []), change]);
      const jobs = [...byUser.values()].map((ofUser) => ({ changes: ofUser }));
      if (jobs.length) await this.jobs.enqueueAll(em, installQueue, 'publish-changes', jobs);
      await also(em);
    });
  }
}

const nothing = (): Promise<void> => Promise.resolve();

interface CopiedChange extends KnownChange {
  /** True for an app of the platform. */
  is_system: boolean;
}

/**
 * Updates the copy, and returns the states that changed it, each with an event ID and the
 * permission limit of the change. Rows are locked in the same order everywhere, so that no deadlock
 * arises.
 */
async function updateCopy(em: EntityManager, states: readonly InstallState[]): Promise<CopiedChange[]> {
  const narrowingOf = await loadNarrowings(em, states);
  const changes = await em.query<Omit<CopiedChange, 'event_id' | 'scopes' | 'key'>[]>(
    `WITH changed AS (
       INSERT INTO installs AS i (user_id, app_id, tenant_id, revision, installed_at, removed_at, granted_by)
       SELECT c.user_id, c.app_id, u.tenant_id, c.revision, coalesce(c.installed_at, c.removed_at), c.removed_at,
         CASE WHEN c.removed_at IS NULL THEN c.granted_by END
       FROM jsonb_to_recordset($1) AS c (${COLUMNS}) JOIN apps a ON a.app_id = c.app_id
         JOIN users u ON u.id = c.user_id AND (u.erased_at IS NULL OR c.removed_at IS NOT NULL)
       ORDER BY c.app_id, c.user_id FOR KEY SHARE OF a, u
       ON CONFLICT (user_id, app_id) DO UPDATE SET revision = excluded.revision, removed_at = excluded.removed_at,
         installed_at = CASE WHEN excluded.removed_at IS NULL THEN excluded.installed_at ELSE i.installed_at END,
         granted_by = CASE WHEN excluded.installed_at <> i.installed_at THEN excluded.granted_by ELSE i.granted_by END,
         agreed_price_version = CASE WHEN excluded.installed_at <> i.installed_at THEN NULL ELSE i.agreed_price_version END
       WHERE i.revision < excluded.revision
       RETURNING user_id, app_id, tenant_id, removed_at IS NOT NULL AS is_removed)
     SELECT changed.*, a.system AS is_system FROM changed JOIN apps a USING (app_id) ORDER BY app_id, user_id`,
    [JSON.stringify(states.map((state) => ({ ...state, granted_by: narrowingOf(state)?.key ?? null })))],
  );
  return changes.map((change) => {
    const { scopes = null, key = null } = narrowingOf(change) ?? {};
    return { event_id: newUuid(), ...change, scopes, key };
  });
}
