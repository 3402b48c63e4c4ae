import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';

/** Who does something: for the audit log. */
export interface Actor {
  type: 'user' | 'api_key' | 'service' | 'system';
  /** The user, the key, the name of the service or of the job. */
  id: string;
  /** The user whose key it is, or whom the service acts for. */
  onBehalfOf?: string;
}

/** What belongs to the request (or the job) that is being worked on. */
export interface RequestContext {
  requestId: string;
  log: Logger;
  /** Who calls, for the log line: `user:usr_…`, `service:panel`, or nothing before the guard ran. */
  caller?: string;
  /** The same for the audit log. */
  actor?: Actor;
  /** Session of the user who calls; absent for an API key and for a backend that does not name one. */
  sessionId?: string;
  /** Comes so often that the log need not tell of each that went well. */
  isRoutine?: boolean;
  /** Absent in a request. */
  isJob?: true;
  ipAddress?: string | undefined;
  userAgent?: string | undefined;
}

const storage = new AsyncLocalStorage<RequestContext>();

export const runInContext = <T>(context: RequestContext, work: () => T): T => storage.run(context, work);

/** Undefined outside of a request or job. */
export const currentContext = (): RequestContext | undefined => storage.getStore();
