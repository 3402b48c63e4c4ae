import type { EntityManager } from 'typeorm';

/** A statement that uses the tenant: the compiler refuses one without `$tenant`. */
export type TenantStatement = `${string}$tenant${string}`;

/**
 * Rows of one tenant. Features read and change data of tenants with this and not with the
 * EntityManager, so that no statement can forget the tenant.
 */
export class TenantData {
  constructor(
    readonly em: EntityManager,
    readonly tenantId: string,
  ) {}

  /**
   * Runs a statement in which `$tenant` stands for the tenant and `$1`, `$2`, … for `values`.
   * Returns its rows.
   */
  async query<Row>(statement: TenantStatement, values: readonly unknown[] = []): Promise<Row[]> {
    const sql = statement.replaceAll('$tenant', `$${values.length + 1}`);
    const result = await this.em.query<Row[] | [Row[], number]>(sql, [...values, this.tenantId]);
    // TypeORM returns rows and their count for UPDATE and DELETE.
    return isRowsAndCount(result) ? result[0] : result;
  }
}

const isRowsAndCount = <Row>(result: Row[] | [Row[], number]): result is [Row[], number] =>
  result.length === 2 && Array.isArray(result[0]) && typeof result[1] === 'number';
