import type { Keyring } from '@platform/platform';
import type { DataSource } from 'typeorm';
import { parseAnchors } from './audit-anchors.store.js';
import { checkAuthenticity } from '../../kernel/audit/audit-keys.js';
import { findLinksAfter, LINKS_BATCH, type AuditLink, type ChainEnd } from './audit-links.js';
import { SEAL_COLUMNS, checkSealAuthenticity, toSeal, type AuditSeal, type SealRow } from './audit-seal.js';
import { findAuditWeaknesses } from './protect-audit.js';

const SEALS_BATCH = 1_000;

export interface AuditVerdict {
  /** Number of checked entries. */
  entries: number;
  /**
   * Number of entries with a MAC of a missing key. Only their hashes and seals could be checked.
   */
  unknownKey: number;
  /** Errors in the log, one line each. Empty if the log is intact. */
  problems: string[];
  /** Parts that could not be checked or are weakly protected, one line each. */
  notes: string[];
}

export interface VerifyOptions {
  /** Keyring of the gateway (`SECRET_KEYS`). */
  keyring: Keyring;
  /** Paths of anchor files, or of service logs that contain anchors. */
  anchors?: readonly string[];
}

/**
 * Checks the audit log of every tenant: each entry must have the expected hash, which depends on
 * the one before; each entry and each seal needs a checksum (MAC) made with a key of the gateway;
 * and every seal that was copied to an anchor file must exist. So it detects entries that a person
 * with write access to the database changed, removed, added or reordered, without the keys and the
 * anchors. Problems are returned, not thrown.
 */
export async function verifyAudit(
  dataSource: DataSource,
  { keyring, anchors = [] }: VerifyOptions,
): Promise<AuditVerdict> {
  const verdict: AuditVerdict = { entries: 0, unknownKey: 0, problems: [], notes: [] };
  const anchored = await lastAnchors(keyring, anchors, verdict);
  const heads = await dataSource.query<{ tenant_id: string; sequence: string; hash: string }[]>(
    "SELECT tenant_id, sequence, encode(hash, 'hex') AS hash FROM gateway_audit.audit_heads ORDER BY tenant_id",
  );
  for (const { tenant_id: tenantId, sequence, hash } of heads) {
    const chain = new TenantChainCheck(dataSource, keyring, tenantId, verdict);
    await chain.verifyChain({ sequence: Number(sequence), hash }, anchored.get(tenantId));
    anchored.delete(tenantId);
  }
  for (const { tenant_id: tenantId, sequence } of anchored.values()) {
    verdict.problems.push(`${tenantId}: all entries from link 1 on are missing; the anchor covers ${sequence}`);
  }
  const unlinked = await dataSource.query<{ id: string; tenant_id: string }[]>(
    `SELECT id, tenant_id FROM gateway_audit.audit_entries e
     WHERE NOT EXISTS (SELECT 1 FROM gateway_audit.audit_chain c WHERE c.tenant_id = e.tenant_id AND c.entry_id = e.id) LIMIT 100`,
  );
  for (const { id, tenant_id: tenantId } of unlinked) verdict.problems.push(`${tenantId}: ${id} is not in the chain`);
  if (!anchors.length)
    verdict.notes.push(
      'No anchor file was given, so this check cannot detect last entries that were removed together with their seals.',
    );
  verdict.notes.push(...(await findAuditWeaknesses(dataSource)));
  return verdict;
}

/**
 * Reads the last anchor of each tenant from the files: a copy of a seal outside of the database.
 * Anchors that the gateway did not write, and files without an anchor, are reported as problems in
 * `verdict`.
 */
async function lastAnchors(
  keyring: Keyring,
  files: readonly string[],
  verdict: AuditVerdict,
): Promise<Map<string, AuditSeal>> {
  const anchored = new Map<string, AuditSeal>();
  for (const file of files) {
    let found = 0;
    for await (const { line, seal } of parseAnchors(file)) {
      if (!seal) continue; // other lines of a service log
      found++;
      const authenticity = checkSealAuthenticity(keyring, seal);
      if (authenticity === 'forged')
        verdict.problems.push(`${seal.tenant_id}: line ${line} of ${file} was not written by the gateway`);
      // An anchor with an unknown key still counts: without the key, a seal in the database cannot
      // be forged to match it.
      else if (seal.number > (anchored.get(seal.tenant_id)?.number ?? 0)) anchored.set(seal.tenant_id, seal);
    }
    if (!found) verdict.problems.push(`No anchor found in ${file}.`);
  }
  return anchored;
}

