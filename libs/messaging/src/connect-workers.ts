import type { INestApplicationContext } from '@nestjs/common';
import { Jobs } from './jobs.js';

/** A worker also starts without its queue server: after this time it says that it works, and connects later. */
const MOST_MS = 2_000;

/** Implements `connectWorkers` of `ServiceDefinition` for a service with jobs. */
export const connectWorkers = (app: INestApplicationContext): Promise<void> => app.get(Jobs, { strict: false }).connected(MOST_MS);
