/** What a version has that the one which is served has not, so that it waits for a review. */
export class NewInVersion {
  /** Scopes of its users. */
  scopes!: string[];
  /** Where it may send requests, `*` for everywhere, and where its webhooks may redirect to. */
  hosts!: string[];
  /** What it is made of, such as `http` or `code`, and what it declares as such. */
  capabilities!: string[];
  /** What it handles. */
  events!: string[];
  /** Methods and paths of its webhooks whose handlers are code or read something: those that are new, or that answer by themselves now. */
  webhooks!: string[];
  /** Its schedules, where they are its first whose handlers are code or read something. */
  schedules!: string[];
  /** Those that ask less of whoever calls: another action type, of which fewer are confirmed, or a scope less. */
  functions!: string[];
  /** Null where it keeps its name. */
  name!: string | null;
  /** Whether it has another icon. */
  icon!: boolean;
}
