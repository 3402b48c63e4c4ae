import type { JsonWebKeyResponse } from '@platform/contracts';
import { columns, type Row, type RowOf } from '@platform/persistence';
import { Errors, type Keyring } from '@platform/platform';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import type { Logger } from 'pino';
import type { DataSource, EntityManager } from 'typeorm';
import { reasonOf, type SealedColumn } from '../../kernel/sealing/sealed-column.js';
import { ALGORITHM, publicPartOf, sealedSigningKeys } from './sealed-signing-keys.js';
import { SigningKey } from './signing-key.entity.js';

const RELOAD_MS = 5_000;
const ROTATE_AFTER = '90 days';
/** Verifiers cache the key set for an hour, so a key is published for two before it signs, and after it signed last. */
const PUBLISHED_BEFORE_USE = '2 hours';
const RETIRE_AFTER = '2 hours 15 minutes';
/** How long a key signs at least, so that processes with different secret keys do not replace each other's keys all the time. */
const REPLACED_AFTER = '30 seconds';
/** Serialises everything that changes the keys. "keys" in ASCII. */
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
  /** @throws AppError 503 while no key opens to sign with. */
  readonly signing: { kid: string; key: CryptoKey };
  /** By `kid`; a Map, so that no `kid` of an attacker finds a property of Object. */
  verification: ReadonlyMap<string, CryptoKey>;
  /** The public keys as RFC 7517 wants them published. */
  published: JsonWebKeyResponse[];
}

/**
 * The keys that sign access tokens: `next` is published and signs nothing yet, `current` signs, `retiring` still verifies. Every process
 * notices a rotation within 5 s.
 *
 * Private keys are stored sealed, each for its `kid`, and only what opens is trusted: the public key is derived from it, so that nobody who
 * can write to the table alone adds a key of their own. A key that does not open is as if it were not there; where that is the one that
 * signs, another takes its place.
 */
export class SigningKeys {
  private loaded: { at: number; keys: Promise<KeySet> } | undefined;
  /** By kid, since unsealing and importing costs far more than reading the rows. What opened once is that key for good. */
  private readonly opened = new Map<string, OpenedKey>();
  /** What is known not to open, as it is stored, so that it is told once. */
  private told = new Set<string>();
  private readonly column: SealedColumn;

  constructor(
    private readonly dataSource: DataSource,
    keyring: Keyring,
    private readonly logger: Pick<Logger, 'error'>,
  ) {
    this.column = sealedSigningKeys(keyring);
  }

  /** At most 5 s old. */
  keys(): Promise<KeySet> {
    if (!this.loaded || Date.now() - this.loaded.at > RELOAD_MS) {
      const keys = this.load();
      this.loaded = { at: Date.now(), keys };
      keys.catch(() => (this.loaded = undefined));
    }
    return this.loaded.keys;
  }

  /**
   * Makes the first two keys of a new platform, and replaces those that do not open. Any number of processes may call it at once.
   *
   * @returns whether anything was replaced.
   */
  async ensure(): Promise<boolean> {
    const rows = await this.rows(this.dataSource.manager);
    if ((await this.hasCurrent(rows)) && (await this.hasNext(rows))) return false;
    return this.locked(async (em) => (await this.replaceLost(em, { isFreshKept: true })) !== null);
  }

  /**
   * The planned rotation: `next` signs from now on, `current` verifies until it retires. Where `current` does not open, its replacement is
   * all that changes. Returns the kid that signs now.
   */
  async rotate(): Promise<string> {
    return this.locked(async (em) => {
      if ((await this.replaceLost(em, { isFreshKept: false })) !== 'current') {
        await em.query("UPDATE signing_keys SET state = 'retiring', retired_at = now() WHERE state = 'current'");
        await em.query("UPDATE signing_keys SET state = 'current', activated_at = now() WHERE state = 'next'");
        await this.insert(em, 'next');
      }
      const [row] = await em.query<Row<SigningKey, 'kid'>[]>("SELECT kid FROM signing_keys WHERE state = 'current'");
      return (row as Row<SigningKey, 'kid'>).kid;
    });
  }

  /** For a compromise: every key is replaced at once, so every access token of before is refused within 5 s. */
  async replaceAll(): Promise<string> {
    return this.locked(async (em) => {
      await em.query('DELETE FROM signing_keys');
      const kid = await this.insert(em, 'current');
      await this.insert(em, 'next');
      return kid;
    });
  }

  /** What the schedule does every hour: rotates when it is time, and drops what no token is signed with any more. */
  async maintain(): Promise<void> {
    await this.ensure();
    const due = await this.dataSource.query<unknown[]>(
      `SELECT 1 FROM signing_keys WHERE state = 'current' AND activated_at < now() - interval '${ROTATE_AFTER}'
       AND EXISTS (SELECT 1 FROM signing_keys WHERE state = 'next' AND created_at < now() - interval '${PUBLISHED_BEFORE_USE}')`,
    );
    if (due.length) await this.rotate();
    await this.dataSource.query(`DELETE FROM signing_keys WHERE state = 'retiring' AND retired_at < now() - interval '${RETIRE_AFTER}'`);
  }

