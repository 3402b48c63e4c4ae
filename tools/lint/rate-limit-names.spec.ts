import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = 'apps/auth-gateway/src';

async function names(): Promise<string[]> {
  const files = (await readdir(ROOT, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  const texts = await Promise.all(files.map((file) => readFile(join(ROOT, file), 'utf8')));
  return texts.flatMap((text) => [...text.matchAll(/\bpolicy\('([^']+)'/g)].map(([, name = '']) => name));
}

it('no two rate limits of the gateway have the same name: they would share their counters', async () => {
  const all = await names();
  expect(all).toContain('login-ip');
  expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
});
