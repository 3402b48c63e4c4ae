import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import type { AppDocument } from './document.js';

/**
 * SHA-256 of the document as canonical JSON (RFC 8785), in hexadecimal. It does not depend on the
 * order of keys or on whitespace.
 */
export function documentHash(document: AppDocument): string {
  return createHash('sha256')
    .update(canonicalize(document) as string)
    .digest('hex');
}
