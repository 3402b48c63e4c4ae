import { createHash } from 'node:crypto';
import { TypeID, typeid } from 'typeid-js';

/** A sortable, unique, prefixed id such as `usr_01h455vb4pex5vsknk084sn02q` (TypeID over UUIDv7). */
export const newId = (prefix: string): string => typeid(prefix).toString();

/** A sortable, unique UUIDv7, where others expect a UUID. */
export const newUuid = (): string => typeid().toUUID();

/** The id that `newId` would have made of this UUID. */
export const idOf = (prefix: string, uuid: string): string => TypeID.fromUUID(prefix, uuid).toString();

/** The nth UUIDv7 (from 0) of a name within what another UUIDv7 stands for: always the same one, of the same time, in the order of `n`. */
export function derivedUuid(of: string, name: string, n: number): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([of, name, n]))
    .digest('hex');
  const order = (n & 0xfff).toString(16).padStart(3, '0');
  const variant = ((parseInt(hash.slice(0, 1), 16) & 3) | 8).toString(16);
  return `${of.slice(0, 13)}-7${order}-${variant}${hash.slice(1, 4)}-${hash.slice(4, 16)}`;
}
