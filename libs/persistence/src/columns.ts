import { getMetadataArgsStorage } from 'typeorm';
import { SnakeCaseNaming } from './naming-strategy.js';

type SnakeCase<Name extends string, Before extends string = ''> = Name extends `${infer First}${infer Rest}`
  ? SnakeCase<Rest, `${Before}${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}`>
  : Before;

/**
 * Properties of an entity that are columns. Relations are optional properties, columns never are.
 */
type ColumnOf<Entity> = {
  [Name in keyof Entity & string]-?: Partial<Pick<Entity, Name>> extends Pick<Entity, Name> ? never : Name;
}[keyof Entity & string];

/** A column by its property, or `property AS name`. */
type Selectable<Entity> = ColumnOf<Entity> | `${ColumnOf<Entity>} AS ${string}`;

type PropertyOf<Selected> = Selected extends `${infer Property} AS ${string}` ? Property : Selected;
type NameOf<Selected> = Selected extends `${string} AS ${infer Name}`
  ? Name
  : Selected extends string
    ? SnakeCase<Selected>
    : never;

/**
 * A row as pg returns it: some or all columns of an entity's table, by their names in the database.
 * The values have the types that the entity declares, because entities have no transformers:
 * `bigint` is text, `timestamptz` is a Date, `jsonb` is parsed.
 */
export type Row<Entity, Selected extends Selectable<Entity> = ColumnOf<Entity>> = {
  [One in Selected as NameOf<One>]: Entity[PropertyOf<One> & keyof Entity];
};

declare const ROW: unique symbol;

/** A list of columns for a statement. It carries the type of its rows (`RowOf`). */
export type Columns<OfRow> = string & { readonly [ROW]: OfRow };

/** The row that a list of columns selects: `RowOf<typeof COLUMNS>`. */
export type RowOf<Selected> = Selected extends Columns<infer OfRow> ? OfRow : never;

/** A row that a LEFT JOIN may not find: each of its columns can be null. */
export type OrNull<OfRow> = { [Column in keyof OfRow]: OfRow[Column] | null };

/**
 * Converts the text of a `bigint`, as pg returns it, into a number. Null stays null. It does not
 * check that a JavaScript number can hold the value exactly.
 */
export const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));

const naming = new SnakeCaseNaming();

/**
 * SQL for some columns of an entity's table, for SELECT and RETURNING, by the names of the entity's
 * properties: `columns(User, ['email', 'id AS user_id'], 'u')` is `u.email, u.id AS user_id`. A
 * name that is not a column of the entity does not compile.
 *
 * Limits: a getter or a method of the entity compiles, and throws when the module is loaded. So
 * does a column of a base class. INSERT accepts only a list without an alias and without `AS`.
 * Nothing checks that the statement selects this list: `query<RowOf<typeof A>[]>` with the columns
 * of `B` compiles.
 *
 * @param alias name of the table in the statement.
 * @throws Error for a property that the entity's metadata does not contain, or that has its own
 * column name or a transformer.
 */
export function columns<Entity extends object, const Selected extends Selectable<Entity>>(
  entity: new () => Entity,
  selected: readonly Selected[],
  alias?: string,
): Columns<Row<Entity, Selected>> {
  const known = new Map(
    getMetadataArgsStorage().columns.flatMap((column) =>
      column.target === entity ? [[column.propertyName, column]] : [],
    ),
  );
  const list = selected.map((one) => {
    const [property = '', name] = one.split(' AS ');
    const column = known.get(property);
    if (!column) throw new Error(`${entity.name}.${property} is no column`);
    const inDatabase = naming.columnName(property, '', []);
    const { name: ownName = inDatabase, transformer } = column.options;
    if (ownName !== inDatabase || transformer)
      throw new Error(`${entity.name}.${property} has a name or a transformer of its own`);
    return `${alias ? `${alias}.` : ''}${inDatabase}${name ? ` AS ${name}` : ''}`;
  });
  return list.join(', ') as Columns<Row<Entity, Selected>>;
}
