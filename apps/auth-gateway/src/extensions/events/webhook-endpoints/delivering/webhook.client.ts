import { Inject, Injectable } from '@nestjs/common';
import type { WebhookEndpointDeliveryError } from '@platform/contracts';
import { Egress } from '@platform/egress';
import { ExtensionError } from '@platform/extension-sdk/runtime';
import { Webhook } from 'standardwebhooks';
import { CONFIG, type Config } from '../../../../config.js';
import { endpointUrlRefusal } from '../model/endpoint-urls.js';
import { parseRetryAfterMs } from './retry-schedule.js';

const TIMEOUT_MS = 15_000;
const USER_AGENT = 'cloud-platform-webhooks/1.0';

export interface Message {
  id: string;
  body: string;
  url: string;
  /** Each of them signs the message; the current secret comes first. */
  secrets: readonly string[];
}

/** Result of one attempt. */
export interface Outcome {
  /** Null: the message has arrived. */
  error: WebhookEndpointDeliveryError | null;
  /** Null if there was no answer. */
  statusCode: number | null;
  /** Waiting time that the receiver requests. */
  retryAfterMs: number | null;
}

/** Error by the code of the egress guard. */
const ERRORS: Record<string, WebhookEndpointDeliveryError> = {
  EGRESS_ADDRESS_REFUSED: 'address_refused',
  EGRESS_URL_REFUSED: 'url_refused',
  EGRESS_REQUEST_REFUSED: 'url_refused',
  EGRESS_UNRESOLVED: 'dns',
  EGRESS_TIMEOUT: 'timeout',
};

/**
 * Posts signed messages:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
@Injectable()
export class WebhookClient {
  constructor(
    private readonly egress: Egress,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Posts a signed message once, and returns the result: `error` is null for an answer with 2xx
   * within 15 s. A refused URL, an unreachable receiver and any other answer are results, too.
   * Keeps only the status of the answer.
   */
  async postMessage({ id, body, url, secrets }: Message): Promise<Outcome> {
    if (endpointUrlRefusal(url, this.config.EGRESS_ALLOW) !== null) return failed('url_refused');
    const now = new Date();
    const headers = {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
    };
    try {
      const response = await this.egress.request({
        url,
        method: 'POST',
        headers,
        body,
        timeoutMs: TIMEOUT_MS,
        maxRedirects: 0,
        dropsBody: true,
      });
      return outcomeOf(response.status, response.headers['retry-after']);
    } catch (error) {
      if (!(error instanceof ExtensionError)) throw error;
      return failed(ERRORS[error.code] ?? 'connection');
    }
  }
}

const failed = (error: WebhookEndpointDeliveryError): Outcome => ({ error, statusCode: null, retryAfterMs: null });

function outcomeOf(statusCode: number, retryAfter: string | undefined): Outcome {
  if (statusCode >= 200 && statusCode < 300) return { error: null, statusCode, retryAfterMs: null };
  const error = statusCode === 410 ? 'gone' : statusCode >= 300 && statusCode < 400 ? 'redirect' : 'status';
  return { error, statusCode, retryAfterMs: parseRetryAfterMs(retryAfter) };
}
