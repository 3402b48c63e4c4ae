import type { Response } from 'express';
import type { GatewayAnswer } from './panel-gateway.client.js';

/** Headers of the gateway that the browser may see. */
const PASSED_ON = ['retry-after', 'ratelimit', 'ratelimit-policy', 'x-request-id'];

/** Sends the gateway's answer to the browser. */
export function relay({ status, headers, body }: GatewayAnswer, response: Response): void {
  for (const name of PASSED_ON) {
    const value = headers.get(name);
    if (value !== null) response.setHeader(name, value);
  }
  response.status(status).type('json').send(body);
}
