import { Global, Module } from '@nestjs/common';
import { Erasures } from './erasures.js';

/** Gives every feature the `Erasures`. */
@Global()
@Module({ providers: [Erasures], exports: [Erasures] })
export class ErasureModule {}
