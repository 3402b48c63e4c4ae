export interface Page {
  limit: number;
  /** Number of items to skip. */
  offset: number;
}
