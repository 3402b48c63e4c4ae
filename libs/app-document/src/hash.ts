import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import type { AppDocument } from './document.js';

/** SHA-256 of the document as canonical JSON (RFC 8785), in hexadecimal: the same for the same document, however it was written. */
export function documentHash(document: AppDocument): string {
  return createHash('sha256')
    .update(canonicalize(document) as string)
    .digest('hex');
}
