import { Inject, Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import { CONFIG, type Config } from '../config.js';
import { ABSOLUTE_SECONDS } from './session-store.js';

const NAME = 'panel_session';
/** 256 bits as base64url. */
const VALUE = /^[\w-]{43}$/;

/**
 * Cookie that identifies a session. Scripts cannot read it, and browsers send it only from the
 * panel's own pages and from links to them.
 */
@Injectable()
export class SessionCookieService {
  private readonly secure: boolean;
  private readonly name: string;

  constructor(@Inject(CONFIG) { PUBLIC_URL }: Config) {
    this.secure = PUBLIC_URL.startsWith('https:');
    // With this prefix browsers refuse the cookie from other hosts and over plain HTTP (RFC 6265bis
    // section 4.1.3.2).
    this.name = this.secure ? `__Host-${NAME}` : NAME;
  }

  read(request: Request): string | null {
    const value = parseCookie(request.headers.cookie ?? '')[this.name];
    return value && VALUE.test(value) ? value : null;
  }

  /** `Set-Cookie` header that stores `value` in the browser. */
  issue(value: string): string {
    return this.header(value, ABSOLUTE_SECONDS);
  }

  /** `Set-Cookie` header that deletes the cookie. */
  clear(): string {
    return this.header('', 0);
  }

  private header(value: string, maxAge: number): string {
    return stringifySetCookie(this.name, value, {
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      secure: this.secure,
      maxAge,
    });
  }
}
