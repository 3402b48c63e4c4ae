/**
 * Of calls that the host works on at once, of users. Each keeps a connection to it until it is answered. What these call in turn the host
 * bounds itself, and `AbandonedCalls` what of that goes on without them.
 */
export const CALL_PLACES = { slots: 256, most: 1_000, perApp: 128, perAsker: 64, waitMs: 5_000, waiting: 1_000, mostWaiting: 2_000 };
