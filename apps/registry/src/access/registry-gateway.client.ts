import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { call, isTransient } from '@platform/client';
import { connectService, type ServiceConnection } from '@platform/platform';

const TIMEOUT_MS = 3_000;

/** Sends questions to the gateway's internal routes, below `/v1/internal/`. */
@Injectable()
export class RegistryGatewayClient implements OnApplicationShutdown {
  private readonly gateway: ServiceConnection;

  constructor(
    private readonly gatewayUrl: string,
    serviceToken: string,
  ) {
    this.gateway = connectService(serviceToken);
  }

  onApplicationShutdown(): Promise<void> {
    return this.gateway.close();
  }

  /**
   * Sends a question to the gateway's route `/v1/internal/{what}`, and returns the answer. It waits
   * 3 s, and tries a second time if the first fails without an answer or with a status of 408, 429
   * or from 500.
   *
   * @throws ApiError if the gateway answers with an error; ConnectionError if it does not answer.
   */
  async sendRequest<Answer>(what: string, body: object): Promise<Answer> {
    const url = `${this.gatewayUrl}/v1/internal/${what}`;
    const once = () =>
      call(this.gateway.sendJson<Answer>({ method: 'POST', url, body, signal: AbortSignal.timeout(TIMEOUT_MS) }));
    return once().catch((error: unknown) => (isTransient(error) ? once() : Promise.reject(error as Error)));
  }
}
