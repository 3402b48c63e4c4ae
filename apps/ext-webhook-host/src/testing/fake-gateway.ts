import type { AppDocument, JsonObject } from '@platform/app-document';
import {
  isRemoval,
  type AppRuntimeChange,
  type BackgroundRun,
  type BusEvent,
  type CallResponse,
  type CapabilityDenialRequest,
  type EventAudienceRequest,
  type EventAudienceResponse,
  type EventSubscribersRequest,
  type HostChatMessageRequest,
  type HostNotificationRequest,
  type InternalCallRequest,
  type PublishedEventRequest,
  type RunGrantExchangeRequest,
  type RunGrantResponse,
  type RunGrantsRequest,
  type RunProgressRequest,
  type RunUsageRequest,
  type RunUsersRequest,
} from '@platform/contracts';
import { newUuid } from '@platform/platform';
import { LocalServer, TEST_SERVICE_TOKENS } from '@platform/testing';
import { isUUID as isUuid } from 'class-validator';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DeployedApp } from '../kernel/deployed/deployed-apps.service.js';
import { FakeRunGrants, type GrantFacts } from './fake-run-grants.js';

/** Tenant and user of the grant in a request. */
type For = Pick<GrantFacts, 'tenant_id' | 'user_id'>;
type Told<Request extends { grant: string }> = Omit<Request, 'grant'> & For;
type Call = Omit<InternalCallRequest, 'grant' | 'via'> &
  For &
  Pick<GrantFacts, 'chain' | 'hop' | 'scopes'> & { app_id: string; from_app: string; kind: GrantFacts['kind'] };
/** A request without its grant. */
type Fields<Request extends { grant: string }> = Omit<Request, 'grant'>;
type Answer = [status: number, body: object | null];

/** Keys in the body of each route. Other keys get 422, so a host that names a user itself fails. */
const ROUTES: Record<string, readonly string[]> = {
  'run-grants': ['runs'],
  'run-grants/exchange': ['grant', 'user_ids'],
  'run-grants/users': ['grant', 'user_ids'],
  'run-grants/check': ['grant'],
  config: ['grant'],
  'billing/balance': ['grant'],
  'billing/subscription': ['grant'],
  'billing/limits': ['grant'],
  'billing/usage': ['grant', 'meter', 'quantity', 'key'],
  call: ['grant', 'function', 'params', 'via'],
  events: ['grant', 'event_id', 'type', 'data', 'timestamp'],
  'events/subscribers': ['event_id', 'app_ids'],
  'events/audience': ['event_id', 'after'],
  'capability-denials': ['grant', 'capability', 'call'],
  'chat-messages': ['grant', 'message_id', 'text', 'type', 'refresh_panels'],
  'task-progress': ['grant', 'percent', 'message'],
  notifications: ['grant', 'message', 'channel', 'priority', 'subject', 'body'],
};

/** Routes that also accept the grant of a run that has ended. */
const TOLD_AFTERWARDS = new Set(['events', 'capability-denials']);

/**
 * A fake of the gateway's internal routes that the host calls. It finds the run of a request by the
 * grant, which it has made itself.
 */
