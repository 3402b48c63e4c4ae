import type { INestApplicationContext } from '@nestjs/common';
import type { ServiceWorkers } from '@platform/platform';
import { JobsService } from './jobs.service.js';

/** A worker also starts without its queue server: after this time it says that it works, and connects later. */
const MOST_MS = 2_000;

const jobsOf = (app: INestApplicationContext): JobsService => app.get(JobsService, { strict: false });

/** Workers of `ServiceDefinition`, for a service with jobs. */
export const serviceWorkers: ServiceWorkers = {
  hold: (app) => jobsOf(app).hold(),
  connect: (app) => jobsOf(app).waitUntilConnected(MOST_MS),
  start: (app) => jobsOf(app).start(),
};
