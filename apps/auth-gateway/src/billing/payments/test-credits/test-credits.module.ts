import { Module } from '@nestjs/common';
import { RealMoneyStartService } from './real-money-start.service.js';

/** Keeps credits of test payments out of real earnings. */
@Module({ providers: [RealMoneyStartService] })
export class TestCreditsModule {}
