export class HealthResponse {
  /** @example ok */
  status!: 'ok';
  /**
   * `ok`: the database answers, and all migrations are applied.
   * @example ok
   */
  database!: 'ok';
}
