import { Module } from '@nestjs/common';
import { CasesUidController } from './cases-uid.controller.js';
import { CasesUidsService } from './cases-uids.service.js';
import { MeController } from './me.controller.js';
import { MySettingsController } from './my-settings.controller.js';
import { MySettingsService } from './my-settings.service.js';

/** Profile and settings of the signed-in user. */
@Module({
  controllers: [CasesUidController, MeController, MySettingsController],
  providers: [CasesUidsService, MySettingsService],
})
export class MeModule {}
