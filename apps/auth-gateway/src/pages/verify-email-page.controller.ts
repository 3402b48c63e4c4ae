import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Access } from '@platform/guards';
import { verifyEmailPage } from './verify-email-page.js';

@ApiExcludeController()
@Controller('verify-email')
export class VerifyEmailPageController {
  @Get()
  @Access('public')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', verifyEmailPage.contentSecurityPolicy)
  page(): string {
    return verifyEmailPage.html;
  }
}
