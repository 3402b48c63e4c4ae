import { Injectable } from '@nestjs/common';
import { columns, type RowOf } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { Plan, type PlanFeature, type PlanLimit } from './plan.entity.js';

/** A version of a plan. */
export interface PlanVersion {
  id: string;
  version: number;
  name: string;
  /** US cents for a month; null where a contract says it. */
  priceCents: number | null;
  interval: 'month';
  /** Credits that each period brings. */
  includedTokens: number;
  features: Record<PlanFeature, boolean>;
  /** Absent is unlimited. */
  limits: Partial<Record<PlanLimit, number>>;
  rank: number;
  selfService: boolean;
}

const VERSION = columns(Plan, [
  'id',
  'version',
  'name',
  'priceCents',
  'interval',
  'includedTokens',
  'features',
  'limits',
  'rank',
  'selfService',
]);

/** What can be subscribed to. */
@Injectable()
export class Plans {
  constructor(private readonly dataSource: DataSource) {}

  /** The newest version of each, the smallest plan first. */
  async newest(): Promise<PlanVersion[]> {
    const rows = await this.dataSource.query<RowOf<typeof VERSION>[]>(
      `SELECT * FROM (SELECT DISTINCT ON (id) ${VERSION} FROM plans ORDER BY id, version DESC) AS newest ORDER BY rank, id`,
    );
    return rows.map(toVersion);
  }
}

const toVersion = ({ price_cents, included_tokens, self_service, ...plan }: RowOf<typeof VERSION>): PlanVersion => ({
  ...plan,
  priceCents: price_cents,
  includedTokens: Number(included_tokens),
  selfService: self_service,
});
