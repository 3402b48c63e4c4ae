import { Module, type DynamicModule } from '@nestjs/common';
import { SmokeTestsController } from './smoke-tests.controller.js';
import { SmokeTests } from './smoke-tests.service.js';

@Module({})
export class SmokeModule {
  static register(runtimes: DynamicModule): DynamicModule {
    return { module: SmokeModule, imports: [runtimes], controllers: [SmokeTestsController], providers: [SmokeTests] };
  }
}
