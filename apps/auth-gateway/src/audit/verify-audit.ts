import type { DataSource } from 'typeorm';

const BATCH = 5_000;

export interface AuditVerdict {
  /** How many entries were checked. */
  entries: number;
  /** What does not hold, a line each; empty when the log is intact. */
  problems: string[];
}

interface Link {
  sequence: string;
  entry_id: string;
  hash: Buffer;
  is_missing: boolean;
  is_intact: boolean;
}

/**
 * Follows the chain of every tenant from its first entry and compares each hash with the entry as it is now. A changed, removed or added
 * entry shows, and so does an end that was cut off, since the head counts the entries. Who can rewrite the whole chain and its head with
 * it leaves no trace here: keep what `npm run audit:verify` prints for the head elsewhere.
 */
export async function verifyAudit(dataSource: DataSource): Promise<AuditVerdict> {
  const heads = await dataSource.query<{ tenant_id: string; sequence: string; hash: Buffer }[]>(
    'SELECT * FROM audit_heads ORDER BY tenant_id',
  );
  const verdict: AuditVerdict = { entries: 0, problems: [] };
  for (const head of heads) {
    const end = await verifyChain(dataSource, head.tenant_id, verdict);
    if (end.sequence !== Number(head.sequence) || !end.hash.equals(head.hash)) {
      verdict.problems.push(`${head.tenant_id}: the chain ends at ${end.sequence}, its head says ${head.sequence}`);
    }
  }
  const unlinked = await dataSource.query<{ id: string; tenant_id: string }[]>(
    `SELECT id, tenant_id FROM audit_entries e
     WHERE NOT EXISTS (SELECT 1 FROM audit_chain c WHERE c.tenant_id = e.tenant_id AND c.entry_id = e.id) LIMIT 100`,
  );
  for (const { id, tenant_id: tenantId } of unlinked) verdict.problems.push(`${tenantId}: ${id} is in no chain`);
  return verdict;
}

async function verifyChain(dataSource: DataSource, tenantId: string, verdict: AuditVerdict): Promise<{ sequence: number; hash: Buffer }> {
  let end: { sequence: number; hash: Buffer } = { sequence: 0, hash: Buffer.alloc(0) };
  for (;;) {
    const links = await dataSource.query<Link[]>(
      `SELECT c.sequence, c.entry_id, c.hash, e.id IS NULL AS is_missing,
         coalesce(c.hash = audit_hash(lag(c.hash, 1, $3) OVER (ORDER BY c.sequence), e), false) AS is_intact
       FROM (SELECT * FROM audit_chain WHERE tenant_id = $1 AND sequence > $2 ORDER BY sequence LIMIT ${BATCH}) AS c
       LEFT JOIN audit_entries e ON e.id = c.entry_id AND e.created_at = c.entry_created_at
       ORDER BY c.sequence`,
      [tenantId, end.sequence, end.hash],
    );
    for (const { sequence, entry_id: id, hash, is_missing: isMissing, is_intact: isIntact } of links) {
      verdict.entries++;
      if (Number(sequence) !== end.sequence + 1)
        verdict.problems.push(`${tenantId}: there is no link ${end.sequence + 1} before ${sequence}`);
      if (isMissing) verdict.problems.push(`${tenantId}: entry ${id} (link ${sequence}) is gone`);
      else if (!isIntact) verdict.problems.push(`${tenantId}: entry ${id} (link ${sequence}) was changed, or the one before it`);
      end = { sequence: Number(sequence), hash };
    }
    if (links.length < BATCH) return end;
  }
}
