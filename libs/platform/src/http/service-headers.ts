/**
 * Headers, in lower case, that only trusted backends send: their credential, and the user and
 * session for which they act. They are not forwarded to other programs.
 */
export const SERVICE_HEADERS = ['x-service-token', 'x-acting-user', 'x-acting-session'] as const;
