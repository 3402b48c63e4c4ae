/**
 * Options that bound an `LRUCache` to `count` entries without reserving memory for them. The option
 * `max` reserves it when the cache is created: 3 to 4 MB for 100,000 entries. A full cache takes a
 * fifth more memory than with `max`, and returns none. For caches of up to 1,000 entries use `max`.
 */
export const maxEntries = (count: number) => ({ maxSize: count, sizeCalculation: () => 1 });
