import { currentContext, newId, type Actor } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import { redacted } from './redaction.js';

export interface AuditEntry {
  /** What happened, as target and participle: `role.updated`. */
  action: string;
  target: { type: string; id: string };
  tenantId: string;
  /** What it was and what it became: what changed is enough. No personal data, which an entry would keep for ever. */
  before?: object | null;
  after?: object | null;
  metadata?: object;
  /** Default: whoever calls. Needed where a route is public. */
  actor?: Actor;
}

const NOBODY: Actor = { type: 'system', id: 'platform' };
const MAX_USER_AGENT_LENGTH = 400;

/** Writes an entry in the transaction of what it is about, so that there is one if, and only if, that happened. */
export async function recordAudit(
  em: EntityManager,
  { action, target, tenantId, before, after, metadata, actor }: AuditEntry,
): Promise<void> {
  const context = currentContext();
  const who = actor ?? context?.actor ?? NOBODY;
  await em.query(
    `INSERT INTO audit_entries (id, tenant_id, actor_type, actor_id, on_behalf_of, action, target_type, target_id, before_state, after_state,
       metadata, ip_address, user_agent, request_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      newId('aud'),
      tenantId,
      who.type,
      who.id,
      who.onBehalfOf ?? null,
      action,
      target.type,
      target.id,
      before ? JSON.stringify(redacted(before)) : null,
      after ? JSON.stringify(redacted(after)) : null,
      JSON.stringify(redacted(metadata ?? {})),
      context?.ipAddress ?? null,
      context?.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
      context?.requestId ?? null,
    ],
  );
}
