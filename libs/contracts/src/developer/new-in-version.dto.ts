/** What a version has that the one which is served has not, so that it waits for a review. */
export class NewInVersion {
  /** Scopes of its users. */
  scopes!: string[];
  /** Where it sends requests; `*` where that is made of what it is given. */
  hosts!: string[];
  /** What it is made of, such as `http` or `code`, and what it declares as such. */
  capabilities!: string[];
  /** What it handles. */
  events!: string[];
  /** Null where it keeps its name. */
  name!: string | null;
  /** Whether it has another icon. */
  icon!: boolean;
}
