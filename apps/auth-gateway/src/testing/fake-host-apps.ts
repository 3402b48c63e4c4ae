import type {
  AppLogLine,
  AppSchedule,
  DeclaredSecret,
  EventDelivery,
  ScheduleRun,
  WebhookDelivery,
} from '@platform/contracts';
import type { HostAnswer, HostRequest } from './fake-host.js';

/** A plain object with the fields of the class. */
type Fields<T> = Pick<T, keyof T>;

const NOT_FOUND = { status: 404, body: { detail: 'There is nothing.', code: 'not_found' } };

export const declaredSecret = (name: string, changes: Partial<DeclaredSecret> = {}): Fields<DeclaredSecret> => ({
  name,
  description: `The ${name}.`,
  scope: 'user',
  write_mode: 'user',
  is_set: false,
  updated_at: null,
  last_accessed_at: null,
  ...changes,
});

export const logLine = (id: string, message: string): AppLogLine => ({
  id,
  at: '2026-11-21T10:00:00.000Z',
  level: 'info',
  message,
  kind: 'function',
  handler: 'greet',
  request_id: 'req_1',
  user_id: 'usr_1',
});

export const webhookDelivery = (
  appId: string,
  deliveryId: string,
  changes: Partial<WebhookDelivery> = {},
): Fields<WebhookDelivery> => ({
  delivery_id: deliveryId,
  app_id: appId,
  channel: 'live',
  path: 'payments',
  method: 'POST',
  status: 'dead',
  attempts: 8,
  status_code: 500,
  error: 'Step "note": no such thing',
  received_at: '2026-11-21T10:00:00.000Z',
  next_attempt_at: null,
  finished_at: '2026-11-21T12:00:00.000Z',
  ...changes,
});

export const scheduleRun = (changes: Partial<ScheduleRun> = {}): Fields<ScheduleRun> => ({
  run_id: 'srn_1',
  trigger: 'schedule',
  scheduled_for: '2026-11-21T03:00:00.000Z',
  status: 'succeeded',
  attempts: 1,
  started_at: '2026-11-21T03:00:01.000Z',
  finished_at: '2026-11-21T03:00:02.000Z',
  duration_ms: 12,
  error: null,
  users: { total: 3, succeeded: 2, failed: 0, skipped: 1 },
  ...changes,
});

export const appSchedule = (name: string): Fields<AppSchedule> => ({
  name,
  cron: '0 3 * * *',
  for_each_user: 'notes',
  next_run_at: '2026-11-22T03:00:00.000Z',
  recent_runs: [scheduleRun()],
});

export const eventDelivery = (
  appId: string,
  eventId: string,
  changes: Partial<EventDelivery> = {},
): Fields<EventDelivery> => ({
  event_id: eventId,
  app_id: appId,
  type: 'notes.made',
  source: 'notes',
  user_id: 'usr_1',
  status: 'dead',
  attempts: 5,
  error: 'STEP_FAILED: Step "note": no such thing',
  timestamp: '2026-11-21T10:00:00.000Z',
  next_attempt_at: null,
  finished_at: '2026-11-21T12:00:00.000Z',
  ...changes,
});

export const WEBHOOK_REQUEST = {
  headers: { 'x-event': 'paid' },
  query_params: { a: '1' },
  body_bytes: 2,
  body_base64: 'e30=',
};

/**
 * State of an extension host. All apps share it, except the values of secrets, which belong to an
 * app and an owner.
 */
export class FakeHostApps {
  /** Key: `app/user/name`; the user is empty for secrets of the app. */
  readonly values = new Map<string, string>();
  secrets: Fields<DeclaredSecret>[] = [];
  lines: AppLogLine[] = [];
  deliveries: string[] = [];
  schedules: string[] = [];
  events: string[] = [];

  answer({ method, url, body }: HostRequest): HostAnswer | null {
    const { pathname, searchParams } = new URL(url, 'http://host');
    const [, appId = '', what, name = '', then] =
      /^\/v1\/internal\/apps\/([^/]+)\/([\w-]+)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(pathname) ?? [];
    switch (what) {
      case 'secrets': {
        const scope = searchParams.get('scope');
        const keyOf = (of: string) => `${appId}/${searchParams.get('user_id') ?? ''}/${of}`;
        const declared = this.secrets.filter((secret) => secret.scope === scope);
        if (!name)
          return { body: declared.map((secret) => ({ ...secret, is_set: this.values.has(keyOf(secret.name)) })) };
        return this.secret(method, keyOf(name), body as { value: string } | null);
      }
      case 'logs': {
        const items = this.lines
          .filter(({ id }) => id > (searchParams.get('after') ?? ''))
          .slice(0, Number(searchParams.get('limit')));
        // Never answers, to test callers that give up.
        if (!items.length && searchParams.get('wait_seconds') !== '0') return null;
        return { body: { items, next: items.at(-1)?.id ?? searchParams.get('after') } };
      }
      case 'webhook-deliveries': {
        if (!name) return { body: { items: this.deliveries.map((id) => webhookDelivery(appId, id)), cursor: null } };
        if (!this.deliveries.includes(name)) return NOT_FOUND;
        if (then === 'replay')
          return { status: 202, body: webhookDelivery(appId, name, { status: 'pending', finished_at: null }) };
        return { body: { ...webhookDelivery(appId, name), ...WEBHOOK_REQUEST, kept_private: 'by the host' } };
      }
      case 'schedules': {
        const kept = { kept_private: 'by the host' };
        if (!name) return { body: { items: this.schedules.map((of) => ({ ...appSchedule(of), ...kept })) } };
        if (!this.schedules.includes(name)) return NOT_FOUND;
        return {
          status: 202,
          body: { ...scheduleRun({ trigger: 'manual', status: 'pending', users: null, finished_at: null }), ...kept },
        };
      }
      case 'event-deliveries': {
        if (!name)
          return {
            body: {
              items: this.events.map((id) => ({ ...eventDelivery(appId, id), data: 'private' })),
              cursor: 'next',
            },
          };
        if (!this.events.includes(name)) return NOT_FOUND;
        return { status: 202, body: eventDelivery(appId, name, { status: 'pending', finished_at: null }) };
      }
      default:
        return NOT_FOUND;
    }
  }

  private secret(method: string, key: string, body: { value: string } | null): HostAnswer {
    const value = this.values.get(key);
    if (method === 'GET') return value === undefined ? NOT_FOUND : { body: { value } };
    if (method === 'DELETE') return { body: { was_set: this.values.delete(key) } };
    if (body?.value.includes('too long'))
      return { status: 400, body: { detail: 'At most 8 bytes.', code: 'secret.invalid' } };
    this.values.set(key, body?.value ?? '');
    return { status: 204 };
  }
}
