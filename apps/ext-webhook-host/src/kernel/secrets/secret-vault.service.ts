import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SecretErrors, type SecretKeeper, type SecretOwner } from '@platform/extension-sdk/runtime';
import { columns, queryPrepared, RowLookup, type Row, type RowOf } from '@platform/persistence';
import { LOGGER, type Keyring } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { SecretAccessRecorder } from './secret-access-recorder.js';
import { Secret } from './secret.entity.js';

export const SECRET_KEYRING = Symbol('SECRET_KEYRING');

const SEALED = columns(Secret, ['sealed']);
const TIMES = columns(Secret, ['name', 'updatedAt', 'lastAccessedAt']);
/** `last_accessed_at` is the last read by a run, or by a user who may see the secret. */
export type SecretTimes = Omit<RowOf<typeof TIMES>, 'name'>;

const PURPOSE = 'extension-secret';
const RESEAL_BATCH = 500;

/**
 * Secrets of extensions, encrypted with AES-256-GCM. A row can be decrypted only for its own app,
 * identity and name. Nothing is kept in memory. All methods throw SECRETS_UNAVAILABLE if the
 * database or a key is unavailable.
 */
@Injectable()
export class SecretVaultService implements SecretKeeper, OnApplicationShutdown {
  private readonly byName: RowLookup<RowOf<typeof SEALED>>;
  private readonly accesses: SecretAccessRecorder;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(SECRET_KEYRING) private readonly keyring: Keyring,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.accesses = new SecretAccessRecorder(dataSource, logger);
    this.byName = new RowLookup(dataSource, { table: 'secrets', key: ['app_id', 'identity', 'name'], columns: SEALED });
  }

  onApplicationShutdown(): Promise<void> {
    return this.accesses.stop();
  }

  /**
   * Returns the value of a secret, and records the time of the read; null if it is not set.
   *
   * @throws ExtensionError SECRETS_UNAVAILABLE if the key that encrypted it is missing, or the
   * database is unavailable.
   */
  async find(owner: SecretOwner, name: string): Promise<string | null> {
    const row = await this.byName.findRow(keyOf(owner, name)).catch(unavailable);
    if (!row) return null;
    const value = this.open(owner, name, row.sealed);
    this.accesses.recordAccess(owner, name);
    return value;
  }

  async set(owner: SecretOwner, name: string, value: string): Promise<void> {
    await this.setUnlessNewer(owner, name, value, null);
  }

  /**
   * Sets a secret, and returns true. Returns false, and changes nothing, if it was set later than
   * `setUntil`; null: it is always set.
   *
   * @throws ExtensionError SECRETS_UNAVAILABLE if the database is unavailable.
   */
  async setUnlessNewer(owner: SecretOwner, name: string, value: string, setUntil: string | null): Promise<boolean> {
    const rows = await this.query(
      `INSERT INTO secrets (app_id, identity, name, sealed, key_id) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (app_id, identity, name) DO UPDATE SET sealed = excluded.sealed, key_id = excluded.key_id, updated_at = now()
         WHERE $6::timestamptz IS NULL OR secrets.updated_at <= $6 RETURNING name`,
      [...keyOf(owner, name), this.seal(owner, name, value), this.keyring.currentId, setUntil],
    );
    return rows.length > 0;
  }

  /**
   * Deletes a secret. Returns false if it was not set, or was set later than `setUntil` and
   * therefore stays.
   *
   * @throws ExtensionError SECRETS_UNAVAILABLE if the database is unavailable.
   */
  async delete(owner: SecretOwner, name: string, setUntil: string | null = null): Promise<boolean> {
    const rows = await this.query(
      `DELETE FROM secrets WHERE app_id = $1 AND identity = $2 AND name = $3 AND ($4::timestamptz IS NULL OR updated_at <= $4) RETURNING name`,
      [...keyOf(owner, name), setUntil],
    );
    return rows.length > 0;
  }

  /**
   * Deletes the secrets that were last set before a time: of an app and an identity, of an identity
   * in all apps, or of an app for all identities.
   *
   * @throws TypeError if neither is given: all secrets of all apps are never deleted.
   * ExtensionError SECRETS_UNAVAILABLE if the database is unavailable.
   */
  async deleteSecrets(
    { appId, identity }: { appId: string | null; identity: string | null },
    setBefore: string,
  ): Promise<void> {
    const whose = { app_id: appId, identity };
    const named = Object.entries(whose).filter(([, value]) => value !== null);
    if (!named.length) throw new TypeError('All secrets of all apps are never deleted.');
    const condition = named.map(([column], at) => `${column} = $${at + 2}`).join(' AND ');
    await this.query(`DELETE FROM secrets WHERE updated_at < $1 AND ${condition}`, [
      setBefore,
      ...named.map(([, value]) => value),
    ]);
  }

  /**
   * Times of the last change and the last read of the secrets that are set, by name; other names
   * are missing. A read by another process appears within a second.
   *
   * @throws ExtensionError SECRETS_UNAVAILABLE if the database is unavailable.
   */
  async findTimes(owner: SecretOwner, names: readonly string[]): Promise<Map<string, SecretTimes>> {
    await this.accesses.flush().catch(unavailable);
    const rows = await this.query<RowOf<typeof TIMES>>(
      `SELECT ${TIMES} FROM secrets
       WHERE app_id = $1 AND identity = $2 AND name = ANY ($3::text[]) ORDER BY name`,
      [owner.appId, owner.identity, names],
    );
    return new Map(rows.map(({ name, ...times }) => [name, times]));
  }

  /**
   * Names of the secrets that are set, among the given names, sorted.
   *
   * @throws ExtensionError SECRETS_UNAVAILABLE if the database is unavailable.
   */
  async namesSet(owner: SecretOwner, names: readonly string[]): Promise<string[]> {
    const rows = await this.query<Row<Secret, 'name'>>(
      'SELECT name FROM secrets WHERE app_id = $1 AND identity = $2 AND name = ANY ($3::text[]) ORDER BY name',
      [owner.appId, owner.identity, names],
    );
    return rows.map(({ name }) => name);
  }

  /**
   * Encrypts secrets of older keys with the current key, so that the older keys can be retired.
   * Safe beside all other operations, also beside itself. A secret that cannot be decrypted stays,
   * and counts as `failed`.
   *
   * @throws ExtensionError SECRETS_UNAVAILABLE if the database is unavailable.
   */
  async resealSecrets(): Promise<{ resealed: number; failed: number }> {
    const counts = { resealed: 0, failed: 0 };
    let after = ['', '', ''];
    for (;;) {
      const batch = await this.sealedByOlder(after);
      if (!batch.length) return counts;
      for (const row of batch) {
        counts[(await this.resealRow(row)) ? 'resealed' : 'failed']++;
        after = keyOf(row, row.name);
      }
    }
  }

  private sealedByOlder(after: string[]): Promise<SealedSecret[]> {
    return this.query<SealedSecret>(
      `SELECT app_id AS "appId", identity, name, sealed FROM secrets
       WHERE key_id = ANY ($1::text[]) AND (app_id, identity, name) > ($2, $3, $4) ORDER BY app_id, identity, name LIMIT $5`,
      [this.keyring.ids.slice(1), ...after, RESEAL_BATCH],
    );
  }

  private async resealRow(row: SealedSecret): Promise<boolean> {
    const { name, sealed } = row;
    let resealed: string;
    try {
      resealed = this.seal(row, name, this.open(row, name, sealed));
    } catch {
      return false;
    }
    // Skips a secret that was set meanwhile: it is already sealed with the current key.
    await this.query(
      'UPDATE secrets SET sealed = $5, key_id = $6 WHERE app_id = $1 AND identity = $2 AND name = $3 AND sealed = $4',
      [...keyOf(row, name), sealed, resealed, this.keyring.currentId],
    );
    return true;
  }

  private seal(owner: SecretOwner, name: string, value: string): string {
    return this.keyring.seal(PURPOSE, value, placeOf(owner, name));
  }

  private open(owner: SecretOwner, name: string, sealed: string): string {
    try {
      return this.keyring.open(PURPOSE, sealed, placeOf(owner, name));
    } catch (error) {
      throw SecretErrors.unavailable(error);
    }
  }

  private query<Found extends object>(text: string, values: unknown[]): Promise<Found[]> {
    return queryPrepared<Found>(this.dataSource, text, values).catch(unavailable);
  }
}

interface SealedSecret extends SecretOwner, Row<Secret, 'name' | 'sealed'> {}

const unavailable = (error: unknown): never => {
  throw SecretErrors.unavailable(error);
};

const keyOf = ({ appId, identity }: SecretOwner, name: string): string[] => [appId, identity, name];

const placeOf = (owner: SecretOwner, name: string): string => JSON.stringify(keyOf(owner, name));
