import { requireDatabase, withoutPassword } from './database-url.js';

it.each(['nonsense', 'mysql://a:b@host/c', 'postgres://host', 'postgres://a:b@host', 'postgres://%zz:b@host/c'])(
  'refuses the address %s',
  async (url) => {
    await expect(requireDatabase(url)).rejects.toThrow('DATABASE_URL is not a PostgreSQL address.');
  },
);

it('says that nothing listens there', async () => {
  const port = 9; // no system assigns it
  const message = `DATABASE_URL cannot be used: nothing listens at 127.0.0.1:${port}.`;
  await expect(requireDatabase(`postgres://a:secret@127.0.0.1:${port}/c`)).rejects.toThrow(message);
});

it('shows an address without its password', () => {
  expect(withoutPassword('postgres://user:secret@host:5432/name')).toBe('postgres://user@host:5432/name');
});
