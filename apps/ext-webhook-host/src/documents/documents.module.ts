import { Module, type DynamicModule } from '@nestjs/common';
import { AppDocuments } from './app-documents.service.js';

/** The documents of versions of apps, ready to run. */
@Module({})
export class DocumentsModule {
  static register(kernel: DynamicModule): DynamicModule {
    return { module: DocumentsModule, imports: [kernel], providers: [AppDocuments], exports: [AppDocuments] };
  }
}
