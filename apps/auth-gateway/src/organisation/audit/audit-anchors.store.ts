import { appendFile, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Logger } from 'pino';
import type { AuditSeal } from './audit-seal.js';

/**
 * Copies of the last seals of all tenants, outside of the database. They reveal if the end of a
 * chain was cut off together with its seals. Each anchor is one line of JSON in an append-only
 * file; without a file it goes to the log of the service.
 */
export class AuditAnchorsStore {
  /** Number of the last anchored seal, by tenant. */
  private written: Promise<Map<string, number>> | undefined;

  /** @param file is created if it does not exist. Empty: write anchors to the log. */
  constructor(
    private readonly file: string,
    private readonly logger: Pick<Logger, 'info' | 'debug' | 'error'>,
  ) {}

  /**
   * Writes a seal to the anchor file or, without a file, to the log. No effect if this seal or a
   * later one of the tenant has an anchor already. Never throws: a failure is logged.
   */
  async storeAnchor(seal: AuditSeal): Promise<void> {
    try {
      const written = await (this.written ??= this.loadAnchors());
      if ((written.get(seal.tenant_id) ?? 0) >= seal.number) return;
      if (this.file) await appendFile(this.file, `${JSON.stringify(seal)}\n`, { mode: 0o600 });
      this.logger[this.file ? 'debug' : 'info']({ audit_anchor: seal }, 'the audit log was sealed');
      written.set(seal.tenant_id, seal.number);
    } catch (error) {
      // The hourly job tries again. A failure must not stop the anchors of other tenants.
      this.written = undefined;
      this.logger.error(
        { err: error, file: this.file },
        'could not write an anchor of the audit log; the next hourly run tries again',
      );
    }
  }

  private async loadAnchors(): Promise<Map<string, number>> {
    const written = new Map<string, number>();
    if (!this.file) return written;
    await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
    for await (const { seal } of parseAnchors(this.file)) {
      if (seal) written.set(seal.tenant_id, Math.max(seal.number, written.get(seal.tenant_id) ?? 0));
    }
    return written;
  }
}

/**
 * Reads the anchors (copies of seals) from an anchor file or a service log, line by line. `seal` is
 * null for lines without an anchor; empty lines are skipped. Yields nothing if the file does not
 * exist.
 */
export async function* parseAnchors(file: string): AsyncGenerator<{ line: number; seal: AuditSeal | null }> {
  const handle = await open(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (!handle) return;
  let line = 0;
  try {
    for await (const text of createInterface({
      input: handle.createReadStream({ encoding: 'utf8' }),
      crlfDelay: Infinity,
    })) {
      line++;
      if (text.trim()) yield { line, seal: parseAnchor(text) };
    }
  } finally {
    await handle.close().catch(() => undefined);
  }
}

function parseAnchor(text: string): AuditSeal | null {
  try {
    const value = JSON.parse(text) as Partial<AuditSeal> & { audit_anchor?: AuditSeal };
    const seal = value.audit_anchor ?? (value as Partial<AuditSeal>);
    const isSeal =
      typeof seal.tenant_id === 'string' && typeof seal.number === 'number' && typeof seal.mac === 'string';
    return isSeal && typeof seal.key_id === 'string' ? (seal as AuditSeal) : null;
  } catch {
    return null;
  }
}
