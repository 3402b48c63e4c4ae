import { Module } from '@nestjs/common';
import { AgenciesController } from './agencies.controller.js';
import { Agencies } from './agencies.service.js';
import { AgencySettingsChanges } from './agency-settings.service.js';
import { AgencyThemes } from './agency-themes.service.js';

/** Agencies: parts of a tenant with their own name, settings and theme. */
@Module({ controllers: [AgenciesController], providers: [Agencies, AgencySettingsChanges, AgencyThemes] })
export class AgenciesModule {}
