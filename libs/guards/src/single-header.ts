import type { Request } from 'express';
import { AccessErrors } from './access.errors.js';

const MAX_CREDENTIAL_LENGTH = 8 * 1024;

/**
 * Reads a credential from a header; undefined if it is absent. A credential that is sent twice
 * could be read as either one, so it is refused. Node.js joins some repeated headers with a comma.
 *
 * @throws AppError 400 `malformed_header` if the header is sent twice, or is longer than 8 KiB.
 */
export function singleHeader(request: Request, name: string): string | undefined {
  const value = request.headers[name];
  if (value === undefined) return undefined;
  let sent = 0;
  for (let at = 0; at < request.rawHeaders.length; at += 2) if (request.rawHeaders[at]?.toLowerCase() === name) sent++;
  if (sent > 1 || Array.isArray(value) || value.length > MAX_CREDENTIAL_LENGTH)
    throw AccessErrors.malformedHeader(name);
  return value;
}
