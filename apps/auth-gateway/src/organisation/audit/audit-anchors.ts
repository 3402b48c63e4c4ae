import { appendFile, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Logger } from 'pino';
import type { AuditSeal } from './audit-seal.js';

/**
 * Where the last seals of all tenants are kept outside of the database, so that it shows when the end of a chain was cut off together with
 * its seals: a line of JSON for each in a file that is only appended to, or without a file in the service's own log.
 */
export class AuditAnchors {
  /** The number of the last seal that the file has, by tenant. */
  private written: Promise<Map<string, number>> | undefined;

  /** @param file is made when it is not there; empty: none. */
  constructor(
    private readonly file: string,
    private readonly logger: Pick<Logger, 'info' | 'debug' | 'error'>,
  ) {}

  /** Nothing happens when this seal, or a later one of its tenant, is there already. */
  async add(seal: AuditSeal): Promise<void> {
    try {
      const written = await (this.written ??= this.load());
      if ((written.get(seal.tenant_id) ?? 0) >= seal.number) return;
      if (this.file) await appendFile(this.file, `${JSON.stringify(seal)}\n`, { mode: 0o600 });
      this.logger[this.file ? 'debug' : 'info']({ audit_anchor: seal }, 'the audit log was sealed');
      written.set(seal.tenant_id, seal.number);
    } catch (error) {
      // It comes again within the hour; the seals of other tenants must not wait for it.
      this.written = undefined;
      this.logger.error({ err: error, file: this.file }, 'an anchor of the audit log could not be written');
    }
  }

  private async load(): Promise<Map<string, number>> {
    const written = new Map<string, number>();
    if (!this.file) return written;
    await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
    for await (const { seal } of readAnchors(this.file)) {
      if (seal) written.set(seal.tenant_id, Math.max(seal.number, written.get(seal.tenant_id) ?? 0));
    }
    return written;
  }
}

/** The lines of a file of anchors, or of a log that has them; null for what is a line of neither. Nothing when there is no such file. */
export async function* readAnchors(file: string): AsyncGenerator<{ line: number; seal: AuditSeal | null }> {
  const handle = await open(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (!handle) return;
  let line = 0;
  try {
    for await (const text of createInterface({ input: handle.createReadStream({ encoding: 'utf8' }), crlfDelay: Infinity })) {
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
    const isSeal = typeof seal.tenant_id === 'string' && typeof seal.number === 'number' && typeof seal.mac === 'string';
    return isSeal && typeof seal.key_id === 'string' ? (seal as AuditSeal) : null;
  } catch {
    return null;
  }
}
