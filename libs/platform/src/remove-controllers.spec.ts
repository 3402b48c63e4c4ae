import { Controller, forwardRef, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { removeControllers } from './remove-controllers.js';

@Controller()
class FirstController {}
@Controller()
class SecondController {}
@Controller()
class ThirdController {}
@Injectable()
class JobsOnlyService {}

@Module({ controllers: [FirstController], imports: [forwardRef(() => RootModule)] })
class LeafModule {}
@Module({ controllers: [SecondController], providers: [JobsOnlyService] })
class DynamicParentModule {}
@Module({ imports: [forwardRef(() => LeafModule)] })
class RootModule {}

const root = () => ({
  module: RootModule,
  imports: [{ module: DynamicParentModule, controllers: [ThirdController], imports: [LeafModule] }],
});

const created = async (module: ReturnType<typeof root>) => {
  const app = await NestFactory.createApplicationContext(module, { logger: false });
  const has = (type: new () => object) => {
    try {
      return app.get(type, { strict: false }) instanceof type;
    } catch {
      return false;
    }
  };
  const found = [FirstController, SecondController, ThirdController, JobsOnlyService].map(has);
  await app.close();
  return found;
};

it('leaves the providers of all modules, and no controller', async () => {
  expect(await created(root())).toEqual([true, true, true, true]);
  const module = root();
  removeControllers(module);
  expect(await created(module)).toEqual([false, false, false, true]);
});
