import { Module } from '@nestjs/common';
import { AgenciesController } from './agencies.controller.js';
import { Agencies } from './agencies.service.js';
import { AgencySettingsChanges } from './agency-settings.service.js';
import { AgencyThemes } from './agency-themes.service.js';

/** The parts of a tenant that have a name, settings and a look of their own. */
@Module({ controllers: [AgenciesController], providers: [Agencies, AgencySettingsChanges, AgencyThemes] })
export class AgenciesModule {}
