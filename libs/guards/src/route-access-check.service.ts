import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ACCESS, missingAccessTerm, type RouteAccess } from './access.js';

const PATH = 'path';
const METHOD = 'method';

/**
 * Stops the start of a service with a route that lacks its access rule, a scope for API keys, a
 * permission for backends, or the term `money`.
 */
@Injectable()
export class RouteAccessCheckService implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    const open = new Map<string, string[]>();
    for (const { metatype } of this.discovery.getControllers()) {
      if (!metatype) continue;
      const prototype = metatype.prototype as Record<string, object>;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const handler = prototype[name] as () => unknown;
        const isRoute = Reflect.hasMetadata(PATH, handler) && Reflect.hasMetadata(METHOD, handler);
        if (!isRoute) continue;
        const lack = missingAccessTerm(
          this.reflector.getAllAndOverride<RouteAccess | undefined>(ACCESS, [handler, metatype]),
          handler,
        );
        if (lack) open.set(lack, [...(open.get(lack) ?? []), `${metatype.name}.${name}`]);
      }
    }
    if (open.size)
      throw new Error([...open].map(([lack, routes]) => `Routes without ${lack}: ${routes.join(', ')}`).join('\n'));
  }
}
