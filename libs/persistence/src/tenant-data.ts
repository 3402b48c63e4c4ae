import type { EntityManager } from 'typeorm';

/** A statement that says where the tenant counts: the compiler refuses one without `$tenant`. */
export type TenantStatement = `${string}$tenant${string}`;

/**
 * The rows of one tenant. Features that read or change what tenants own go through this and not through the EntityManager, so that no
 * statement can forget whose rows it is about.
 */
export class TenantData {
  constructor(
    readonly em: EntityManager,
    readonly tenantId: string,
  ) {}

  /** Runs a statement in which `$tenant` stands for the tenant and `$1`, `$2`, … for `values`. Returns its rows. */
  async query<Row>(statement: TenantStatement, values: readonly unknown[] = []): Promise<Row[]> {
    const sql = statement.replaceAll('$tenant', `$${values.length + 1}`);
    const result = await this.em.query<Row[] | [Row[], number]>(sql, [...values, this.tenantId]);
    // TypeORM gives UPDATE and DELETE as rows and their count.
    return isRowsAndCount(result) ? result[0] : result;
  }
}

const isRowsAndCount = <Row>(result: Row[] | [Row[], number]): result is [Row[], number] =>
  result.length === 2 && Array.isArray(result[0]) && typeof result[1] === 'number';
