import type { DataSource } from 'typeorm';
import { PLAN_DEFINITIONS, type PlanDefinition } from './plan-definitions.js';

/**
 * Inserts the plans. A definition that differs from the newest version becomes the next version; an
 * unchanged one adds nothing. Safe to run at every start, and in several processes at the same
 * time.
 */
export async function seedPlans(dataSource: DataSource, definitions = PLAN_DEFINITIONS): Promise<void> {
  await dataSource.query(
    `INSERT INTO plans (id, version, name, price_cents, "interval", included_tokens, features, limits, rank, self_service)
     SELECT d.id, coalesce(p.version, 0) + 1, d.name, d.price_cents, 'month', d.included_tokens, d.features, d.limits, d.rank, d.self_service
     FROM jsonb_to_recordset($1) AS d (id text, name text, price_cents integer, included_tokens bigint, features jsonb, limits jsonb,
       rank integer, self_service boolean)
     LEFT JOIN LATERAL (SELECT * FROM plans WHERE plans.id = d.id ORDER BY version DESC LIMIT 1) AS p ON true
     WHERE (p.name, p.price_cents, p.included_tokens, p.features, p.limits, p.rank, p.self_service)
       IS DISTINCT FROM (d.name, d.price_cents, d.included_tokens, d.features, d.limits, d.rank, d.self_service)
     ON CONFLICT (id, version) DO NOTHING`,
    [JSON.stringify(definitions satisfies readonly PlanDefinition[])],
  );
}
