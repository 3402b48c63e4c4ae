import { Module } from '@nestjs/common';
import { LiveKeyCheckService } from './live-key-check.service.js';

@Module({ providers: [LiveKeyCheckService] })
export class TestCreditsModule {}
