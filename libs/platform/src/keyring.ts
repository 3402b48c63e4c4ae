import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { AppError } from './errors.js';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID = /^[a-z0-9]{1,16}$/;

export const SecretKeyErrors = {
  missing: (id: string) =>
    new AppError(
      503,
      'secret_key.missing',
      `This value was encrypted with the secret key "${id}", which is missing. Add it back to SECRET_KEYS, after the current key.`,
    ),
};

/**
 * Reads from a sealed text the id of its key; null if the text does not have the form of a sealed
 * text, `<id>.<data>`.
 */
export function sealingKeyId(sealed: string): string | null {
  const [id = ''] = sealed.split('.', 1);
  return KEY_ID.test(id) && sealed.length > id.length ? id : null;
}

/**
 * The server's long-lived secret keys. For each purpose a separate key is derived by HKDF (RFC
 * 5869), so that a value made for one purpose is useless for another. The first key makes new
 * values; the others only open older ones.
 */
export class Keyring {
  private readonly derived = new Map<string, Buffer>();

  constructor(private readonly keys: ReadonlyMap<string, Buffer>) {}

  get currentId(): string {
    return this.keys.keys().next().value as string;
  }

  get ids(): string[] {
    return [...this.keys.keys()];
  }

  /**
   * Computes the HMAC-SHA256 of the data under a key that is derived for `purpose` from the secret
   * key `id`, by default the current one, which is the first in the list. Null if there is no
   * secret key `id`.
   */
  mac(purpose: string, data: string | Buffer, id: string = this.currentId): Buffer | null {
    const key = this.derive(purpose, id);
    return key && createHmac('sha256', key).update(data).digest();
  }

  /**
   * Encrypts with AES-256-GCM under a key that is derived for `purpose` from the current secret
   * key. The result names its key, so it can be opened after newer keys were added in front. It
   * opens only with the same purpose and `context`, such as the place where it is stored, so that a
   * copy elsewhere is useless.
   */
  seal(purpose: string, plaintext: string, context = ''): string {
    const id = this.currentId;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.derive(purpose, id) as Buffer, nonce).setAAD(
      Buffer.from(context),
    );
    const sealed = Buffer.concat([nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${id}.${sealed.toString('base64url')}`;
  }

  /**
   * Decrypts a text of `seal`, with the same purpose and context.
   *
   * @throws AppError 503 `secret_key.missing` if its key was removed; Error if the text is not
   * sealed or was changed, or the purpose or context is another.
   */
  open(purpose: string, sealed: string, context = ''): string {
    const id = sealingKeyId(sealed);
    if (id === null) throw new Error('This is not a sealed text.');
    const key = this.derive(purpose, id);
    if (!key) throw SecretKeyErrors.missing(id);
    const encoded = sealed.slice(id.length + 1);
    const bytes = Buffer.from(encoded, 'base64url');
    // Node.js would accept a shortened tag. Four bytes are easier to guess than sixteen.
    if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error('This is not a sealed text.');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  }

  private derive(purpose: string, id: string): Buffer | null {
    const name = `${id}/${purpose}`;
    const known = this.derived.get(name);
    if (known) return known;
    const key = this.keys.get(id);
    if (!key) return null;
    const derived = Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES));
    this.derived.set(name, derived);
    return derived;
  }
}

/**
 * Reads secret keys, `id:base64,id:base64`; the first is the current one.
 *
 * @throws Error if the list has another form, an id is not 1 to 16 small letters and digits or
 * appears twice, or a key does not have 32 bytes.
 */
export function parseKeyring(input: string): Keyring {
  const keys = new Map<string, Buffer>();
  for (const entry of input.split(',')) {
    const [id, encoded, ...rest] = entry.trim().split(':');
    if (!id || !encoded || rest.length || !KEY_ID.test(id)) throw new Error('expected id:base64,id:base64');
    const key = Buffer.from(encoded, 'base64');
    if (key.length !== KEY_BYTES) throw new Error(`the key "${id}" has ${key.length} bytes instead of ${KEY_BYTES}`);
    if (keys.has(id)) throw new Error(`two keys are named "${id}"`);
    keys.set(id, key);
  }
  return new Keyring(keys);
}
