import { Inject, Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import { CONFIG, type Config } from '../config.js';

const NAME = 'panel_device';
/** Same period for which the gateway accepts the token. */
const MAX_AGE_SECONDS = 90 * 86_400;
const VALUE = /^[\w.-]{1,200}$/;

/**
 * Cookie with a token that shows the gateway that a user signed in from this browser before. It
 * outlives the session and cannot sign in.
 */
@Injectable()
export class DeviceCookieService {
  private readonly secure: boolean;
  private readonly name: string;

  constructor(@Inject(CONFIG) { PUBLIC_URL }: Config) {
    this.secure = PUBLIC_URL.startsWith('https:');
    this.name = this.secure ? `__Host-${NAME}` : NAME;
  }

  read(request: Request): string | null {
    const value = parseCookie(request.headers.cookie ?? '')[this.name];
    return value && VALUE.test(value) ? value : null;
  }

  /** `Set-Cookie` header that stores the token in the browser. */
  issue(token: string): string {
    return stringifySetCookie(this.name, token, {
      httpOnly: true,
      sameSite: 'strict',
      path: '/',
      secure: this.secure,
      maxAge: MAX_AGE_SECONDS,
    });
  }
}
