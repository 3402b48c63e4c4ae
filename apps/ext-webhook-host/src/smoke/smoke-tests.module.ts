import { Module, type DynamicModule } from '@nestjs/common';
import { SmokeTestsController } from './smoke-tests.controller.js';
import { SmokeTestsService } from './smoke-tests.service.js';

@Module({})
export class SmokeTestsModule {
  static withRuntimes(runtimes: DynamicModule): DynamicModule {
    return {
      module: SmokeTestsModule,
      imports: [runtimes],
      controllers: [SmokeTestsController],
      providers: [SmokeTestsService],
    };
  }
}
