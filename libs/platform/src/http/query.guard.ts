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
/** Query keys of a list that has pages. */
const PAGING = ['limit', 'per_page'];
const TAKEN = Symbol('TAKEN_QUERY_KEYS');

/**
 * Declares an optional query key that a route reads outside of its query class. The documentation
 * of the route lists it.
 */
export function AcceptsQueryKey(name: string, description: string): MethodDecorator {
  return (target, key, descriptor) => {
    const handler = descriptor.value as Handler;
    const before = (Reflect.getMetadata(TAKEN, handler) ?? []) as string[];
    Reflect.defineMetadata(TAKEN, [...before, name], handler);
    ApiQuery({ name, description, required: false, schema: { type: 'string' } })(target, key, descriptor);
  };
}

/** Makes a route ignore unknown query keys, for clients that add keys of their own. */
export const IgnoresUnknownQueryKeys = (): MethodDecorator => SetMetadata(UNKNOWN_KEYS, 'ignored');

/**
 * Makes a route refuse unknown query keys: a list without pages, or a route that takes the whole
 * request.
 */
export const RefusesUnknownQueryKeys = (): MethodDecorator => SetMetadata(UNKNOWN_KEYS, 'refused');

/**
 * Refuses unknown query keys of writes and lists: otherwise a filter with a typing error would list
 * everything, and an ignored tenant key would select the wrong tenant. The known keys are those of
 * the query class and of `@TakesQueryKey`, as the documentation lists them. A GET is a list if its
 * query class has `limit` or `per_page`; a list without pages needs `@RefusesUnknownQueryKeys`. Any
 * other read ignores unknown keys, such as the `?_=1` with which clients avoid caches. A route that
 * takes the whole request reads the query itself, and is not checked unless it has
 * `@RefusesUnknownQueryKeys`.
 *
 * @throws ValidationFailed (422) that lists the unknown keys, at most 50.
 */
export class QueryGuard implements CanActivate {
  private readonly taken = new WeakMap<Handler, ReadonlySet<string> | 'any'>();

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (!request.url.includes('?')) return true;
    const taken = this.takenBy(context, READS.has(request.method));
    if (taken === 'any') return true;
    const unknown = Object.keys(request.query).filter((key) => !taken.has(key));
    if (unknown.length)
      throw new ValidationFailed(
        unknown.slice(0, MAX_ISSUES).map((key) => ({ loc: ['query', key], ...NOT_PERMITTED })),
      );
    return true;
  }

  /**
   * Query keys that a route takes; `any` if it ignores unknown keys. They are cached for each
   * handler: a handler has one method, or ignores unknown keys.
   */
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
  const routeArguments = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) ?? {}) as Record<
    string,
    Argument
  >;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler.name) ??
    []) as Type[];
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

/** Metadata of Nest for a parameter of a handler. */
interface Argument {
  index: number;
  /** The name in `@Query('name')`. */
  data?: string;
}
