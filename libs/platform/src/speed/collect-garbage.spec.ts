import { setImmediate as nextTurn } from 'node:timers/promises';
import { collectGarbage, releaseGarbage } from './collect-garbage.js';

it('collects what nothing refers to, at once', async () => {
  const garbage = new WeakRef({});
  const kept = {};
  await nextTurn(); // until then a WeakRef keeps its object alive
  releaseGarbage();
  collectGarbage();
  expect(garbage.deref()).toBeUndefined();
  expect(kept).toEqual({});
});
