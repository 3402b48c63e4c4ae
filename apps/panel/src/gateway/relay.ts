import type { Response } from 'express';
import type { GatewayAnswer } from './gateway.js';

/** What a browser may see beside the status and the body. */
const PASSED_ON = ['retry-after', 'ratelimit', 'ratelimit-policy', 'x-request-id'];

/** Answers the browser with what the gateway answered. */
export function relay({ status, headers, body }: GatewayAnswer, response: Response): void {
  for (const name of PASSED_ON) {
    const value = headers.get(name);
    if (value !== null) response.setHeader(name, value);
  }
  response.status(status).type('json').send(body);
}
