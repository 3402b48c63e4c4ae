import { Module } from '@nestjs/common';
import { RealMoneyStartService } from './real-money-start.service.js';

@Module({ providers: [RealMoneyStartService] })
export class TestCreditsModule {}
