const MAX_USER_ID_LENGTH = 64;

/** Whether a request may name a user by it. */
export const isUserId = (id: unknown): id is string => typeof id === 'string' && id.length <= MAX_USER_ID_LENGTH && /^[\w-]+$/.test(id);
