import type { Request, Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import { speedTrick } from './speed-trick.js';

/**
 * Replaces: helmet sets a dozen headers of each answer, one by one. With options that depend on no request they are the same for every
 * answer, so it is asked once and not for each.
 * Gains: see docs/performance.md; `npm run bench -- --only tricks`.
 * Off: SPEED_TRICKS_OFF=constant-headers.
 */
export const constantHeaders = speedTrick('constant-headers', 'helmet', '8.3.0');

/** What sets helmet's headers of an answer. No option may depend on the request. */
export function helmetHeaders(options: HelmetOptions): (request: Request, response: Response) => void {
  if (constantHeaders.isOn) {
    const headers = headersOf(options);
    return (_request, response) => response.setHeaders(headers);
  }
  const set = helmet(options);
  return (request, response) => set(request, response, rethrow);
}

function headersOf(options: HelmetOptions): Map<string, string> {
  const headers = new Map<string, string>();
  const answer = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  // It sets and removes headers at once, and reads nothing of either; what it set is looked for below.
  helmet(options)({} as Request, answer as unknown as Response, rethrow);
  if (!headers.has('Content-Security-Policy')) throw new Error('helmet has not said its headers at once.');
  return headers;
}

function rethrow(error?: unknown): void {
  if (error) throw error as Error;
}
