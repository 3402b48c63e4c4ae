import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events and firings from before it was kept which API key led to them have its scopes and no key, so what they cause would be the owner's
 * own. They get a key that is not known, of these scopes. Only what can still be handled: of the events that are kept the few that have
 * scopes, and firings that are pending. It reads the events once and locks only what it changes, which nothing else changes.
 */
export class KeysOfOldEvents1764413000200 implements MigrationInterface {
  name = 'KeysOfOldEvents1764413000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE platform_events SET key = jsonb_build_object('id', NULL, 'scopes', to_jsonb(scopes))
        WHERE scopes IS NOT NULL AND key IS NULL AND created_at > now() - interval '8 days';
      UPDATE automation_fires SET key = jsonb_build_object('id', NULL, 'scopes', to_jsonb(scopes))
        WHERE scopes IS NOT NULL AND key IS NULL AND status = 'pending'`);
  }

  async down(): Promise<void> {
    // A release before does not read it.
  }
}
