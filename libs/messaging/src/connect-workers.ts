import type { INestApplicationContext } from '@nestjs/common';
import { Jobs } from './jobs.js';

/** A worker also starts without its queue server: after this time it says that it works, and connects later. */
const MOST_MS = 2_000;

/**
 * Waits until the workers of the process are connected to their queues, but at most 2 s. A service
 * with jobs passes it as `connectWorkers` of its `ServiceDefinition`.
 */
export const connectWorkers = (app: INestApplicationContext): Promise<void> => app.get(Jobs, { strict: false }).connected(MOST_MS);
