import { Batcher } from './batcher.js';

/** Batches that end when the test says so. */
function heldBatches(maxItems: number, maxRunning?: number) {
  const begun: { items: number[]; end: (error?: Error) => void }[] = [];
  const batches = new Batcher<number, string>(
    (items) =>
      new Promise((resolve, reject) => {
        begun.push({ items, end: (error) => (error ? reject(error) : resolve(items.map((item) => `of ${item}`))) });
      }),
    { maxItems, ...(maxRunning && { maxRunning }) },
  );
  return { batches, begun, items: () => begun.map(({ items }) => items) };
}

/** Waits until the batches of this turn of the event loop have begun. */
const turn = () => new Promise(setImmediate);

describe('batches', () => {
  it('take what arrives in one turn; what arrives while one runs makes the next, in its order', async () => {
    const { batches, begun, items } = heldBatches(10);
    const early = [1, 2].map((item) => batches.addItem(item));
    await turn();
    expect(items()).toEqual([[1, 2]]);
    const late = [3, 4].map((item) => batches.addItem(item));
    await turn();
    late.push(batches.addItem(5));
    expect(items()).toEqual([[1, 2]]);
    begun[0]?.end();
    await expect(Promise.all(early)).resolves.toEqual(['of 1', 'of 2']);
    expect(items()).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    begun[1]?.end();
    await expect(Promise.all(late)).resolves.toEqual(['of 3', 'of 4', 'of 5']);
  });

  it('are no larger than allowed, and no more at the same time', async () => {
    const { batches, begun, items } = heldBatches(2, 2);
    const results = [1, 2, 3, 4, 5, 6, 7].map((item) => batches.addItem(item));
    await turn();
    expect(items()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    begun[0]?.end();
    await results[0];
    expect(items().slice(2)).toEqual([[5, 6]]);
    for (const { end } of begun) end();
    await results[5];
    begun[3]?.end();
    await expect(results[6]).resolves.toBe('of 7');
  });

  it('that fail fail for those in them alone', async () => {
    const { batches, begun } = heldBatches(1);
    const [first, second] = [batches.addItem(1), batches.addItem(2)];
    await turn();
    begun[0]?.end(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    begun[1]?.end();
    await expect(second).resolves.toBe('of 2');
  });
});
