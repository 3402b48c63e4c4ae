import type { INestApplicationContext } from '@nestjs/common';
import { Jobs } from './jobs.js';

/** A worker starts without its queue server: after this time it says that it works, and connects when it can. */
const MOST_MS = 2_000;

/** `connectWorkers` of the definition of a service with jobs. */
export const connectWorkers = (app: INestApplicationContext): Promise<void> => app.get(Jobs, { strict: false }).connected(MOST_MS);
