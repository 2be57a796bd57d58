import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const root = import.meta.dirname;

/** The page is built into `dist/web`, from where `workcenter up` serves it. */
export default defineConfig({
  root,
  plugins: [react()],
  build: {
    outDir: join(root, '..', 'dist', 'web'),
    emptyOutDir: true,
    target: 'es2022',
    // Nothing is inlined: the page may run no script and use no image that is not a file of ours.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    port: 5173,
    // `npm run web` beside a running `workcenter up`; the server sees its own name, not ours.
    proxy: {
      '/api': { target: 'http://127.0.0.1:7420', changeOrigin: true, headers: { origin: 'http://127.0.0.1:7420' } },
    },
  },
});
