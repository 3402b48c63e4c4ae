import type { AppDocument, JsonObject } from '@platform/app-document';
import type {
  AppRuntimeChange,
  BusEvent,
  CallResponse,
  CapabilityDenialRequest,
  EventSubscribersRequest,
  InternalCallRequest,
  NotificationRequest,
} from '@platform/contracts';
import { TEST_SERVICE_TOKENS } from '@platform/testing';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DeployedApp } from '../deployed/deployed-apps.service.js';
import { LocalServer } from './local-server.js';

type Call = InternalCallRequest & { app_id: string };

/** The gateway's internal routes, as far as the host asks them. */
export class GatewayStandIn {
  readonly apps = new Map<string, DeployedApp>();
  readonly documents = new Map<string, AppDocument>();
  readonly calls: Call[] = [];
  readonly denials: CapabilityDenialRequest[] = [];
  readonly notifications: NotificationRequest[] = [];
  readonly events: BusEvent[] = [];
  /** In the order of their revisions. */
  readonly runtimeChanges: AppRuntimeChange[] = [];
  /** Which of these apps an event of a user reaches; all of them. */
  reached: (request: EventSubscribersRequest) => string[] = ({ app_ids }) => app_ids;
  config: JsonObject = {};
  /** While it is, every connection breaks off. */
  isAway = false;
  answerCall: (call: Call) => CallResponse | Promise<CallResponse> = () => {
    throw new Error('No call was expected.');
  };

  private constructor(private readonly server: LocalServer) {}

  static async start(): Promise<GatewayStandIn> {
    const server = await LocalServer.start((request, response) => void standIn.answer(request, response));
    const standIn = new GatewayStandIn(server);
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  /** How often this was asked for: the method and the beginning of the path. */
  asked(line: string): number {
    return this.server.requests.filter(({ method, url }) => `${method} ${url}`.startsWith(line)).length;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isAway) {
      request.socket.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [status, body] =
      request.headers['x-service-token'] === TEST_SERVICE_TOKENS['ext-webhook-host']
        ? await this.route(`${request.method} ${request.url}`, Buffer.concat(chunks).toString())
        : [401, { detail: 'No token.', code: 'invalid_service_token' }];
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(body === null ? undefined : JSON.stringify(body));
  }

  private async route(line: string, text: string): Promise<[status: number, body: object | null]> {
    const missing: [number, object] = [404, { detail: 'There is none.', code: 'not_found' }];
    const [, appId = '', what = '', hash = ''] = /^GET \/v1\/internal\/apps\/([^/]+)\/(\w+)\/?(\w*)/.exec(line) ?? [];
    const found = (value: object | undefined): [number, object] => (value ? [200, value] : missing);
    if (what === 'runtime') return found(this.apps.get(appId));
    if (what === 'documents') return found(this.documents.get(hash));
    if (what === 'config') return [200, { config: this.config }];
    const [, called = ''] = /^POST \/v1\/internal\/extensions\/([^/]+)\/call$/.exec(line) ?? [];
    if (called) {
      const call = Object.assign(JSON.parse(text) as InternalCallRequest, { app_id: called });
      this.calls.push(call);
      return [200, await this.answerCall(call)];
    }
    if (line.startsWith('GET /v1/internal/app-runtimes')) {
      const after = Number(new URL(line.slice(4), 'http://gateway').searchParams.get('after'));
      const items = this.runtimeChanges.filter(({ revision }) => revision > after);
      return [200, { items, next: this.runtimeChanges.at(-1)?.revision ?? 0, has_more: false }];
    }
    if (line === 'POST /v1/internal/events') {
      this.events.push(JSON.parse(text) as BusEvent);
      return [204, null];
    }
    if (line === 'POST /v1/internal/events/subscribers') {
      return [200, { app_ids: this.reached(JSON.parse(text) as EventSubscribersRequest) }];
    }
    if (line === 'POST /v1/internal/capability-denials') {
      this.denials.push(JSON.parse(text) as CapabilityDenialRequest);
      return [204, null];
    }
    if (line === 'POST /v1/internal/notifications') {
      this.notifications.push(JSON.parse(text) as NotificationRequest);
      return [200, { sent: true }];
    }
    return missing;
  }
}
