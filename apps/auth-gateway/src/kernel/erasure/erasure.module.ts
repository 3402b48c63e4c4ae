import { Module } from '@nestjs/common';
import { Erasures } from './erasures.js';

/** For the features that keep something of a user, and the one that erases them. */
@Module({ providers: [Erasures], exports: [Erasures] })
export class ErasureModule {}
