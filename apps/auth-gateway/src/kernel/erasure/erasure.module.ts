import { Global, Module } from '@nestjs/common';
import { Erasures } from './erasures.js';

@Global()
@Module({ providers: [Erasures], exports: [Erasures] })
export class ErasureModule {}
