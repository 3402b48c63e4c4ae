import { IsOptional } from 'class-validator';
import { IsText } from './validators.js';

/** For trusted backends that name the user whom they act for in the body instead of in `X-Acting-User`. */
export class OfUser {
  /** The user who calls, or for whom a trusted backend does; anybody else is refused. */
  @IsOptional() @IsText(64) user_id?: string;
}
