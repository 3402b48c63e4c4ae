import { sealingKeyId, type Keyring } from '@platform/platform';
import type { DataSource, EntityManager } from 'typeorm';

const BATCH = 500;

export interface SealedColumnOptions {
  /** Description of one value, for people. */
  what: string;
  /** Purpose of the derived encryption key. It also prefixes each sealed value. */
  purpose: string;
  table: string;
  /** Column that identifies the row. The encryption binds its value to the sealed value. */
  id: string;
  column: string;
  /**
   * Checks that an opened value belongs to the row, as far as the value shows it. @throws Error if
   * not.
   */
  check?: (id: string, plaintext: string) => Promise<unknown>;
}

export interface ResealReport {
  what: string;
  resealed: number;
  /** Number of values by the id of the key that seals them now, without the values in `failed`. */
  sealedBy: Map<string, number>;
  /** Values that could not be opened. They were not changed. */
  failed: { id: string; reason: string }[];
}

interface Row {
  id: string;
  sealed: string;
}

/**
 * Encrypts and decrypts the values of one column, with `SECRET_KEYS` (AES-256-GCM). Each value is
 * bound to its row and cannot be opened in another row.
 */
export class SealedColumn {
  constructor(
    private readonly keyring: Keyring,
    private readonly options: SealedColumnOptions,
  ) {}

  seal(id: string, plaintext: string): string {
    return this.keyring.seal(this.options.purpose, plaintext, this.contextOf(id));
  }

  /**
   * Decrypts the value of the row `id`.
   *
   * @throws AppError 503 `secret_key.missing` if the key that sealed the value is not in
   * `SECRET_KEYS`; Error if the value was changed or belongs to another row.
   */
  open(id: string, sealed: string): string {
    return this.keyring.open(this.options.purpose, sealed, this.contextOf(id));
  }

  /**
   * Encrypts the values of all rows again that an older key sealed. Afterwards the older keys can
   * be removed, if `failed` is empty. Safe to run at any time, also concurrently.
   *
   * @returns the number of values by key. Values that cannot be opened are in `failed` and were not
   * changed.
   */
  async reseal(dataSource: DataSource): Promise<ResealReport> {
    const report: ResealReport = { what: this.options.what, resealed: 0, sealedBy: new Map(), failed: [] };
    for (let after = ''; ;) {
      const rows = await this.rowsAfter(dataSource.manager, after);
      for (const row of rows) await this.resealRow(dataSource.manager, row, report);
      if (rows.length < BATCH) return report;
      after = rows.at(-1)?.id as string;
    }
  }

  private rowsAfter(em: EntityManager, after: string): Promise<Row[]> {
    const { table, id, column } = this.options;
    return em.query<Row[]>(
      `SELECT ${id} AS id, ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL AND ${id} > $1 ORDER BY ${id} LIMIT ${BATCH}`,
      [after],
    );
  }

  private async resealRow(em: EntityManager, { id, sealed }: Row, report: ResealReport): Promise<void> {
    const { table, id: idColumn, column, check } = this.options;
    let now = sealed;
    try {
      const plaintext = this.open(id, sealed);
      await check?.(id, plaintext);
      if (sealingKeyId(sealed) !== this.keyring.currentId) now = this.seal(id, plaintext);
    } catch (error) {
      report.failed.push({ id, reason: describeSealError(error) });
      return;
    }
    const keyId = sealingKeyId(now) as string;
    report.sealedBy.set(keyId, (report.sealedBy.get(keyId) ?? 0) + 1);
    if (now === sealed) return;
    // The condition skips a value that was set in the meantime; that one is sealed with the current
    // key.
    await em.query(`UPDATE ${table} SET ${column} = $3 WHERE ${idColumn} = $1 AND ${column} = $2`, [id, sealed, now]);
    report.resealed++;
  }

  private contextOf(id: string): string {
    return JSON.stringify([this.options.purpose, id]);
  }
}

/**
 * Says why a value cannot be opened, in a sentence that is safe for logs: the message of a
 * SealError or of `secret_key.missing`, and one fixed sentence for every other error. Messages of
 * parsers quote the value.
 */
export function describeSealError(error: unknown): string {
  return error instanceof SealError || (error as { code?: unknown }).code === 'secret_key.missing'
    ? (error as Error).message
    : 'The value was changed, or was sealed for another row, or was sealed with another key of the same id.';
}

/** An opened value is invalid. `message` says why, without quoting the value. */
export class SealError extends Error {
  override name = 'SealError';
}
