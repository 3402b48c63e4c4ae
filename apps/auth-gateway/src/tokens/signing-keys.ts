import type { JsonWebKeyResponse } from '@platform/contracts';
import type { Keyring } from '@platform/platform';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import type { DataSource, EntityManager } from 'typeorm';
import type { SigningKeyState } from './signing-key.entity.js';

export const ALGORITHM = 'RS256';
const PURPOSE = 'signing-key';
const RELOAD_MS = 5_000;
const ROTATE_AFTER = '90 days';
/** Verifiers cache the key set for an hour, so a key is published for two before it signs, and after it signed last. */
const PUBLISHED_BEFORE_USE = '2 hours';
const RETIRE_AFTER = '2 hours 15 minutes';
/** Serialises everything that changes the keys. "keys" in ASCII. */
const LOCK = 0x6b657973;

interface Row {
  kid: string;
  state: SigningKeyState;
  public_jwk: JWK;
  sealed_private_jwk: string;
}

export interface KeySet {
  signing: { kid: string; key: CryptoKey };
  /** By `kid`; a Map, so that no `kid` of an attacker finds a property of Object. */
  verification: ReadonlyMap<string, CryptoKey>;
  /** The public keys as RFC 7517 wants them published. */
  published: JsonWebKeyResponse[];
}

/**
 * The keys that sign access tokens: `next` is published and signs nothing yet, `current` signs, `retiring` still verifies. Private
 * keys are stored sealed. Every process notices a rotation within 5 s.
 */
export class SigningKeys {
  private loaded: { at: number; keys: Promise<KeySet> } | undefined;
  /** Opened keys by kid, since unsealing and importing costs far more than reading the rows. */
  private readonly imported = new Map<string, Promise<CryptoKey>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly keyring: Keyring,
  ) {}

  /** At most 5 s old. */
  keys(): Promise<KeySet> {
    if (!this.loaded || Date.now() - this.loaded.at > RELOAD_MS) {
      const keys = this.load();
      this.loaded = { at: Date.now(), keys };
      keys.catch(() => (this.loaded = undefined));
    }
    return this.loaded.keys;
  }

  /** Makes the first two keys of a new platform. Any number of processes may call it at once. */
  async ensure(): Promise<void> {
    const [{ count }] = (await this.dataSource.query<{ count: number }[]>('SELECT count(*)::int AS count FROM signing_keys')) as [
      { count: number },
    ];
    if (count > 0) return;
    await this.locked(async (em) => {
      const existing = await em.query<unknown[]>('SELECT 1 FROM signing_keys LIMIT 1');
      if (existing.length) return;
      await this.insert(em, 'current');
      await this.insert(em, 'next');
    });
  }

  /** The planned rotation: `next` signs from now on, `current` verifies until it retires. Returns the kid that signs now. */
  async rotate(): Promise<string> {
    return this.locked(async (em) => {
      await em.query("UPDATE signing_keys SET state = 'retiring', retired_at = now() WHERE state = 'current'");
      const [rows] = await em.query<[{ kid: string }[], number]>(
        "UPDATE signing_keys SET state = 'current', activated_at = now() WHERE state = 'next' RETURNING kid",
      );
      await this.insert(em, 'next');
      return (rows[0] as { kid: string }).kid;
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
    const sealed = this.keyring.seal(PURPOSE, JSON.stringify(await exportJWK(privateKey)));
    await em.query(
      `INSERT INTO signing_keys (kid, state, public_jwk, sealed_private_jwk, activated_at)
       VALUES ($1, $2, $3, $4, CASE WHEN $2 = 'current' THEN now() END)`,
      [kid, state, publicJwk, sealed],
    );
    return kid;
  }

  private async load(): Promise<KeySet> {
    const rows = await this.dataSource.query<Row[]>(
      "SELECT kid, state, public_jwk, sealed_private_jwk FROM signing_keys ORDER BY array_position('{current,next,retiring}'::text[], state), retired_at DESC",
    );
    const current = rows.find(({ state }) => state === 'current');
    if (!current) throw new Error('There is no current signing key.');
    const verification = await Promise.all(
      rows.map(async ({ kid, public_jwk }) => [kid, await this.importOnce(`public:${kid}`, public_jwk)] as const),
    );
    return {
      signing: { kid: current.kid, key: await this.privateKey(current) },
      verification: new Map(verification),
      published: rows.map(({ kid, public_jwk: { n, e } }) => ({
        kty: 'RSA',
        use: 'sig',
        alg: ALGORITHM,
        kid,
        n: n as string,
        e: e as string,
      })),
    };
  }

  private privateKey({ kid, sealed_private_jwk }: Row): Promise<CryptoKey> {
    const name = `private:${kid}`;
    return this.imported.get(name) ?? this.importOnce(name, JSON.parse(this.keyring.open(PURPOSE, sealed_private_jwk)) as JWK);
  }

  private importOnce(name: string, jwk: JWK): Promise<CryptoKey> {
    const known = this.imported.get(name);
    if (known) return known;
    const key = importJWK(jwk, ALGORITHM) as Promise<CryptoKey>;
    this.imported.set(name, key);
    return key;
  }
}
