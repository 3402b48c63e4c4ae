import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Webhooks of apps that are not published are called at an address of their own, so a delivery says at which it came, and what is known of an
 * app says whether anything of it may run. What was there before came to published apps; of what is known of apps, nobody may run a draft
 * before the gateway has said so. New columns with defaults, of which a release before need not know; the check reads the deliveries once.
 */
export class WebhookChannels1764419200000 implements MigrationInterface {
  name = 'WebhookChannels1764419200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE deployed_apps ADD COLUMN is_suspended boolean NOT NULL DEFAULT true;
      ALTER TABLE webhook_deliveries ADD COLUMN channel text NOT NULL DEFAULT 'live'
        CONSTRAINT webhook_deliveries_channel_check CHECK (channel IN ('live', 'draft'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_deliveries DROP COLUMN channel; ALTER TABLE deployed_apps DROP COLUMN is_suspended');
  }
}
