import { IsOptional } from 'class-validator';
import { IsText } from './validators.js';

/** Lets a backend name its acting user in the body instead of the header `X-Acting-User`. */
export class ActingUserBody {
  /** The caller, or the user on whose behalf a backend calls. Any other user is refused. */
  @IsOptional() @IsText(64) user_id?: string;
}
