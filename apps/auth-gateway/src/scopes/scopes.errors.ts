import { AppError } from '@platform/platform';

export const ScopeErrors = {
  notFound: () => new AppError(404, 'scope.not_found', 'There is no such scope.'),
  nameTaken: (name: string) => new AppError(409, 'conflict', `A scope named "${name}" exists.`),
  inUse: () => new AppError(409, 'in_use', 'Roles or users hold this scope. Take it from them first.'),
  systemProtected: () => new AppError(403, 'system_protected', 'This scope belongs to the platform.'),
};
