import { Module, type DynamicModule } from '@nestjs/common';
import { RuntimeFeedWorker } from './runtime-feed.worker.js';

/** Follows the running versions of apps. */
@Module({})
export class RuntimeFeedModule {
  /**
   * Registers the module. `features` are the modules that run apps, and those that change with
   * their versions.
   */
  static withFeatures(...features: DynamicModule[]): DynamicModule {
    return { module: RuntimeFeedModule, imports: features, providers: [RuntimeFeedWorker] };
  }
}
