import { Inject, Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import { CONFIG, type Config } from '../config.js';
import { ABSOLUTE_SECONDS } from './session-store.js';

const NAME = 'panel_session';
/** 256 bits as base64url. */
const VALUE = /^[\w-]{43}$/;

/** The cookie that stands for a session: out of reach for scripts, and sent along only by the panel's own pages and by links to them. */
@Injectable()
export class SessionCookie {
  private readonly secure: boolean;
  private readonly name: string;

  constructor(@Inject(CONFIG) { PUBLIC_URL }: Config) {
    this.secure = PUBLIC_URL.startsWith('https:');
    // With this prefix browsers refuse the cookie from other hosts and from plain HTTP (RFC 6265bis section 4.1.3.2).
    this.name = this.secure ? `__Host-${NAME}` : NAME;
  }

  read(request: Request): string | null {
    const value = parseCookie(request.headers.cookie ?? '')[this.name];
    return value && VALUE.test(value) ? value : null;
  }

  /** The `Set-Cookie` header that gives `value` to the browser. */
  issue(value: string): string {
    return this.header(value, ABSOLUTE_SECONDS);
  }

  /** The `Set-Cookie` header that takes it away. */
  clear(): string {
    return this.header('', 0);
  }

  private header(value: string, maxAge: number): string {
    return stringifySetCookie(this.name, value, { httpOnly: true, sameSite: 'lax', path: '/', secure: this.secure, maxAge });
  }
}
