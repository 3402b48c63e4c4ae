import { Module } from '@nestjs/common';
import { AdminDevelopersController } from './admin-developers.controller.js';
import { DeveloperTiers } from './developer-tiers.service.js';
import { DevelopersController } from './developers.controller.js';
import { Developers } from './developers.service.js';

/** Who makes apps. */
@Module({ controllers: [AdminDevelopersController, DevelopersController], providers: [DeveloperTiers, Developers], exports: [Developers] })
export class DevelopersModule {}
