import { Body, Controller, Param, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SetCasesUidRequest, SetCasesUidResponse } from '@platform/contracts';
import { Access } from '@platform/guards';
import { CasesUidsService } from './cases-uids.service.js';

@ApiTags('Auth')
@Controller('v1/auth/users')
export class CasesUidController {
  constructor(private readonly casesUids: CasesUidsService) {}

  /**
   * Stores the id that the user has in the Cases API, a service outside of the platform. The panel
   * calls it at the first login of a user. 404 `user.not_found` if the user does not exist.
   */
  @Patch(':platform_id/cases-uid')
  @Access('service', { permission: 'panel-sign-in' })
  setCasesUid(
    @Param('platform_id') userId: string,
    @Body() { cases_user_id }: SetCasesUidRequest,
  ): Promise<SetCasesUidResponse> {
    return this.casesUids.setCasesUid(userId, Number(cases_user_id));
  }
}
