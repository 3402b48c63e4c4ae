import { setImmediate as nextTurn } from 'node:timers/promises';
import { collectGarbage, releaseGarbage } from './collect-garbage.js';

it('collects what nothing refers to, at once', async () => {
  const garbage = new WeakRef({});
  const kept = {};
  await nextTurn(); // until then a WeakRef itself keeps its object
  releaseGarbage();
  collectGarbage();
  expect(garbage.deref()).toBeUndefined();
  expect(kept).toEqual({});
});