  private async locked<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    const result = await this.dataSource.transaction(async (em) => {
      await em.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
      return work(em);
    });
    this.loaded = undefined;
    return result;
  }

  private async insert(em: EntityManager, state: 'current' | 'next'): Promise<string> {
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
   * Puts keys that open in the place of those that do not: `next` for `current`, new ones where there is none. A `current` that is replaced
   * goes on verifying wherever it opens. Returns which was lost, if any.
   */
  private async replaceLost(em: EntityManager, { isFreshKept }: { isFreshKept: boolean }): Promise<'current' | 'next' | null> {
    const rows = await this.rows(em);
    const [hasCurrent, hasNext] = [await this.hasCurrent(rows), await this.hasNext(rows)];
    if (hasCurrent && hasNext) return null;
    if (!hasCurrent) {
      if (isFreshKept && (await this.isCurrentFresh(em))) return null;
      await em.query("UPDATE signing_keys SET state = 'retiring', retired_at = now() WHERE state = 'current'");
      if (hasNext) await em.query("UPDATE signing_keys SET state = 'current', activated_at = now() WHERE state = 'next'");
      else await this.insert(em, 'current');
    }
    // It has signed nothing yet.
    if (!hasNext) await em.query("DELETE FROM signing_keys WHERE state = 'next'");
    await this.insert(em, 'next');
    return hasCurrent ? 'next' : 'current';
  }

  private async isCurrentFresh(em: EntityManager): Promise<boolean> {
    const fresh = await em.query<unknown[]>(
      `SELECT 1 FROM signing_keys WHERE state = 'current' AND activated_at BETWEEN now() - interval '${REPLACED_AFTER}' AND now()`,
    );
    return fresh.length > 0;
  }

  private rows(em: EntityManager): Promise<StoredKey[]> {
    return em.query<StoredKey[]>(
      `SELECT ${STORED} FROM signing_keys ORDER BY array_position('{current,next,retiring}'::text[], state), retired_at DESC`,
    );
  }

  private async hasCurrent(rows: readonly StoredKey[]): Promise<boolean> {
    const row = rows.find(({ state }) => state === 'current');
    return row !== undefined && (await this.open(row)) !== null;
  }

  /** As it is stored now, whatever this process has opened before: other processes are going to sign with it. */
  private async hasNext(rows: readonly StoredKey[]): Promise<boolean> {
    const row = rows.find(({ state }) => state === 'next');
    return row !== undefined && (await this.openStored(row)) !== null;
  }

  private async load(): Promise<KeySet> {
    let rows = await this.rows(this.dataSource.manager);
    if (!(await this.hasCurrent(rows)) && (await this.ensure())) rows = await this.rows(this.dataSource.manager);
    const keys = await this.openAll(rows);
    this.told = new Set(rows.filter(({ kid }) => !keys.has(kid)).map(wholeOf));
    const current = keys.get(rows.find(({ state }) => state === 'current')?.kid ?? '');
    return {
      get signing() {
        if (!current) throw Errors.unavailable(new Error('The current signing key does not open.'));
        return { kid: current.kid, key: current.privateKey };
      },
      verification: new Map([...keys].map(([kid, { publicKey }]) => [kid, publicKey])),
      published: [...keys.values()].map(({ published }) => published),
    };
  }

  /** By kid, in their order, those left out that do not open. */
  private async openAll(rows: readonly StoredKey[]): Promise<Map<string, OpenedKey>> {
    const keys = new Map<string, OpenedKey>();
    for (const row of rows) {
      const key = await this.open(row);
      if (key) keys.set(row.kid, key);
    }
    return keys;
  }

  private async open(row: StoredKey): Promise<OpenedKey | null> {
    return this.opened.get(row.kid) ?? (await this.openStored(row));
  }

  private async openStored(row: StoredKey): Promise<OpenedKey | null> {
    const { kid, state, sealed_private_jwk: sealed } = row;
    try {
      const key = await openedKey(kid, this.column.open(kid, sealed));
      this.opened.set(kid, key);
      return key;
    } catch (error) {
      const reason = reasonOf(error);
      if (!this.told.has(wholeOf(row))) this.logger.error({ kid, state, reason }, 'a signing key does not open, and is left out');
      this.told.add(wholeOf(row));
      return null;
    }
  }
}

const wholeOf = ({ kid, sealed_private_jwk: sealed }: StoredKey): string => `${kid} ${sealed}`;

async function openedKey(kid: string, plaintext: string): Promise<OpenedKey> {
  const published = await publicPartOf(kid, plaintext);
  const [privateKey, publicKey] = await Promise.all([importJWK(JSON.parse(plaintext) as JWK, ALGORITHM), importJWK(published, ALGORITHM)]);
  return { kid, privateKey: privateKey as CryptoKey, publicKey: publicKey as CryptoKey, published };
}
