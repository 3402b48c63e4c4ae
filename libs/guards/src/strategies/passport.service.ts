import { Injectable } from '@nestjs/common';
import passport from 'passport';

/**
 * The Passport of one application. Passport's own instance is shared by all applications of a
 * process: the strategy that is registered last would answer for the others, with its own
 * credentials. Sessions are switched off.
 */
@Injectable()
export class PassportService extends passport.Passport {
  constructor() {
    super();
    this.unuse('session');
  }
}
