import { Module } from '@nestjs/common';
import { AgenciesController } from './agencies.controller.js';
import { AgenciesService } from './agencies.service.js';
import { AgencySettingsService } from './agency-settings.service.js';
import { AgencyThemesService } from './agency-themes.service.js';

/** Agencies: parts of a tenant with their own name, settings and theme. */
@Module({ controllers: [AgenciesController], providers: [AgenciesService, AgencySettingsService, AgencyThemesService] })
export class AgenciesModule {}
