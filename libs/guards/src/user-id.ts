const MAX_USER_ID_LENGTH = 64;

/** True if the value has the form of a user id: at most 64 letters, digits, `_` and `-`. */
export const isUserId = (id: unknown): id is string =>
  typeof id === 'string' && id.length <= MAX_USER_ID_LENGTH && /^[\w-]+$/.test(id);
