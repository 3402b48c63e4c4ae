import { currentContext, newId, type Actor } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import { getAuditKeyring, computeEntryMac, type EntryContent } from './audit-keys.js';
import { redact } from './redaction.js';

export interface AuditEntry {
  /** Target and past participle: `role.updated`. */
  action: string;
  target: { type: string; id: string };
  tenantId: string;
  /**
   * State before and after the change; the changed fields are enough. Never personal data: entries
   * are kept forever.
   */
  before?: object | null;
  after?: object | null;
  metadata?: object;
  /** Default: the caller of the current request. Required on a public route. */
  actor?: Actor;
  /** Default: the current request. Required if the entry is written after the request has ended. */
  origin?: EntryOrigin;
}

export interface EntryOrigin {
  ipAddress: string | null;
  userAgent: string | null;
  requestId: string | null;
}

const NOBODY: Actor = { type: 'system', id: 'platform' };
const MAX_USER_AGENT_LENGTH = 400;

/**
 * Writes an audit entry in the transaction of the change that it describes, so that it exists if,
 * and only if, that transaction commits. Values of keys that look like secrets are replaced by
 * `[redacted]`. Without `actor`, the actor is the caller of the request; without a caller, it is
 * the platform.
 *
 * @throws Error if `setAuditKeyring` was not called for the data source.
 */
export async function recordAudit(
  em: EntityManager,
  { action, target, tenantId, before, after, metadata, actor, origin }: AuditEntry,
): Promise<void> {
  const context = currentContext();
  const from = origin ?? context;
  const who = actor ?? context?.actor ?? NOBODY;
  const entry: EntryContent = {
    id: newId('aud'),
    tenant_id: tenantId,
    actor_type: who.type,
    actor_id: who.id,
    on_behalf_of: who.onBehalfOf ?? null,
    action,
    target_type: target.type,
    target_id: target.id,
    before_state: before ? asJson(before) : null,
    after_state: after ? asJson(after) : null,
    metadata: asJson(metadata ?? {}),
    ip_address: from?.ipAddress ?? null,
    user_agent: from?.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    request_id: from?.requestId ?? null,
  };
  const keyring = getAuditKeyring(em.dataSource);
  await em.query(
    `INSERT INTO gateway_audit.audit_entries (id, tenant_id, actor_type, actor_id, on_behalf_of, action, target_type, target_id, before_state,
       after_state, metadata, ip_address, user_agent, request_id, key_id, mac)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      entry.id,
      entry.tenant_id,
      entry.actor_type,
      entry.actor_id,
      entry.on_behalf_of,
      entry.action,
      entry.target_type,
      entry.target_id,
      entry.before_state && JSON.stringify(entry.before_state),
      entry.after_state && JSON.stringify(entry.after_state),
      JSON.stringify(entry.metadata),
      entry.ip_address,
      entry.user_agent,
      entry.request_id,
      keyring?.currentId ?? null,
      keyring && computeEntryMac(keyring, entry),
    ],
  );
}

/**
 * Returns the value in the form in which the database returns it: secrets redacted, dates as text,
 * without values that JSON does not have.
 */
const asJson = (value: object): unknown => JSON.parse(JSON.stringify(redact(value)));
