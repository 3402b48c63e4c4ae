import { AppError } from '@platform/platform';

export const NicknameErrors = {
  reserved: () => new AppError(400, 'nickname.reserved', 'This nickname is reserved.'),
  taken: () => new AppError(409, 'nickname.taken', 'This nickname is taken.'),
};
