import { typeid } from 'typeid-js';

/** A sortable, unique, prefixed id such as `usr_01h455vb4pex5vsknk084sn02q` (TypeID over UUIDv7). */
export const newId = (prefix: string): string => typeid(prefix).toString();

/** A sortable, unique UUIDv7, where others expect a UUID. */
export const newUuid = (): string => typeid().toUUID();
