import { createHash } from 'node:crypto';
import { TypeID, typeid } from 'typeid-js';

/**
 * A unique id with a prefix, sortable by time, such as `usr_01h455vb4pex5vsknk084sn02q` (TypeID
 * over UUIDv7).
 */
export const newId = (prefix: string): string => typeid(prefix).toString();

/** A unique UUIDv7, sortable by time, for systems that expect a UUID. */
export const newUuid = (): string => typeid().toUUID();

/**
 * Converts a UUID to an id with this prefix, in the form of `newId`. The same UUID always gives the
 * same id.
 */
export const idOf = (prefix: string, uuid: string): string => TypeID.fromUUID(prefix, uuid).toString();

/**
 * Derives the nth UUIDv7 (from 0) from the UUIDv7 `of` and `name`. The same arguments always give
 * the same UUID. It has the time of `of`, and sorts by `n` if `n` is below 4,096.
 */
export function derivedUuid(of: string, name: string, n: number): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([of, name, n]))
    .digest('hex');
  const order = (n & 0xfff).toString(16).padStart(3, '0');
  const variant = ((parseInt(hash.slice(0, 1), 16) & 3) | 8).toString(16);
  return `${of.slice(0, 13)}-7${order}-${variant}${hash.slice(1, 4)}-${hash.slice(4, 16)}`;
}
