/** What only trusted backends say, in lower case: who they are, and for whom they act. It is passed on to nobody else. */
export const SERVICE_HEADERS = ['x-service-token', 'x-acting-user', 'x-acting-session'] as const;
