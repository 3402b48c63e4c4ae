import { createSchema, eventUsagePart, outboxPart, workerHeartbeatsPart } from '@platform/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { deployedPart } from './baseline/deployed.js';
import { eventsPart } from './baseline/events.js';
import { schedulesPart } from './baseline/schedules.js';
import { storePart } from './baseline/store.js';
import { webhooksPart } from './baseline/webhooks.js';

/** Schema of version 0.1.0. */
export class HostBaseline1764700000000 implements MigrationInterface {
  readonly name = 'Baseline1764700000000';

  async up(runner: QueryRunner): Promise<void> {
    await createSchema(runner, [
      outboxPart,
      workerHeartbeatsPart,
      eventUsagePart,
      storePart,
      deployedPart,
      eventsPart,
      schedulesPart,
      webhooksPart,
    ]);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('The baseline cannot be reverted: drop the schema instead.'));
  }
}
