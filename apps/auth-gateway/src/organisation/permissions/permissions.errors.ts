import { AppError } from '@platform/platform';

export const PermissionErrors = {
  privilegeEscalation: (scopes: readonly string[]) =>
    new AppError(
      403,
      'privilege_escalation',
      `You can only grant or revoke scopes that you hold. You do not hold ${scopes.slice(0, 10).join(', ')} yourself.`,
    ),
  adminOnly: () =>
    new AppError(403, 'privilege_escalation', 'Only an administrator can assign or remove the administrator role.'),
  lastAdministrator: () =>
    new AppError(
      409,
      'user.last_administrator',
      'The tenant needs at least one active administrator without denied scopes. Make another user an administrator first.',
    ),
};
