import react from '@vitejs/plugin-react';
import { join } from 'node:path';
import { defineConfig } from 'vite';

const root = import.meta.dirname;
const workspace = join(root, '..', '..', '..');

export default defineConfig({
  root,
  plugins: [react()],
  resolve: { alias: { '@platform/client': join(workspace, 'libs', 'client', 'src', 'index.ts') } },
  build: {
    outDir: join(workspace, 'dist', 'apps', 'panel', 'web'),
    emptyOutDir: true,
    target: 'es2022',
    // No inlining: every file is a separate request, since the policy of the pages forbids inline
    // content.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Two documents: /pay has its own policy.
    rollupOptions: { input: [join(root, 'index.html'), join(root, 'pay.html')] },
  },
});
