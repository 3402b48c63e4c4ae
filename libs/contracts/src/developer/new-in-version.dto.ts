/** Differences to the version that runs, because of which a version waits for a review. */
export class NewInVersion {
  /** Scopes that the version newly requests from its users. */
  scopes!: string[];
  /** Hosts to which the version newly sends requests or redirects webhooks. `*`: any host. */
  hosts!: string[];
  /**
   * Capabilities that the version newly uses or declares, such as `http` or `code`. Capabilities
   * that are also scopes are only in `scopes`.
   */
  capabilities!: string[];
  /** Event types that the version newly subscribes to. */
  events!: string[];
  /**
   * Webhooks, as method and path, whose handlers run code or read data, and that are new or now
   * answer the request themselves.
   */
  webhooks!: string[];
  /**
   * Schedules that need the review: all schedules whose handlers run code or read data, if the
   * running version has no such schedule, and schedules that newly run for each user.
   */
  schedules!: string[];
  /**
   * Functions that now require less of the caller: a weaker action type, of which fewer calls need
   * a confirmation, or fewer scopes.
   */
  functions!: string[];
  /** New name of the app; null if the name stays. */
  name!: string | null;
  /** True if the icon changes. */
  icon!: boolean;
}
