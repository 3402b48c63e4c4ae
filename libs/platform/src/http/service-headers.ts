/**
 * Headers, in lower case, that only trusted backends send: their credential, and the user for whom
 * they act. They are not forwarded to other programs.
 */
export const SERVICE_HEADERS = ['x-service-token', 'x-acting-user', 'x-acting-session'] as const;
