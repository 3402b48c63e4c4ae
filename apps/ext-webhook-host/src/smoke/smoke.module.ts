import { Module } from '@nestjs/common';
import { StepRuntime } from '../steps/step-runtime.js';
import { SmokeTestsController } from './smoke-tests.controller.js';
import { SmokeTests } from './smoke-tests.service.js';

@Module({ controllers: [SmokeTestsController], providers: [SmokeTests, StepRuntime] })
export class SmokeModule {}
