import { SetMetadata, type CanActivate, type ExecutionContext, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApiQuery } from '@nestjs/swagger';
import type { Request } from 'express';
import { MAX_ISSUES, NOT_PERMITTED, ValidationFailed } from '../errors.js';
import { keysOf } from './instances.js';

type Handler = ReturnType<ExecutionContext['getHandler']>;

const REQUEST: number = RouteParamtypes.REQUEST;
const QUERY: number = RouteParamtypes.QUERY;
const UNKNOWN_KEYS = Symbol('UNKNOWN_QUERY_KEYS');
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
/** By which a list pages. */
const PAGING = ['limit', 'per_page'];
const TAKEN = Symbol('TAKEN_QUERY_KEYS');

/** A key of the query that a route takes beside those of its query class, for what reads it elsewhere. It is documented, and optional. */
export function TakesQueryKey(name: string, description: string): MethodDecorator {
  return (target, key, descriptor) => {
    const handler = descriptor.value as Handler;
    const before = (Reflect.getMetadata(TAKEN, handler) ?? []) as string[];
    Reflect.defineMetadata(TAKEN, [...before, name], handler);
    ApiQuery({ name, description, required: false, schema: { type: 'string' } })(target, key, descriptor);
  };
}

/** For a route whose clients send keys that it does not know, which it leaves unread. */
export const IgnoresUnknownQueryKeys = (): MethodDecorator => SetMetadata(UNKNOWN_KEYS, 'ignored');

/** For a list that does not page, or a route that is given the whole request: who sends what it does not take is told so. */
export const RefusesUnknownQueryKeys = (): MethodDecorator => SetMetadata(UNKNOWN_KEYS, 'refused');

/**
 * Refuses what a write or a list does not take in its query: a filter with a typing error would else list everything, and a tenant that
 * is not looked at would be taken for another. A GET is a list when its query class has `limit` or `per_page`; one that does not page
 * needs `@RefusesUnknownQueryKeys`. A route takes what its documentation lists: the keys of its query class, and those of
 * `@TakesQueryKey`. One that is given the whole request reads the query itself, unless it says so, and one that reads a single record ignores what it does
 * not know, such as the `?_=1` by which clients get past a cache.
 */
export class QueryGuard implements CanActivate {
  private readonly taken = new WeakMap<Handler, ReadonlySet<string> | 'any'>();

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (!request.url.includes('?')) return true;
    const taken = this.takenBy(context, READS.has(request.method));
    if (taken === 'any') return true;
    const unknown = Object.keys(request.query).filter((key) => !taken.has(key));
    if (unknown.length) throw new ValidationFailed(unknown.slice(0, MAX_ISSUES).map((key) => ({ loc: ['query', key], ...NOT_PERMITTED })));
    return true;
  }

  /** A handler has one method, or it ignores what it does not know. */
  private takenBy(context: ExecutionContext, isRead: boolean): ReadonlySet<string> | 'any' {
    const handler = context.getHandler();
    let taken = this.taken.get(handler);
    if (!taken) this.taken.set(handler, (taken = keysTaken(context.getClass(), handler, isRead)));
    return taken;
  }
}

function keysTaken(controller: Type, handler: Handler, isRead: boolean): ReadonlySet<string> | 'any' {
  const unknown = Reflect.getMetadata(UNKNOWN_KEYS, handler) as 'ignored' | 'refused' | undefined;
  if (unknown === 'ignored') return 'any';
  const routeArguments = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) ?? {}) as Record<string, Argument>;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler.name) ?? []) as Type[];
  const taken = new Set((Reflect.getMetadata(TAKEN, handler) ?? []) as string[]);
  for (const [name, { index, data }] of Object.entries(routeArguments)) {
    const kind = Number(name.split(':')[0]);
    if (kind === REQUEST && unknown !== 'refused') return 'any';
    if (kind !== QUERY) continue;
    if (data !== undefined) taken.add(data);
    else for (const key of keysOf(types[index] as Type).keys()) taken.add(key);
  }
  return isRead && unknown !== 'refused' && !PAGING.some((key) => taken.has(key)) ? 'any' : taken;
}

/** What Nest keeps of a parameter of a handler. */
interface Argument {
  index: number;
  /** Of `@Query('name')`, the name. */
  data?: string;
}
