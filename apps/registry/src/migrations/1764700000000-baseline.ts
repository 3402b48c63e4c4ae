import { createSchema } from '@platform/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { registryPart } from './baseline/registry.js';

/** Schema of version 0.1.0. */
export class RegistryBaseline1764700000000 implements MigrationInterface {
  readonly name = 'Baseline1764700000000';

  async up(runner: QueryRunner): Promise<void> {
    await createSchema(runner, [registryPart]);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('The baseline cannot be reverted: drop the schema instead.'));
  }
}
