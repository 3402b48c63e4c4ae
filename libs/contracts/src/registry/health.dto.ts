export class HealthResponse {
  /** @example ok */
  status!: 'ok';
  /**
   * Of the database: it answers, and every migration is applied.
   * @example ok
   */
  database!: 'ok';
}
