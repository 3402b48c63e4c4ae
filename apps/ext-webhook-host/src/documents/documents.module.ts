import { Module, type DynamicModule } from '@nestjs/common';
import { AppDocumentsService } from './app-documents.service.js';

/** Compiled documents of app versions. */
@Module({})
export class DocumentsModule {
  static withKernel(kernel: DynamicModule): DynamicModule {
    return {
      module: DocumentsModule,
      imports: [kernel],
      providers: [AppDocumentsService],
      exports: [AppDocumentsService],
    };
  }
}
