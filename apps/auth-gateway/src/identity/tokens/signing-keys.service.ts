import type { JsonWebKeyResponse } from '@platform/contracts';
import { columns, type Row, type RowOf } from '@platform/persistence';
import { Errors, type Keyring } from '@platform/platform';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import type { Logger } from 'pino';
import type { DataSource, EntityManager } from 'typeorm';
import { describeSealError, type SealedColumn } from '../../kernel/sealing/sealed-column.js';
import { ALGORITHM, toPublicKey, sealedSigningKeys } from './sealed-signing-keys.js';
import { SigningKey } from './signing-key.entity.js';

const RELOAD_MS = 5_000;
const ROTATE_AFTER = '90 days';
/**
 * Verifiers cache the key set for an hour. So a key is published for two hours before its first
 * signature and after its last one.
 */
const PUBLISHED_BEFORE_USE = '2 hours';
const RETIRE_AFTER = '2 hours 15 minutes';
/**
 * Minimum time that a key signs, so that processes with different secret keys do not replace each
 * other's keys again and again.
 */
const REPLACED_AFTER = '30 seconds';
/** Advisory lock for all changes of the keys. "keys" in ASCII. */
const LOCK = 0x6b657973;

const STORED = columns(SigningKey, ['kid', 'state', 'sealedPrivateJwk']);
type StoredKey = RowOf<typeof STORED>;

interface OpenedKey {
  kid: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  published: JsonWebKeyResponse;
}

export interface KeySet {
  /** @throws AppError 503 if the current signing key cannot be decrypted. */
  readonly signing: { kid: string; key: CryptoKey };
  /** By `kid`. A Map, so that a `kid` of an attacker cannot find a property of Object. */
  verification: ReadonlyMap<string, CryptoKey>;
  /** Public keys in the form of RFC 7517. */
  published: JsonWebKeyResponse[];
}

/**
 * Keys that sign access tokens: `next` is published but does not sign yet, `current` signs,
 * `retiring` only verifies. Every process notices a rotation within 5 s.
 *
 * Private keys are stored sealed, each bound to its `kid`. Public keys are derived from the
 * decrypted private keys, so write access to the table is not enough to add a key. A key that
 * cannot be decrypted is ignored; if it is the current one, another key replaces it.
 */
export class SigningKeysService {
  private loaded: { at: number; keys: Promise<KeySet> } | undefined;
  /**
   * By kid, because decrypting and importing a key costs far more than reading its row. A decrypted
   * key never changes.
   */
  private readonly opened = new Map<string, OpenedKey>();
  /** Stored keys that cannot be decrypted, so that each of them is logged once. */
  private told = new Set<string>();
  private readonly column: SealedColumn;

  constructor(
    private readonly dataSource: DataSource,
    keyring: Keyring,
    private readonly logger: Pick<Logger, 'error'>,
  ) {
    this.column = sealedSigningKeys(keyring);
  }

  /**
   * Returns the current keys, read at most 5 s ago. If there is no current key that can be
   * decrypted, it first calls `ensureKeys`. `signing` of the result throws AppError 503
   * `unavailable` if the current signing key cannot be decrypted.
   */
  getKeys(): Promise<KeySet> {
    if (!this.loaded || Date.now() - this.loaded.at > RELOAD_MS) {
      const keys = this.loadKeys();
      this.loaded = { at: Date.now(), keys };
      keys.catch(() => (this.loaded = undefined));
    }
    return this.loaded.keys;
  }

  /**
   * Creates the first two keys of a new platform, and replaces keys that cannot be decrypted. Safe
   * to run concurrently in any number of processes.
   *
   * @returns true if a key was created or replaced; false if nothing was to do, or the current key
   * is too new to be replaced.
   */
  async ensureKeys(): Promise<boolean> {
    const rows = await this.loadRows(this.dataSource.manager);
    if ((await this.hasCurrent(rows)) && (await this.hasNext(rows))) return false;
    return this.withLock(async (em) => (await this.replaceLost(em, { isFreshKept: true })) !== null);
  }

