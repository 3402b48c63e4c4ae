import type { DataSource } from 'typeorm';
import type { EntryContent } from '../../kernel/audit/audit-keys.js';

export const LINKS_BATCH = 5_000;

/** Link of a tenant's chain, joined with the current state of its entry. */
export interface AuditLink extends EntryContent {
  sequence: number;
  entry_id: string;
  /** Hexadecimal. */
  hash: string;
  is_missing: boolean;
  /** True if another link has the same entry. A unique index prevents this as long as it exists. */
  is_repeated: boolean;
  /** True if the hash matches the entry and the previous hash. */
  is_intact: boolean;
  created_at: Date | null;
  key_id: string | null;
  mac: string | null;
}

/** Last checked link of a chain. The start of a chain is `{ sequence: 0, hash: '' }`. */
export interface ChainEnd {
  sequence: number;
  /** Hexadecimal. */
  hash: string;
}

/**
 * Reads the links of a tenant's chain after `end`, in order, each with the current state of its
 * entry; at most `LINKS_BATCH`. The chain is the sequence of the tenant's audit entries, each with
 * a hash that depends on the one before.
 *
 * @param upTo number of the last link to read.
 */
export function findLinksAfter(
  dataSource: DataSource,
  tenantId: string,
  end: ChainEnd,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<AuditLink[]> {
  return dataSource.query<AuditLink[]>(
    `SELECT c.sequence::float8 AS sequence, c.entry_id, encode(c.hash, 'hex') AS hash, e.id IS NULL AS is_missing,
       EXISTS (SELECT FROM gateway_audit.audit_chain o WHERE o.entry_id = c.entry_id
         AND (o.tenant_id, o.sequence) <> (c.tenant_id, c.sequence)) AS is_repeated,
       coalesce(c.hash = gateway_audit.audit_hash(lag(c.hash, 1, decode($3, 'hex')) OVER (ORDER BY c.sequence), e), false) AS is_intact,
       e.id, e.tenant_id, e.created_at, e.actor_type, e.actor_id, e.on_behalf_of, e.action, e.target_type, e.target_id, e.before_state,
       e.after_state, e.metadata, e.ip_address, e.user_agent, e.request_id, e.key_id, e.mac
     FROM (SELECT * FROM gateway_audit.audit_chain WHERE tenant_id = $1 AND sequence > $2 AND sequence <= $4
           ORDER BY sequence LIMIT ${LINKS_BATCH}) AS c
     LEFT JOIN gateway_audit.audit_entries e ON e.id = c.entry_id AND e.created_at = c.entry_created_at AND e.tenant_id = c.tenant_id
     ORDER BY c.sequence`,
    [tenantId, end.sequence, end.hash, upTo],
  );
}
