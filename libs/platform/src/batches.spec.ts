import { Batches } from './batches.js';

/** Batches that end when the test says so. */
function heldBatches(maxItems: number, maxRunning?: number) {
  const begun: { items: number[]; end: (error?: Error) => void }[] = [];
  const batches = new Batches<number, string>(
    (items) =>
      new Promise((resolve, reject) => {
        begun.push({ items, end: (error) => (error ? reject(error) : resolve(items.map((item) => `of ${item}`))) });
      }),
    { maxItems, ...(maxRunning && { maxRunning }) },
  );
  return { batches, begun, items: () => begun.map(({ items }) => items) };
}

describe('batches', () => {
  it('start at once when nothing runs; what arrives meanwhile makes the next, in its order', async () => {
    const { batches, begun, items } = heldBatches(10);
    const results = [1, 2, 3].map((item) => batches.add(item));
    expect(items()).toEqual([[1]]);
    begun[0]?.end();
    await expect(results[0]).resolves.toBe('of 1');
    expect(items()).toEqual([[1], [2, 3]]);
    begun[1]?.end();
    await expect(Promise.all(results)).resolves.toEqual(['of 1', 'of 2', 'of 3']);
  });

  it('are no larger than allowed, and no more at the same time', async () => {
    const { batches, begun, items } = heldBatches(2, 2);
    const results = [1, 2, 3, 4, 5].map((item) => batches.add(item));
    expect(items()).toEqual([[1], [2]]);
    begun[0]?.end();
    await results[0];
    expect(items()).toEqual([[1], [2], [3, 4]]);
    for (const { end } of begun) end();
    await results[3];
    begun[3]?.end();
    await expect(results[4]).resolves.toBe('of 5');
  });

  it('that fail fail for those in them alone', async () => {
    const { batches, begun } = heldBatches(1);
    const [first, second] = [batches.add(1), batches.add(2)];
    begun[0]?.end(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    begun[1]?.end();
    await expect(second).resolves.toBe('of 2');
  });
});
