import { billingClockPart, billingParts } from '@platform/billing';
import { rateLimitsPart } from '@platform/guards';
import {
  createFunctions,
  createTables,
  eventUsagePart,
  outboxPart,
  workerHeartbeatsPart,
  type SchemaPart,
} from '@platform/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { accountsPart } from './baseline/accounts.js';
import { actionSumsPart } from './baseline/action-sums.js';
import { appsPart } from './baseline/apps.js';
import { auditPart } from './baseline/audit.js';
import { automationsPart } from './baseline/automations.js';
import { callsPart } from './baseline/calls.js';
import { draftsPart } from './baseline/drafts.js';
import { eventsPart } from './baseline/events.js';
import { installsPart } from './baseline/installs.js';
import { kernelPart } from './baseline/kernel.js';
import { marketplacePart } from './baseline/marketplace.js';
import { organisationPart } from './baseline/organisation.js';
import { signInPart } from './baseline/sign-in.js';

/** In the order of their foreign keys. */
const PARTS: readonly SchemaPart[] = [
  outboxPart,
  workerHeartbeatsPart,
  rateLimitsPart,
  eventUsagePart,
  billingClockPart,
  accountsPart,
  kernelPart,
  signInPart,
  organisationPart,
  auditPart,
  appsPart,
  marketplacePart,
  installsPart,
  callsPart,
  eventsPart,
  automationsPart,
  ...billingParts,
  actionSumsPart,
  draftsPart,
];

/** Schema of version 0.1.0. */
export class GatewayBaseline1764700000000 implements MigrationInterface {
  readonly name = 'Baseline1764700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    // An administrator may have installed `pg_trgm` before, in `public`.
    await runner.query('SET LOCAL search_path TO gateway, public');
    await createTables(runner, PARTS);
    await runner.query('SET LOCAL search_path TO gateway');
    await createFunctions(runner, PARTS);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('The baseline cannot be reverted: drop the schema instead.'));
  }
}
