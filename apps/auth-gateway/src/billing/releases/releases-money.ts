import { applyDecorators, Inject, Injectable, SetMetadata, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { userOf, type UserCaller } from '@platform/guards';
import type { Request } from 'express';
import { CONFIG, type Config } from '../../config.js';
import { MoneyReleaseErrors } from './money-release.errors.js';
import { panelUrl, type PanelPage } from './panel-pages.js';

const PAGE = Symbol('PAGE_OF_RELEASE');

/**
 * Who may begin a payment of a user, or change what is paid without them: the user as a person, and a trusted backend in whose pages they are. Not a program that has
 * their credential: an API key, an app, or the session of a command line, whose tokens are in a file. Who begins a payment gets its `client_secret`, by which a saved
 * card can pay it without anybody.
 */
const isProgram = ({ apiKeyId, keyScopes, throughApp, isTerminal }: UserCaller): boolean =>
  apiKeyId !== undefined || keyScopes !== undefined || throughApp !== undefined || isTerminal === true;

/** Comes after the guard of `@Access`, which says who calls. */
@Injectable()
export class MoneyReleaseGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const { caller } = context.switchToHttp().getRequest<Request>();
    const user = caller && userOf(caller);
    if (!user) throw new Error('@ReleasesMoney on a route that admits callers without a user');
    const page = this.reflector.get<PanelPage>(PAGE, context.getHandler());
    if (isProgram(user)) throw MoneyReleaseErrors.denied(panelUrl(this.config.PANEL_URL, page));
    return true;
  }
}

/** A route that moves money, or lets it be moved without the user: 403 `money.release_denied` for programs, with the page of the panel on which the user does it. */
export const ReleasesMoney = (page: PanelPage): MethodDecorator => applyDecorators(SetMetadata(PAGE, page), UseGuards(MoneyReleaseGuard));
