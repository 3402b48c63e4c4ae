import { Module } from '@nestjs/common';
import { UserExtensionsModule } from '../../extensions/user-extensions/user-extensions.module.js';
import { ReviewsController } from './reviews.controller.js';
import { ReviewsService } from './reviews.service.js';

/** Reviews of apps by their users. */
@Module({ imports: [UserExtensionsModule], controllers: [ReviewsController], providers: [ReviewsService] })
export class ReviewsModule {}
