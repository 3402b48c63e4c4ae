import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ACCESS } from './access.js';

const PATH = 'path';
const METHOD = 'method';

/** Refuses to boot while a route says nothing about who may call it. */
@Injectable()
export class AccessSweep implements OnModuleInit {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
    @Inject(Reflector) private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    const open: string[] = [];
    for (const { metatype } of this.discovery.getControllers()) {
      if (!metatype) continue;
      const prototype = metatype.prototype as Record<string, object>;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const handler = prototype[name] as () => unknown;
        const isRoute = Reflect.hasMetadata(PATH, handler) && Reflect.hasMetadata(METHOD, handler);
        if (isRoute && !this.reflector.getAllAndOverride(ACCESS, [handler, metatype])) open.push(`${metatype.name}.${name}`);
      }
    }
    if (open.length) throw new Error(`Routes without @Access: ${open.join(', ')}`);
  }
}