export class FakeGateway {
  readonly grants = new FakeRunGrants();
  readonly apps = new Map<string, DeployedApp>();
  readonly documents = new Map<string, AppDocument>();
  readonly calls: Call[] = [];
  readonly configs: (For & { app_id: string })[] = [];
  readonly denials: (Told<CapabilityDenialRequest> & { app_id: string; version: string })[] = [];
  readonly usage: (Told<RunUsageRequest> & { app_id: string })[] = [];
  readonly notifications: (Told<HostNotificationRequest> & { app_id: string })[] = [];
  readonly chatMessages: (Told<HostChatMessageRequest> & { app_id: string })[] = [];
  /** Answer to a chat message; null: it accepts the message. */
  answerChat: () => Answer | null = () => null;
  readonly progress: Fields<RunProgressRequest>[] = [];
  /** True if the task that reports its progress was cancelled. */
  isCancelled: () => boolean = () => false;
  /** Events that apps have published, as they first arrived. */
  readonly events: BusEvent[] = [];
  /** Runs for which a grant was requested. */
  readonly begun: Pick<BackgroundRun, keyof BackgroundRun>[] = [];
  /** Users for whom a grant was exchanged, one list for each request. */
  readonly exchanged: string[][] = [];
  /** Bodies of all requests, with method and path. */
  readonly requests: { line: string; text: string }[] = [];
  /** Grants that it refused. */
  readonly refused: { line: string; code: string }[] = [];
  /** Ordered by revision. */
  readonly runtimeChanges: AppRuntimeChange[] = [];
  /** True if a user has an app, enabled and allowed; always by default. */
  hasApp: (userId: string, appId: string) => boolean = () => true;
  /** Tenant of a user; null (the default): that of the grant. */
  tenantOf: (userId: string) => string | null = () => null;
  /** Answer to an event of an app with a valid grant; null (the default): it accepts the event. */
  answerEvent: () => Answer | null = () => null;
  /** True if it accepts a valid grant; always by default. */
  acceptsGrant: (facts: GrantFacts) => boolean = () => true;
  /** Scopes of the users for whom apps may act. */
  scopes: string[] = ['notes:*'];
  /** Apps on one page of the audience of an event. */
  audiencePage = 1_000;
  /** Lifetime of grants for runs that the host begins. */
  grantsLastMs = 300_000;
  config: JsonObject = {};
  /** Billing data of the user of a run, by the end of the path; null: it answers 404. */
  billing: Record<'balance' | 'subscription' | 'limits', JsonObject | null> = {
    balance: null,
    subscription: null,
    limits: null,
  };
  /** While true, every connection is closed. */
  isAway = false;
  answerCall: (call: Call) => CallResponse | Promise<CallResponse> = () => {
    throw new Error('No call was expected.');
  };
  private readonly known = new Map<string, BusEvent>();

  private constructor(private readonly server: LocalServer) {}

