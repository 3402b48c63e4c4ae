import { Global, Module } from '@nestjs/common';
import { Erasures } from './account-deletion.service.js';

@Global()
@Module({ providers: [Erasures], exports: [Erasures] })
export class ErasureModule {}
