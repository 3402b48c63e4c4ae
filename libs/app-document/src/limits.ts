/** What a document may be at most. */
export const LIMITS = {
  /** Without the modules. */
  documentBytes: 256 * 1024,
  /** Of the JSON as a whole, modules aside. */
  jsonDepth: 32,
  functions: 100,
  /** Of one function or handler, nested ones included. */
  steps: 200,
  /** Lists of steps inside each other, the outermost one included. */
  nesting: 4,
  templatePath: 16,
  modules: 20,
  /** Of all modules together, in UTF-8. */
  sourceBytes: 512 * 1024,
  sourceMapBytes: 1024 * 1024,
  /** Room for a document with its modules as JSON, where quotation marks and ends of lines take two. Whoever takes documents needs it. */
  bodyBytes: 4 * 1024 * 1024,
  /** In all objects together; a document of the largest size has less. */
  bodyKeys: 50_000,
  /** In all lists and objects together. */
  bodyValues: 100_000,
  webhooks: 100,
  schedules: 50,
  subscriptions: 100,
  emissions: 200,
  panels: 50,
  skeleton: 50,
  secrets: 50,
  settings: 100,
  /** That it declares. */
  hosts: 20,
  /** That it asks for where it declares some: those and the ones of its steps. */
  hostsAsked: 50,
  /** RFC 1035, section 2.3.4, and a port. */
  hostLength: 259,
  /** Different regular expressions in the JSON Schemas of a document. */
  patterns: 50,
  patternLength: 256,
  /** Instructions that a regular expression compiles to. */
  patternProgram: 2000,
  /** Subschemas of one JSON Schema, counted as often as they are referred to. */
  subschemas: 500,
  /** Of one JSON Schema in all its parts, and the names that it requires: to make a check of it takes time in proportion. */
  schemaKeywords: 3000,
  /** What one answer reports. */
  issues: 100,
} as const;
