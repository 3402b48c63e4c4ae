import { AppError } from '@platform/platform';

export const NicknameErrors = {
  reserved: () => new AppError(400, 'nickname.reserved', 'This nickname is reserved. Choose another one.'),
  taken: () => new AppError(409, 'nickname.taken', 'This nickname is taken. Choose another one.'),
};
