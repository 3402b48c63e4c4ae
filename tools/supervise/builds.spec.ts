import { until } from '@platform/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { followBuilds } from './builds.js';

const LOOK_MS = 10;

let folder: string;
let stamp: string;
let stop: AbortController;
let updates: number;
let following: Promise<void>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'builds-'));
  stamp = join(folder, '.build');
  stop = new AbortController();
  updates = 0;
  build('1');
  const update = () => {
    updates++;
    return Promise.resolve();
  };
  following = followBuilds(stamp, stop.signal, update, LOOK_MS);
});
afterEach(async () => {
  stop.abort();
  await following;
  rmSync(folder, { recursive: true });
});

const build = (version: string) => writeFileSync(stamp, version);
/** Waits for more checks than a build must stay unchanged. */
const later = async () => {
  const began = performance.now();
  await until(() => performance.now() - began > 8 * LOOK_MS);
};

it('says once that there is another build', async () => {
  build('2');
  await until(() => updates === 1);
  await later();
  expect(updates).toBe(1);
  build('3');
  await until(() => updates === 2);
});

it('says nothing of one that is the same, or not there yet', async () => {
  build('1');
  await later();
  rmSync(stamp);
  await later();
  expect(updates).toBe(0);
  build('2');
  await until(() => updates === 1);
});

it('ends when it is told to', async () => {
  stop.abort();
  await following;
  build('2');
  await later();
  expect(updates).toBe(0);
});