  static async start(): Promise<FakeGateway> {
    const server = await LocalServer.start((request, response) => void fake.answer(request, response));
    const fake = new FakeGateway(server);
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  /** Number of requests that begin with `line`: the method and the beginning of the path. */
  countRequests(line: string): number {
    return this.server.requests.filter(({ method, url }) => `${method} ${url}`.startsWith(line)).length;
  }

  /** Adds an event that the gateway has published itself. */
  addEvent(event: BusEvent): void {
    this.known.set(event.event_id, event);
  }

  /** Removes an event, as the gateway does after some time. */
  removeEvent(eventId: string): void {
    this.known.delete(eventId);
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
    const line = `${request.method} ${request.url}`;
    const text = Buffer.concat(chunks).toString();
    this.requests.push({ line, text });
    const [status, body] =
      request.headers['x-service-token'] === TEST_SERVICE_TOKENS['ext-webhook-host']
        ? await this.route(line, text)
        : [401, { detail: 'No token.', code: 'invalid_service_token' }];
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(body === null ? undefined : JSON.stringify(body));
  }

  private async route(line: string, text: string): Promise<Answer> {
    const missing: Answer = [404, { detail: 'There is none.', code: 'not_found' }];
    const [, appId = '', what = '', hash = ''] = /^GET \/v1\/internal\/apps\/([^/]+)\/(\w+)\/?(\w*)$/.exec(line) ?? [];
    const found = (value: object | undefined): Answer => (value ? [200, value] : missing);
    if (what === 'runtime') return found(this.apps.get(appId));
    if (what === 'documents') return found(this.documents.get(hash));
    if (line.startsWith('GET /v1/internal/app-runtimes')) {
      const after = Number(new URL(line.slice(4), 'http://gateway').searchParams.get('after'));
      const items = this.runtimeChanges.filter(({ revision }) => revision > after);
      return [200, { items, next: this.runtimeChanges.at(-1)?.revision ?? 0, has_more: false }];
    }
    const [, called] = /^POST \/v1\/internal\/extensions\/([^/]+)\/call$/.exec(line) ?? [];
    const [, route = ''] = called ? [line, 'call'] : (/^POST \/v1\/internal\/(.*)$/.exec(line) ?? []);
    const keys = ROUTES[route];
    if (!keys) return missing;
    const body = JSON.parse(text) as Record<string, unknown>;
    const wrong = Object.keys(body).filter((key) => !keys.includes(key));
    if (wrong.length)
      return [422, { detail: wrong.map((key) => ({ loc: ['body', key], msg: 'Extra', type: 'extra_forbidden' })) }];
    if (!keys.includes('grant')) return this.withoutGrant(route, body);
    const facts = this.grants.openGrant(body['grant'], { isLate: TOLD_AFTERWARDS.has(route) });
    const code = typeof facts === 'string' ? facts : this.acceptsGrant(facts) ? null : 'run_grant.refused';
    if (typeof facts === 'string' || code) {
      this.refused.push({ line, code: code ?? '' });
      return [403, { detail: 'The grant does not count.', code }];
    }
    return this.withGrant(route, body, facts, called ?? '');
  }

  private withoutGrant(route: string, body: object): Answer {
    if (route === 'run-grants') {
      const { runs } = body as RunGrantsRequest;
      if (runs.some(({ event_id = newUuid() }) => !isUuid(event_id))) return [422, { detail: [] }];
      this.begun.push(...runs);
      return [200, { grants: runs.map((run) => this.begin(run)) }];
    }
    if (route === 'events/audience') return [200, this.audience(body as EventAudienceRequest)];
    const { event_id, app_ids } = body as EventSubscribersRequest;
    const event = this.known.get(event_id);
    if (!event) return [404, { detail: 'There is no such event.', code: 'event.not_found' }];
    return [200, { app_ids: app_ids.filter((id) => this.reaches(event, id)) }];
  }

  private async withGrant(
    route: string,
    { grant: _seen, ...rest }: Record<string, unknown>,
    facts: GrantFacts,
    called: string,
  ): Promise<Answer> {
    const { app_id, version, tenant_id, user_id, kind, scopes, hop } = facts;
    switch (route) {
      case 'run-grants/exchange': {
        if (kind !== 'schedule' || user_id !== null)
          return [403, { detail: 'Of no schedule.', code: 'run_grant.invalid' }];
        const { user_ids } = rest as unknown as RunGrantExchangeRequest;
        this.exchanged.push(user_ids);
        const users = user_ids.filter((id) => this.hasApp(id, app_id));
        return [
          200,
          {
            grants: users.map((id) =>
              this.toGrant({ ...facts, user_id: id, scopes: this.scopes, tenant_id: this.tenantOf(id) ?? tenant_id }),
            ),
          },
        ];
      }
      case 'run-grants/users': {
        if (kind !== 'event' && user_id !== null) return [403, { detail: 'Of a user.', code: 'run_grant.refused' }];
        const { user_ids } = rest as unknown as RunUsersRequest;
        const isElsewhere = (id: string): boolean => kind === 'event' && (this.tenantOf(id) ?? tenant_id) !== tenant_id;
        const users = user_ids.filter((id) => this.hasApp(id, app_id) && !isElsewhere(id));
        return [200, { users: users.map((id) => ({ user_id: id, tenant_id: this.tenantOf(id) ?? tenant_id })) }];
      }
      case 'run-grants/check':
        return [204, null];
      case 'config':
        this.configs.push({ app_id, tenant_id, user_id });
        return [200, { config: this.config }];
      case 'call': {
        const { via = [], ...call } = rest as unknown as Fields<InternalCallRequest>;
        const chain = [...facts.chain, ...via.map((name) => `${app_id}.${name}`)];
        const known = { ...call, app_id: called, from_app: app_id, tenant_id, user_id, scopes, hop, kind, chain };
        this.calls.push(known);
        return [200, await this.answerCall(known)];
      }
      case 'events': {
        const event = rest as unknown as Fields<PublishedEventRequest>;
        if (!event.type.startsWith(`${app_id}.`)) return [422, { detail: [] }];
        const answer = this.answerEvent();
        if (answer) return answer;
        const known: BusEvent = { ...event, source: app_id, tenant_id, user_id, hop };
        if (!this.known.has(event.event_id)) this.events.push(known);
        this.known.set(event.event_id, known);
        return [204, null];
      }
      case 'billing/balance':
      case 'billing/subscription':
      case 'billing/limits': {
        const known = this.billing[route.slice('billing/'.length) as keyof typeof this.billing];
        return known ? [200, known] : [404, { detail: 'There is none.', code: 'not_found' }];
      }
      case 'billing/usage':
        this.usage.push({ ...(rest as unknown as Fields<RunUsageRequest>), app_id, tenant_id, user_id });
        return [204, null];
      case 'capability-denials':
        this.denials.push({
          ...(rest as unknown as Fields<CapabilityDenialRequest>),
          app_id,
          version,
          tenant_id,
          user_id,
        });
        return [204, null];
      case 'chat-messages':
        this.chatMessages.push({ ...(rest as unknown as Fields<HostChatMessageRequest>), app_id, tenant_id, user_id });
        return this.answerChat() ?? [204, null];
      case 'task-progress':
        this.progress.push(rest as unknown as Fields<RunProgressRequest>);
        return [200, { is_cancelled: this.isCancelled() }];
      default:
        if (user_id === null) return [422, { detail: [] }];
        this.notifications.push({
          ...(rest as unknown as Fields<HostNotificationRequest>),
          app_id,
          tenant_id,
          user_id,
        });
        return [200, { sent: true }];
    }
  }

  private begin({ app_id, version, sha256, kind, handler, event_id }: BackgroundRun): RunGrantResponse | null {
    const app = this.apps.get(app_id);
    if (app?.sha256 !== sha256 || app.version !== version) return null;
    const run = {
      app_id,
      version,
      sha256,
      kind,
      chain: [`${app_id}.__${kind}__${handler}`],
      expires: Date.now() + this.grantsLastMs,
    };
    if (kind !== 'event') return this.toGrant({ ...run, tenant_id: app.tenant_id });
    const event = this.known.get(event_id ?? '');
    if (!event || !this.reaches(event, app_id)) return null;
    const { tenant_id, user_id, hop } = event;
    const isOfRemoval = isRemoval(event);
    const facts = {
      ...run,
      tenant_id,
      user_id,
      hop: hop + 1,
      event_id: event_id ?? null,
      scopes: user_id === null || isOfRemoval ? [] : this.scopes,
    };
    return this.toGrant(facts, isOfRemoval);
  }

  private audience({ event_id, after = '' }: EventAudienceRequest): EventAudienceResponse {
    const event = this.known.get(event_id);
    const found = event ? [...this.apps.keys()].filter((id) => id > after && this.reaches(event, id)).sort() : [];
    return { app_ids: found.slice(0, this.audiencePage), has_more: found.length > this.audiencePage };
  }

  private reaches({ user_id, source }: BusEvent, appId: string): boolean {
    if (user_id !== null) return this.hasApp(user_id, appId);
    return this.apps.get(appId)?.developer_id === this.apps.get(source)?.developer_id;
  }

  private toGrant(facts: Parameters<FakeRunGrants['createGrant']>[0], isOfRemoval = false): RunGrantResponse {
    const { grant, expires, tenant_id, user_id, scopes } = this.grants.createGrant(facts);
    return {
      grant,
      expires_at: new Date(expires).toISOString(),
      tenant_id,
      user_id,
      scopes,
      ...(isOfRemoval && { is_removal: true }),
    };
  }
}
