import type { QueryRunner } from 'typeorm';

/** SQL that creates a part of a schema. A table can refer only to tables of its own or earlier parts. */
export interface SchemaPart {
  /** Functions that columns, checks or indexes use: created first, in this order. */
  before?: readonly string[];
  /** Tables with their constraints and indexes. */
  tables?: string;
  /** Created in this order, when all tables exist. */
  functions?: readonly string[];
  /** Created when all functions exist. */
  triggers?: string;
  /** Rows that the code expects: inserted last. */
  rows?: string;
}

/** Creates all of the parts in an empty schema. */
export async function createSchema(runner: QueryRunner, parts: readonly SchemaPart[]): Promise<void> {
  await createTables(runner, parts);
  await createFunctions(runner, parts);
}

/** Creates the tables, and the functions that they need. */
export async function createTables(runner: QueryRunner, parts: readonly SchemaPart[]): Promise<void> {
  for (const { before = [], tables } of parts) {
    for (const statement of before) await runner.query(statement);
    if (tables) await runner.query(tables);
  }
}

/** Creates functions, triggers and rows. All tables must exist. */
export async function createFunctions(runner: QueryRunner, parts: readonly SchemaPart[]): Promise<void> {
  for (const { functions = [] } of parts) for (const statement of functions) await runner.query(statement);
  for (const { triggers } of parts) if (triggers) await runner.query(triggers);
  for (const { rows } of parts) if (rows) await runner.query(rows);
}
