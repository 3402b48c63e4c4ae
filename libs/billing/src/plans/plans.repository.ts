import { Injectable } from '@nestjs/common';
import { columns, type RowOf } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { Plan, type PlanFeature, type PlanLimit } from './plan.entity.js';

export interface PlanVersion {
  id: string;
  version: number;
  name: string;
  /** US cents per month; null if a contract sets the price. */
  priceCents: number | null;
  interval: 'month';
  /** Credits that each period grants. */
  includedTokens: number;
  features: Record<PlanFeature, boolean>;
  /** An absent limit is unlimited. */
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

/** Plans that users can subscribe to. */
@Injectable()
export class PlansRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The newest version of each plan, smallest plan first. */
  async listNewest(): Promise<PlanVersion[]> {
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
