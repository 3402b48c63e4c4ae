import { AppError } from '@platform/platform';

export const RoleErrors = {
  notFound: () => new AppError(404, 'role.not_found', 'There is no such role.'),
  nameTaken: (name: string) => new AppError(409, 'conflict', `A role named "${name}" exists.`),
  inUse: () => new AppError(409, 'in_use', 'Users have this role. Give them another one first.'),
  systemProtected: () => new AppError(403, 'system_protected', 'This role belongs to the platform.'),
};
