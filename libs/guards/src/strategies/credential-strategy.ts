import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import passport from 'passport';
import type { Caller } from '../caller.js';
import type { PassportService } from './passport.service.js';

type Verify = (request: Request, options: object, done: (error: unknown, caller?: Caller | null) => void) => void;

/** Identifies the caller with `validate` of the strategy. */
class VerifyingStrategy extends passport.Strategy {
  constructor(
    readonly application: PassportService,
    private readonly verify: Verify,
  ) {
    super();
  }

  /**
   * Passes refusals to Passport as errors. From a failure (`fail()`) Passport keeps only a
   * challenge and a status, and then tries the next strategy.
   */
  override authenticate(request: Request, options: object): void {
    this.verify(request, options, (error, caller) => {
      if (caller) this.success(caller);
      else this.error(error);
    });
  }
}

/**
 * Base class of a strategy with this name, in its application's own Passport. Its `validate` gets
 * the request and the requirements of the route, and returns the caller, or throws the AppError
 * that refuses it.
 */
export function CredentialStrategy(name: string) {
  abstract class Registered extends PassportStrategy(VerifyingStrategy, name) {
    getPassportInstance(): PassportService {
      return this.application;
    }
  }
  return Registered;
}
