/** Page to return to after a payment for a plan. */
export const PLAN_BACK = '/subscription#plan';
