/** `tiny`: everything once and as small as can be, which shows that it works, and says nothing about how fast it is. */
export type Size = 'full' | 'tiny';

/** Numbers of a measurement that are smaller where everything is tiny. */
export type Sizes<Numbers> = Readonly<Record<Size, Readonly<Numbers>>>;
