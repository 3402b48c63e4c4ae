import { Module, type DynamicModule } from '@nestjs/common';
import { RuntimeFeed } from './runtime-feed.js';

/** Follows what runs. */
@Module({})
export class RuntimeFeedModule {
  /** `features`: what runs apps, and what changes with their versions. */
  static register(...features: DynamicModule[]): DynamicModule {
    return { module: RuntimeFeedModule, imports: features, providers: [RuntimeFeed] };
  }
}
