/** A part of a list. */
export interface Page {
  limit: number;
  /** How many of the first are left out. */
  offset: number;
}
