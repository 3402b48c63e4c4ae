import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';

/** What belongs to the request (or the job) that is being worked on. */
export interface RequestContext {
  requestId: string;
  log: Logger;
  /** Who calls, for the log line: `user:usr_…`, `service:panel`, or nothing before the guard ran. */
  caller?: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

export const runInContext = <T>(context: RequestContext, work: () => T): T => storage.run(context, work);

/** Undefined outside of a request or job. */
export const currentContext = (): RequestContext | undefined => storage.getStore();
