import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type EntityManager, type Relation } from 'typeorm';
import { columns, type Row, type RowOf } from './columns.js';
import { TenantData } from './tenant-data.js';

@Entity('shelves')
class Shelf {
  @PrimaryColumn('text') id!: string;
}

@Entity('books')
class Book {
  @PrimaryColumn('text') bookId!: string;
  @Column('text') shelfId!: string;
  @ManyToOne(() => Shelf) @JoinColumn({ name: 'shelf_id' }) shelf?: Relation<Shelf>;
  @Column('bigint') soldCopies!: string;
  @Column('timestamptz', { nullable: true }) printedAt!: Date | null;
  @Column('jsonb') notes!: unknown;
  @Column('text', { name: 'title_of_book' }) title!: string;
  @Column('text', { transformer: { from: Number, to: String } }) pages!: number;
  unmapped!: string;
}

/** Compiles only if the types are the same. */
const sameType = <One, Other>(_same: [One, Other] extends [Other, One] ? true : never): void => undefined;

it('lists columns by their names in the database', () => {
  expect(columns(Book, ['bookId', 'soldCopies'])).toBe('book_id, sold_copies');
  expect(columns(Book, ['bookId AS id', 'printedAt'], 'b')).toBe('b.book_id AS id, b.printed_at');
});

it('knows the type of the rows', () => {
  const _selected = columns(Book, ['bookId AS id', 'soldCopies', 'printedAt', 'notes']);
  sameType<RowOf<typeof _selected>, { id: string; sold_copies: string; printed_at: Date | null; notes: unknown }>(true);
  sameType<Row<Book, 'shelfId'>, { shelf_id: string }>(true);
  sameType<
    keyof Row<Book>,
    'book_id' | 'shelf_id' | 'sold_copies' | 'printed_at' | 'notes' | 'title' | 'pages' | 'unmapped'
  >(true);
});

it('does not compile what is no column', () => {
  // @ts-expect-error: unknown property
  expect(() => columns(Book, ['author'])).toThrow('Book.author is no column');
  // @ts-expect-error: only the database uses this name
  expect(() => columns(Book, ['book_id'])).toThrow('Book.book_id is no column');
  // @ts-expect-error: a relation is no column
  expect(() => columns(Book, ['shelf'])).toThrow('Book.shelf is no column');
  // @ts-expect-error: unknown property, also with an alias
  expect(() => columns(Book, ['author AS id'])).toThrow('Book.author is no column');
});

it('fails for a property that the metadata does not know, or whose name or value the type would not tell', () => {
  expect(() => columns(Book, ['unmapped'])).toThrow('Book.unmapped is no column');
  expect(() => columns(Book, ['title'])).toThrow('Book.title has a name or a transformer of its own');
  expect(() => columns(Book, ['pages'])).toThrow('Book.pages has a name or a transformer of its own');
});

it('leaves it to the compiler that a statement names its tenant', () => {
  const tenant = new TenantData({ query: () => Promise.resolve([]) } as unknown as EntityManager, 'acme');
  const selected = columns(Book, ['bookId']);
  void tenant.query(`SELECT ${selected} FROM books WHERE tenant_id = $tenant`);
  // @ts-expect-error: the statement has no $tenant
  void tenant.query(`SELECT ${selected} FROM books`);
});
