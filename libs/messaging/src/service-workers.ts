import type { INestApplicationContext } from '@nestjs/common';
import type { ServiceWorkers } from '@platform/platform';
import { Jobs } from './jobs.service.js';

/** A worker also starts without its queue server: after this time it says that it works, and connects later. */
const MOST_MS = 2_000;

const jobsOf = (app: INestApplicationContext): Jobs => app.get(Jobs, { strict: false });

/** Workers of `ServiceDefinition`, for a service with jobs. */
export const serviceWorkers: ServiceWorkers = {
  hold: (app) => jobsOf(app).hold(),
  connect: (app) => jobsOf(app).connected(MOST_MS),
  start: (app) => jobsOf(app).start(),
};
