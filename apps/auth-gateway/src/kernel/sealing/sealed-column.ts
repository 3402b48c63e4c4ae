import { sealingKeyId, type Keyring } from '@platform/platform';
import type { DataSource, EntityManager } from 'typeorm';

const BATCH = 500;

export interface SealedColumnOptions {
  /** What one value is, for people. */
  what: string;
  /** Of the key that is derived for it, and first of what a value is sealed with. */
  purpose: string;
  table: string;
  /** The column by which a row is known, whose value is sealed along. */
  id: string;
  column: string;
  /** Refuses what belongs to another row, as far as the value itself says so. @throws Error. */
  check?: (id: string, plaintext: string) => Promise<unknown>;
}

export interface ResealReport {
  what: string;
  resealed: number;
  /** How many values each key seals now, by its id, those that do not open left out. */
  sealedBy: Map<string, number>;
  /** What does not open; it is left as it is. */
  failed: { id: string; reason: string }[];
}

interface Row {
  id: string;
  sealed: string;
}

/**
 * Values of a column, encrypted by `SECRET_KEYS` with AES-256-GCM, each for its row: moved to another, it does not open. What was sealed
 * before values were sealed for their rows opens too, until it is sealed anew.
 */
export class SealedColumn {
  constructor(
    private readonly keyring: Keyring,
    private readonly options: SealedColumnOptions,
  ) {}

  seal(id: string, plaintext: string): string {
    return this.keyring.seal(this.options.purpose, plaintext, this.contextOf(id));
  }

  /** @throws AppError 503 `secret_key.missing`; Error for what was changed, or sealed for another row. */
  open(id: string, sealed: string): string {
    return this.keyring.openStored(this.options.purpose, sealed, this.contextOf(id)).plaintext;
  }

  /**
   * Seals anew what an older key sealed, or what is not sealed for its row, so that the older keys can be dropped. May run beside everything
   * else, also beside itself. What does not open is left as it is.
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
    const { table, id: idColumn, column, purpose, check } = this.options;
    let now = sealed;
    try {
      const { plaintext, isOutdated } = this.keyring.openStored(purpose, sealed, this.contextOf(id));
      await check?.(id, plaintext);
      if (isOutdated) now = this.seal(id, plaintext);
    } catch (error) {
      report.failed.push({ id, reason: reasonOf(error) });
      return;
    }
    const keyId = sealingKeyId(now) as string;
    report.sealedBy.set(keyId, (report.sealedBy.get(keyId) ?? 0) + 1);
    if (now === sealed) return;
    // Unless it was set in the meantime, which has sealed it anew already.
    await em.query(`UPDATE ${table} SET ${column} = $3 WHERE ${idColumn} = $1 AND ${column} = $2`, [id, sealed, now]);
    report.resealed++;
  }

  private contextOf(id: string): string {
    return JSON.stringify([this.options.purpose, id]);
  }
}

/** Why something does not open, in words that may be logged: what a parser says quotes the text that it was given. */
export function reasonOf(error: unknown): string {
  return error instanceof SealError || (error as { code?: unknown }).code === 'secret_key.missing'
    ? (error as Error).message
    : 'It was changed, or sealed for another place, or by another key of the same id.';
}

/** Says what is wrong with a value that opens, without quoting it. */
export class SealError extends Error {
  override name = 'SealError';
}
