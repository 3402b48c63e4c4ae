import { OfUser } from './of-user.dto.js';
import { IsPattern, NICKNAME } from './validators.js';

export class NicknameBody extends OfUser {
  @IsPattern(NICKNAME, { minLength: 3, maxLength: 30, example: 'ada-lovelace' }) nickname!: string;
}

export class NicknameResponse {
  /** Null while the user has none. */
  nickname!: string | null;
}
