export class HealthResponse {
  /**
   * `ok`: the service works.
   * @example ok
   */
  status!: 'ok';
  /**
   * `ok`: the database answers, and all migrations are applied.
   * @example ok
   */
  database!: 'ok';
}
