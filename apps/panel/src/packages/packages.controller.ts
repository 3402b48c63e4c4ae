import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { Access } from '@platform/guards';
import type { Request, Response } from 'express';
import { PackageDownloadsService } from './package-downloads.service.js';

/** The command line, the SDK and the clients of this platform, for npm. */
@Controller('packages')
export class PackagesController {
  constructor(private readonly downloads: PackageDownloadsService) {}

  @Get('index.json')
  @Access('public')
  index(@Res() response: Response): void {
    this.downloads.index(response);
  }

  @Get(':file')
  @Access('public')
  download(@Param('file') file: string, @Req() request: Request, @Res() response: Response): void {
    this.downloads.send(file, request, response);
  }

  /**
   * npm metadata of a package with a scope in its name. npm can also send the slash in the name as
   * `%2f`.
   */
  @Get(':scope/:name')
  @Access('public')
  describe(@Param('scope') scope: string, @Param('name') name: string, @Res() response: Response): void {
    this.downloads.describe(`${scope}/${name}`, response);
  }
}
