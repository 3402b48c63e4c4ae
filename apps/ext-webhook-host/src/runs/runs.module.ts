import { Module } from '@nestjs/common';
import { AppDocuments } from '../deployed/app-documents.service.js';
import { DeployedApps } from '../deployed/deployed-apps.service.js';
import { Runs } from './runs.service.js';

const parts = [Runs, DeployedApps, AppDocuments].map((provide) => ({ provide, useValue: {} }));

@Module({ providers: parts, exports: parts })
export class RunsModule {}
