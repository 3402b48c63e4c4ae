/** Maximum sizes of a document. */
export const LIMITS = {
  /** Without its modules. */
  documentBytes: 256 * 1024,
  /** Levels of nesting of the whole JSON, without modules. */
  jsonDepth: 32,
  functions: 100,
  /** Per function or handler, including inner steps. */
  steps: 200,
  /** Levels of lists of steps, including the outermost one. */
  nesting: 4,
  templatePath: 16,
  modules: 20,
  /** All modules together, as UTF-8. */
  sourceBytes: 512 * 1024,
  sourceMapBytes: 1024 * 1024,
  /**
   * Request body with a document and its modules as JSON, in which quotation marks and line ends
   * take two bytes. Every endpoint that accepts documents needs this limit.
   */
  bodyBytes: 4 * 1024 * 1024,
  /** Sum over all objects. A document of the maximum size has fewer. */
  bodyKeys: 50_000,
  /** Sum over all lists and objects. */
  bodyValues: 100_000,
  webhooks: 100,
  schedules: 50,
  subscriptions: 100,
  emissions: 200,
  panels: 50,
  skeleton: 50,
  secrets: 50,
  settings: 100,
  /** Declared hosts. */
  hosts: 20,
  /** Requested hosts of an app that declares some, including those of its steps. */
  hostsAsked: 50,
  /** RFC 1035 section 2.3.4, plus a port. */
  hostLength: 259,
  /** Different regular expressions in all JSON Schemas of a document. */
  patterns: 50,
  patternLength: 256,
  /** Instructions of a compiled regular expression. */
  patternProgram: 2000,
  /** Subschemas of one JSON Schema; a referenced one counts once per reference. */
  subschemas: 500,
  /**
   * Keywords and required names in one JSON Schema. The time to compile the check is proportional
   * to it.
   */
  schemaKeywords: 3000,
  /** Issues in one answer. */
  issues: 100,
} as const;
