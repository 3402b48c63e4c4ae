import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from './version.js';

it('is the version of the package', () => {
  const { version } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')) as { version: string };
  expect(VERSION).toBe(version);
});
