/** Maximum number of credits in one change of a wallet. */
export const MAX_CREDITS = 1_000_000_000_000;

export const CREDITS_PER_CENT = 10;