  /**
   * Rotates the keys as planned: `next` becomes `current`, and the old `current` only verifies
   * until it retires. If `current` cannot be decrypted, it is only replaced.
   *
   * @returns the id (`kid`) of the key that signs now.
   */
  async rotateKeys(): Promise<string> {
    return this.withLock(async (em) => {
      if ((await this.replaceLost(em, { isFreshKept: false })) !== 'current') {
        await em.query("UPDATE signing_keys SET state = 'retiring', retired_at = now() WHERE state = 'current'");
        await em.query("UPDATE signing_keys SET state = 'current', activated_at = now() WHERE state = 'next'");
        await this.insertKey(em, 'next');
      }
      const [row] = await em.query<Row<SigningKey, 'kid'>[]>("SELECT kid FROM signing_keys WHERE state = 'current'");
      return (row as Row<SigningKey, 'kid'>).kid;
    });
  }

  /**
   * Replaces all keys immediately, after a compromise. All earlier access tokens are refused within
   * 5 s. Returns the id (`kid`) of the key that signs now.
   */
  async replaceAllKeys(): Promise<string> {
    return this.withLock(async (em) => {
      await em.query('DELETE FROM signing_keys');
      const kid = await this.insertKey(em, 'current');
      await this.insertKey(em, 'next');
      return kid;
    });
  }

  /**
   * Maintains the keys, every hour: replaces keys that cannot be decrypted, rotates them after 90
   * days, and deletes retired keys, for which there are no valid tokens any more.
   */
  async maintainKeys(): Promise<void> {
    await this.ensureKeys();
    const due = await this.dataSource.query<unknown[]>(
      `SELECT 1 FROM signing_keys WHERE state = 'current' AND activated_at < now() - interval '${ROTATE_AFTER}'
       AND EXISTS (SELECT 1 FROM signing_keys WHERE state = 'next' AND created_at < now() - interval '${PUBLISHED_BEFORE_USE}')`,
    );
    if (due.length) await this.rotateKeys();
    await this.dataSource.query(
      `DELETE FROM signing_keys WHERE state = 'retiring' AND retired_at < now() - interval '${RETIRE_AFTER}'`,
    );
  }

