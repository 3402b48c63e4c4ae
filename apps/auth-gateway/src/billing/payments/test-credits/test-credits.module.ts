import { Module } from '@nestjs/common';
import { RealMoneyStartService } from './live-key-check.service.js';

@Module({ providers: [RealMoneyStartService] })
export class TestCreditsModule {}
