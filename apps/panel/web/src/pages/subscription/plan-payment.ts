/** Where one comes back to after paying for a plan. */
export const PLAN_BACK = '/subscription#plan';