/** Checks the chain of one tenant and its seals. */
class TenantChainCheck {
  private end: ChainEnd = { sequence: 0, hash: '' };
  private seal: AuditSeal | null = null;
  /** Last seal with a valid MAC of a known key. */
  private trusted: AuditSeal | null = null;
  private unknownKeys = new Map<string, number>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly keyring: Keyring,
    private readonly tenantId: string,
    private readonly verdict: AuditVerdict,
  ) {}

  async verifyChain(head: ChainEnd, anchor: AuditSeal | undefined): Promise<void> {
    this.trusted = await this.lastTrusted();
    for (;;) {
      const links = await findLinksAfter(this.dataSource, this.tenantId, this.end);
      const upTo = links.length < LINKS_BATCH ? Number.MAX_SAFE_INTEGER : (links.at(-1) as AuditLink).sequence;
      const hashes = new Map(links.map(({ sequence, hash }) => [sequence, hash]));
      hashes.set(this.end.sequence, this.end.hash);
      for (const link of links) this.checkLink(link);
      await this.checkSeals(upTo, hashes, anchor);
      if (links.length < LINKS_BATCH) break;
    }
    const { sequence, hash } = this.end;
    if (sequence !== head.sequence || hash !== head.hash)
      this.problem(`the chain ends at link ${sequence}, but its head expects ${head.sequence}`);
    if (anchor && anchor.number > (this.seal?.number ?? 0)) {
      const cut = anchor.sequence > sequence ? `, and so are the entries from link ${sequence + 1} on` : '';
      this.problem(`seal ${anchor.number}, at link ${anchor.sequence}, has an anchor but is missing${cut}`);
    }
    if (this.trusted?.rejected) {
      this.problem(
        `${this.trusted.rejected} entries or seals were not written by the gateway when it sealed them; its log names the first ones`,
      );
    }
    for (const [keyId, from] of this.unknownKeys) {
      this.note(
        `the MACs of some entries or seals from link ${from} on cannot be checked: the key "${keyId}" is not in SECRET_KEYS`,
      );
    }
    if (sequence > (this.trusted?.sequence ?? 0)) {
      this.note(
        `${sequence - (this.trusted?.sequence ?? 0)} entries are not sealed yet; the gateway seals new entries every 10 seconds while its worker runs`,
      );
    }
  }

  private checkLink(link: AuditLink): void {
    const { sequence, entry_id: id } = link;
    this.verdict.entries++;
    if (sequence !== this.end.sequence + 1)
      this.problem(`there is no link ${this.end.sequence + 1} before ${sequence}`);
    if (link.is_missing) this.problem(`entry ${id} (link ${sequence}) is missing`);
    else if (!link.is_intact) this.problem(`entry ${id} (link ${sequence}) or the entry before it was changed`);
    else if (link.is_repeated) this.problem(`entry ${id} (link ${sequence}) is in the chain more than once`);
    else this.checkAuthor(link);
    this.end = { sequence, hash: link.hash };
  }

  private checkAuthor(link: AuditLink): void {
    const { sequence, entry_id: id } = link;
    switch (checkAuthenticity(this.keyring, link)) {
      case 'forged':
        this.problem(`entry ${id} (link ${sequence}) was not written by the gateway`);
        return;
      case 'unknown_key':
        this.verdict.unknownKey++;
        // The seal that covers the entry was made while its key was still known.
        if (sequence <= (this.trusted?.sequence ?? 0)) this.rememberKey(link.key_id as string, sequence);
        else
          this.problem(
            `entry ${id} (link ${sequence}) cannot be checked: its key "${link.key_id ?? ''}" is not in SECRET_KEYS`,
          );
        return;
      case 'genuine':
        return;
    }
  }

  private async checkSeals(
    upTo: number,
    hashes: ReadonlyMap<number, string>,
    anchor: AuditSeal | undefined,
  ): Promise<void> {
    for (;;) {
      const rows = await this.dataSource.query<SealRow[]>(
        `SELECT ${SEAL_COLUMNS} FROM gateway_audit.audit_seals AS s WHERE s.tenant_id = $1 AND s.number > $2 AND s.sequence <= $3
         ORDER BY s.number LIMIT ${SEALS_BATCH}`,
        [this.tenantId, this.seal?.number ?? 0, upTo],
      );
      for (const row of rows) this.checkSeal(toSeal(row), hashes, anchor);
      if (rows.length < SEALS_BATCH) return;
    }
  }

  private checkSeal(seal: AuditSeal, hashes: ReadonlyMap<number, string>, anchor: AuditSeal | undefined): void {
    const name = `seal ${seal.number}, at link ${seal.sequence},`;
    const authenticity = checkSealAuthenticity(this.keyring, seal);
    if (authenticity === 'forged') this.problem(`${name} was not made by the gateway`);
    if (authenticity === 'unknown_key') this.rememberKey(seal.key_id, seal.sequence);
    const before = this.seal;
    if (seal.number !== (before?.number ?? 0) + 1 || seal.previous !== (before?.mac ?? ''))
      this.problem(`a seal before ${name} is missing`);
    if (hashes.get(seal.sequence) !== seal.hash) {
      this.problem(
        `${name} does not match the chain: entries from link ${(before?.sequence ?? 0) + 1} up to it were changed or removed`,
      );
    }
    if (anchor?.number === seal.number && anchor.mac !== seal.mac) {
      this.problem(
        `${name} differs from its anchor: entries from link ${(before?.sequence ?? 0) + 1} on may have been replaced`,
      );
    }
    this.seal = seal;
  }

  private async lastTrusted(): Promise<AuditSeal | null> {
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const rows = await this.dataSource.query<SealRow[]>(
        `SELECT ${SEAL_COLUMNS} FROM gateway_audit.audit_seals AS s WHERE s.tenant_id = $1 AND s.number < $2
         ORDER BY s.number DESC LIMIT ${SEALS_BATCH}`,
        [this.tenantId, before],
      );
      const trusted = rows.map(toSeal).find((seal) => checkSealAuthenticity(this.keyring, seal) === 'genuine');
      if (trusted || rows.length < SEALS_BATCH) return trusted ?? null;
      before = rows.at(-1)?.number as number;
    }
  }

  private rememberKey(keyId: string, sequence: number): void {
    if (!this.unknownKeys.has(keyId)) this.unknownKeys.set(keyId, sequence);
  }

  private problem(text: string): void {
    this.verdict.problems.push(`${this.tenantId}: ${text}`);
  }

  private note(text: string): void {
    this.verdict.notes.push(`${this.tenantId}: ${text}`);
  }
}
