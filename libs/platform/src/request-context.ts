import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';

/** The person or program that does something, for the audit log. */
export interface Actor {
  type: 'user' | 'api_key' | 'service' | 'system';
  /** Id of the user or of the API key, or name of the service or of the job. */
  id: string;
  /** The owner of the API key, or the user for whom the service acts. */
  onBehalfOf?: string;
}

/** Data of the current request or job. */
export interface RequestContext {
  requestId: string;
  log: Logger;
  /**
   * The caller for the log line: `user:usr_…` or `service:panel`. Undefined before the guard has
   * run.
   */
  caller?: string;
  /** The caller for the audit log. */
  actor?: Actor;
  /**
   * Session of the calling user. Absent for an API key, and for a backend that does not name a
   * session.
   */
  sessionId?: string;
  /** True for frequent requests. Successful ones are logged on level `debug`. */
  isRoutine?: boolean;
  /** True in a job; absent in a request. */
  isJob?: true;
  ipAddress?: string | undefined;
  userAgent?: string | undefined;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` with this context, which `currentContext` then returns in all that `work` calls. */
export const runInContext = <T>(context: RequestContext, work: () => T): T => storage.run(context, work);

/** Data of the current request or job; undefined outside of both. */
export const currentContext = (): RequestContext | undefined => storage.getStore();
