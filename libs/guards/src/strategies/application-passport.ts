import { Injectable } from '@nestjs/common';
import passport from 'passport';

/**
 * The Passport of one application. Passport's own instance is one for all applications of a process: the last to register a strategy would
 * answer for the others, by its own credentials. Here are no sessions.
 */
@Injectable()
export class ApplicationPassport extends passport.Passport {
  constructor() {
    super();
    this.unuse('session');
  }
}
