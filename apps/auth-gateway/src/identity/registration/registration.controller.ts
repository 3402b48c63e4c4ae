import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RegisterRequest, TokenResponse } from '@platform/contracts';
import { Access } from '@platform/guards';
import { CurrentClient, type Client } from '../sessions/client.js';
import { RegistrationService } from './registration.service.js';

@ApiTags('Auth')
@Controller('v1/auth')
export class RegistrationController {
  constructor(private readonly registrations: RegistrationService) {}

  /**
   * Creates a user for a backend, without a confirmation mail, and signs them in. 403
   * `auth_method_not_allowed` if the tenant does not allow passwords, 409 `user.email_taken` if a
   * user of the tenant has the address, 409 `tenant.deleted` if the tenant is deactivated, 422 for
   * a weak password or an unknown tenant.
   */
  @Post('register')
  @Access('service', { permission: 'accounts' })
  register(@Body() request: RegisterRequest, @CurrentClient() client: Client): Promise<TokenResponse> {
    return this.registrations.registerUser(request, client);
  }
}