  private async withLock<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    const result = await this.dataSource.transaction(async (em) => {
      await em.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
      return work(em);
    });
    this.loaded = undefined;
    return result;
  }

  private async insertKey(em: EntityManager, state: 'current' | 'next'): Promise<string> {
    const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { modulusLength: 2048, extractable: true });
    const publicJwk = await exportJWK(publicKey);
    const kid = await calculateJwkThumbprint(publicJwk);
    const sealed = this.column.seal(kid, JSON.stringify(await exportJWK(privateKey)));
    await em.query(
      `INSERT INTO signing_keys (kid, state, public_jwk, sealed_private_jwk, activated_at)
       VALUES ($1, $2, $3, $4, CASE WHEN $2 = 'current' THEN now() END)`,
      [kid, state, publicJwk, sealed],
    );
    return kid;
  }

  /**
   * Replaces keys that are missing or cannot be decrypted: `next` becomes `current`, and missing
   * keys are created. A replaced `current` still verifies in processes that can decrypt it. With
   * `isFreshKept`, a `current` that was activated in the last 30 seconds is not replaced.
   *
   * @returns the key that was lost, `current` if both were; null if nothing was replaced.
   */
  private async replaceLost(
    em: EntityManager,
    { isFreshKept }: { isFreshKept: boolean },
  ): Promise<'current' | 'next' | null> {
    const rows = await this.loadRows(em);
    const [hasCurrent, hasNext] = [await this.hasCurrent(rows), await this.hasNext(rows)];
    if (hasCurrent && hasNext) return null;
    if (!hasCurrent) {
      if (isFreshKept && (await this.isCurrentFresh(em))) return null;
      await em.query("UPDATE signing_keys SET state = 'retiring', retired_at = now() WHERE state = 'current'");
      if (hasNext)
        await em.query("UPDATE signing_keys SET state = 'current', activated_at = now() WHERE state = 'next'");
      else await this.insertKey(em, 'current');
    }
    // The key has not signed anything yet.
    if (!hasNext) await em.query("DELETE FROM signing_keys WHERE state = 'next'");
    await this.insertKey(em, 'next');
    return hasCurrent ? 'next' : 'current';
  }

  private async isCurrentFresh(em: EntityManager): Promise<boolean> {
    const fresh = await em.query<unknown[]>(
      `SELECT 1 FROM signing_keys WHERE state = 'current' AND activated_at BETWEEN now() - interval '${REPLACED_AFTER}' AND now()`,
    );
    return fresh.length > 0;
  }

  private loadRows(em: EntityManager): Promise<StoredKey[]> {
    return em.query<StoredKey[]>(
      `SELECT ${STORED} FROM signing_keys ORDER BY array_position('{current,next,retiring}'::text[], state), retired_at DESC`,
    );
  }

  private async hasCurrent(rows: readonly StoredKey[]): Promise<boolean> {
    const row = rows.find(({ state }) => state === 'current');
    return row !== undefined && (await this.openKey(row)) !== null;
  }

  /**
   * True if `next` can be decrypted from its stored form. The cache is not used, because other
   * processes will sign with the stored key.
   */
  private async hasNext(rows: readonly StoredKey[]): Promise<boolean> {
    const row = rows.find(({ state }) => state === 'next');
    return row !== undefined && (await this.openStoredKey(row)) !== null;
  }

  private async loadKeys(): Promise<KeySet> {
    let rows = await this.loadRows(this.dataSource.manager);
    if (!(await this.hasCurrent(rows)) && (await this.ensureKeys()))
      rows = await this.loadRows(this.dataSource.manager);
    const keys = await this.openKeys(rows);
    this.told = new Set(rows.filter(({ kid }) => !keys.has(kid)).map(wholeOf));
    const current = keys.get(rows.find(({ state }) => state === 'current')?.kid ?? '');
    return {
      get signing() {
        if (!current) throw Errors.unavailable(new Error('The current signing key cannot be decrypted.'));
        return { kid: current.kid, key: current.privateKey };
      },
      verification: new Map([...keys].map(([kid, { publicKey }]) => [kid, publicKey])),
      published: [...keys.values()].map(({ published }) => published),
    };
  }

  /**
   * Decrypts the keys of the rows, in their order, by `kid`. Keys that cannot be decrypted are left
   * out.
   */
  private async openKeys(rows: readonly StoredKey[]): Promise<Map<string, OpenedKey>> {
    const keys = new Map<string, OpenedKey>();
    for (const row of rows) {
      const key = await this.openKey(row);
      if (key) keys.set(row.kid, key);
    }
    return keys;
  }

  private async openKey(row: StoredKey): Promise<OpenedKey | null> {
    return this.opened.get(row.kid) ?? (await this.openStoredKey(row));
  }

  private async openStoredKey(row: StoredKey): Promise<OpenedKey | null> {
    const { kid, state, sealed_private_jwk: sealed } = row;
    try {
      const key = await openedKey(kid, this.column.open(kid, sealed));
      this.opened.set(kid, key);
      return key;
    } catch (error) {
      const reason = describeSealError(error);
      if (!this.told.has(wholeOf(row)))
        this.logger.error({ kid, state, reason }, 'a signing key cannot be decrypted and is not used');
      this.told.add(wholeOf(row));
      return null;
    }
  }
}

const wholeOf = ({ kid, sealed_private_jwk: sealed }: StoredKey): string => `${kid} ${sealed}`;

async function openedKey(kid: string, plaintext: string): Promise<OpenedKey> {
  const published = await toPublicKey(kid, plaintext);
  const [privateKey, publicKey] = await Promise.all([
    importJWK(JSON.parse(plaintext) as JWK, ALGORITHM),
    importJWK(published, ALGORITHM),
  ]);
  return { kid, privateKey: privateKey as CryptoKey, publicKey: publicKey as CryptoKey, published };
}
