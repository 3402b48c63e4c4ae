import { AppError } from '@platform/platform';

export const RoleErrors = {
  notFound: () => new AppError(404, 'role.not_found', 'There is no such role.'),
  nameTaken: (name: string) =>
    new AppError(409, 'role.name_taken', `A role named "${name}" exists already. Choose another name.`),
  inUse: () => new AppError(409, 'role.in_use', 'Users have this role. Assign another role to them first.'),
  systemProtected: () =>
    new AppError(
      403,
      'role.system',
      'This role belongs to the platform. It cannot be deleted, and the scopes of the administrator role cannot be changed.',
    ),
};
