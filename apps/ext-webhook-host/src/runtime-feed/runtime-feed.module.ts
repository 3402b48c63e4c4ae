import { Module, type DynamicModule } from '@nestjs/common';
import { RuntimeFeed } from './runtime-feed.js';

/** Follows the running versions of apps. */
@Module({})
export class RuntimeFeedModule {
  /** `features`: the modules that run apps, and those that change with their versions. */
  static register(...features: DynamicModule[]): DynamicModule {
    return { module: RuntimeFeedModule, imports: features, providers: [RuntimeFeed] };
  }
}
