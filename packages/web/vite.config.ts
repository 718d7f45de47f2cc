// The web app as static files. Every address is relative, so that the app works below a sub-path as well.
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { messageCatalogs } from './scripts/catalog-plugin.ts';
import { serviceWorker } from './scripts/service-worker-plugin.ts';

export default defineConfig({
  base: './',
  plugins: [react(), tailwindcss(), messageCatalogs(), serviceWorker()],
  resolve: { conditions: ['@parley/source', 'browser', 'module', 'import', 'default'] },
  // In parts, as the page is: each grammar is loaded when a text has its language.
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Nothing inline: the content security policy allows files of this server alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The page uses the protocol's types, not its schemas: building one has no side effects, so unused ones are dropped.
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['z'] },
      // Few files, since each costs a request: what every page needs is one, and what several pages share is another.
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'start',
              tags: ['$initial'],
              test: /^(?!.*[\\/](?:main\.tsx|index\.html)$)/,
              priority: 1,
            },
            {
              name: 'shared',
              minShareCount: 2,
              maxModuleSize: 20_000,
              test: /packages[\\/](?:web|client|protocol)[\\/]src|node_modules[\\/](?:lucide-react|@tanstack)/,
            },
          ],
        },
      },
    },
    reportCompressedSize: true,
    // The large ones are grammars, each loaded only for a text of its language; what counts is measured by the bench.
    chunkSizeWarningLimit: 1_000,
  },
  server: {
    proxy: {
      '/api': { target: 'http://127.0.0.1:4710', ws: true },
      '/login': 'http://127.0.0.1:4710',
      '/logout': 'http://127.0.0.1:4710',
    },
  },
});
