import { AppError } from '@platform/platform';

export const PermissionErrors = {
  privilegeEscalation: (scopes: readonly string[]) =>
    new AppError(403, 'privilege_escalation', `You do not hold ${scopes.slice(0, 10).join(', ')} yourself.`),
  adminOnly: () => new AppError(403, 'privilege_escalation', 'Only an administrator gives or takes the role of one.'),
  lastAdministrator: () =>
    new AppError(
      409,
      'user.last_administrator',
      'Nobody would be left who is an administrator and holds everything. Make somebody else one first.',
    ),
};
