import { ActingUserBody } from './acting-user-body.dto.js';
import { IsPattern, NICKNAME } from './validators.js';

export class NicknameBody extends ActingUserBody {
  /** Nickname: 3 to 30 characters of a-z, 0-9, `_` and `-`. */
  @IsPattern(NICKNAME, { minLength: 3, maxLength: 30, example: 'ada-lovelace' }) nickname!: string;
}

export class NicknameResponse {
  /** Nickname of the user; null if there is none. */
  nickname!: string | null;
}
