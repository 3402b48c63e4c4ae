import type { Keyring } from '@platform/platform';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { AuditAnchorsStore } from './audit-anchors.store.js';
import { checkAuthenticity } from '../../kernel/audit/audit-keys.js';
import { findLinksAfter, type AuditLink } from './audit-links.js';
import { createSeal, SEAL_COLUMNS, checkSealAuthenticity, toSeal, type AuditSeal, type SealRow } from './audit-seal.js';

const TENANTS_BATCH = 500;

/**
 * Seals the chains of the audit log: checks that the gateway wrote the new entries and that their
 * chain is intact, and signs the result with a key that the database does not have. The chain of a
 * tenant is the sequence of its entries, each with a hash that depends on the one before. A sealed
 * entry cannot be changed or removed without a trace.
 */
export class AuditSealer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly keyring: Keyring,
    private readonly anchors: AuditAnchorsStore,
    private readonly logger: Pick<Logger, 'error'>,
  ) {}

  /**
   * Seals the new entries of all tenants: checks and signs them. Also seals a chain again if its
   * last seal has an older key. Entries that the gateway did not write are counted in the seal and
   * logged. Safe to run concurrently in any number of processes.
   */
  async sealAllTenants(): Promise<void> {
    for (let after = ''; ;) {
      const tenants = await this.findUnsealedTenants(after);
      for (const tenantId of tenants) await this.sealTenant(tenantId);
      if (tenants.length < TENANTS_BATCH) return;
      after = tenants.at(-1) as string;
    }
  }

  /**
   * Writes the last seal of every tenant to the anchors, outside of the database, if it has no
   * anchor there yet. Never throws for a failed anchor; it is logged.
   */
  async anchorAllTenants(): Promise<void> {
    for (let after = ''; ;) {
      const rows = await this.dataSource.query<SealRow[]>(
        `SELECT s.* FROM gateway_audit.audit_heads h, LATERAL (
           SELECT ${SEAL_COLUMNS} FROM gateway_audit.audit_seals AS a WHERE a.tenant_id = h.tenant_id ORDER BY a.number DESC LIMIT 1) AS s
         WHERE h.tenant_id > $1 ORDER BY h.tenant_id LIMIT ${TENANTS_BATCH}`,
        [after],
      );
      for (const row of rows) await this.anchors.storeAnchor(toSeal(row));
      if (rows.length < TENANTS_BATCH) return;
      after = rows.at(-1)?.tenant_id as string;
    }
  }

  private async findUnsealedTenants(after: string): Promise<string[]> {
    const rows = await this.dataSource.query<{ tenant_id: string }[]>(
      `SELECT h.tenant_id FROM gateway_audit.audit_heads h LEFT JOIN LATERAL (
         SELECT a.sequence, a.key_id FROM gateway_audit.audit_seals AS a WHERE a.tenant_id = h.tenant_id ORDER BY a.number DESC LIMIT 1) AS s ON true
       WHERE h.tenant_id > $1 AND (s.sequence IS DISTINCT FROM h.sequence OR s.key_id <> $2) ORDER BY h.tenant_id LIMIT ${TENANTS_BATCH}`,
      [after, this.keyring.currentId],
    );
    return rows.map(({ tenant_id: tenantId }) => tenantId);
  }

  private async sealTenant(tenantId: string): Promise<void> {
    for (;;) {
      const [head] = await this.dataSource.query<{ sequence: number }[]>(
        'SELECT sequence::float8 AS sequence FROM gateway_audit.audit_heads WHERE tenant_id = $1',
        [tenantId],
      );
      if (!head) return;
      const last = await this.lastSeal(tenantId);
      if (last && last.sequence >= head.sequence && last.key_id === this.keyring.currentId) return;
      const seal = await this.makeNextSeal(tenantId, last, head.sequence);
      // Another process has sealed first, or the chain has just changed: the next run tries again.
      if (!seal || !(await this.storeSeal(seal))) return;
      await this.anchors.storeAnchor(seal);
      if (!seal.is_partial) return;
    }
  }

  private async makeNextSeal(tenantId: string, last: AuditSeal | null, head: number): Promise<AuditSeal | null> {
    const start = { sequence: last?.sequence ?? 0, hash: last?.hash ?? '' };
    const links = await findLinksAfter(this.dataSource, tenantId, start, head);
    const end = links.at(-1) ?? (last && { sequence: last.sequence, hash: last.hash });
    if (!end) return null;
    const isLastGenuine = !last || checkSealAuthenticity(this.keyring, last) === 'genuine';
    const judged = this.checkLinks(links, start.sequence);
    if (judged.rejected || !isLastGenuine) {
      const found = {
        tenant_id: tenantId,
        rejected: judged.rejected,
        first: judged.firstRejected,
        last_seal_is_genuine: isLastGenuine,
      };
      this.logger.error(
        found,
        'the audit log has entries or seals that the gateway did not write; run npm run audit:verify',
      );
    }
    return createSeal(this.keyring, {
      tenant_id: tenantId,
      number: (last?.number ?? 0) + 1,
      sequence: end.sequence,
      hash: end.hash,
      sealed_at: new Date().toISOString(),
      previous: last?.mac ?? '',
      rejected: (last?.rejected ?? 0) + judged.rejected + (isLastGenuine ? 0 : 1),
      is_partial: end.sequence < head,
    });
  }

  /**
   * Checks the new links of a chain. Returns the number of bad links and the first of them. A link
   * is bad if its entry is missing, changed, in the chain twice, or has no MAC of a known key of
   * the gateway, or if the link before it is missing. A bad entry does not stop the sealing,
   * because otherwise one forged entry could stop it for ever.
   */
  private checkLinks(links: AuditLink[], start: number) {
    const judged = { rejected: 0, firstRejected: null as number | null };
    let expected = start + 1;
    for (const link of links) {
      const isGenuine = !link.is_missing && !link.is_repeated && checkAuthenticity(this.keyring, link) === 'genuine';
      if (!link.is_intact || link.sequence !== expected || !isGenuine) {
        judged.rejected++;
        judged.firstRejected ??= link.sequence;
      }
      expected = link.sequence + 1;
    }
    return judged;
  }

  private async lastSeal(tenantId: string): Promise<AuditSeal | null> {
    const [row] = await this.dataSource.query<SealRow[]>(
      `SELECT ${SEAL_COLUMNS} FROM gateway_audit.audit_seals AS s WHERE tenant_id = $1 ORDER BY s.number DESC LIMIT 1`,
      [tenantId],
    );
    return row ? toSeal(row) : null;
  }

  /** Stores a seal. Returns false if the tenant has a seal with this number already. */
  private async storeSeal(seal: AuditSeal): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      `INSERT INTO gateway_audit.audit_seals
         (tenant_id, number, sequence, hash, sealed_at, previous, rejected, is_partial, key_id, mac)
       VALUES ($1, $2, $3, decode($4, 'hex'), $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING number`,
      [
        seal.tenant_id,
        seal.number,
        seal.sequence,
        seal.hash,
        seal.sealed_at,
        seal.previous,
        seal.rejected,
        seal.is_partial,
        seal.key_id,
        seal.mac,
      ],
    );
    return rows.length > 0;
  }
}
