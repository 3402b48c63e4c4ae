/**
 * `tiny` runs everything once with little data. That shows that it works; the numbers mean nothing.
 */
export type Size = 'full' | 'tiny';

/** Numbers of a measurement, which are smaller in a tiny run. */
export type Sizes<Numbers> = Readonly<Record<Size, Readonly<Numbers>>>;
