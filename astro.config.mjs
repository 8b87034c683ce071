// @ts-check
import node, { getAdapter } from '@astrojs/node';
import { defineConfig } from 'astro/config';

/** @typedef {Extract<NonNullable<import('astro').ViteUserConfig['plugins']>[number], { name: string }>} VitePlugin */

/**
 * Modules under src/ that pages share with the server stay outside the bundle: bundled, they would exist twice in one
 * process (two rate limiters, two databases).
 * @returns {VitePlugin}
 */
function keepSharedModulesExternal() {
  return {
    name: 'czujka:external-modules',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith('#src/') && id.endsWith('.ts') ? { id, external: true } : null),
  };
}

/** Parts of packages go into the bundle, because the service runs without Astro's. Modules under src/ use zod, too. */
const BUNDLED = /^(?!zod|sharp|#src)/;

/**
 * This bundles the server. Each line tells from which line of a source it comes: `npm test -- --coverage` counts the sources.
 * @returns {VitePlugin}
 */
function bundleServer() {
  return {
    name: 'czujka:server-bundle',
    apply: 'build',
    configEnvironment: (name) =>
      name === 'client' ? undefined : { build: { sourcemap: true }, resolve: { noExternal: BUNDLED } },
  };
}

/**
 * Astro's adapter for Node with an entry of our own.
 * @returns {import('astro').AstroIntegration}
 */
function nodeAdapter() {
  const adapter = node({ mode: 'middleware' });
  adapter.hooks['astro:config:done'] = ({ setAdapter }) =>
    setAdapter({
      ...getAdapter({ staticHeaders: false }),
      serverEntrypoint: new URL('./src/astro-entry.ts', import.meta.url),
    });
  return adapter;
}

export default defineConfig({
  output: 'server',
  adapter: nodeAdapter(),
  publicDir: './src/public',
  // Only strict same-origin files pass the policy of src/http/render-page.ts.
  build: { inlineStylesheets: 'never' },
  // The default also drops white space that readers see.
  compressHTML: true,
  devToolbar: { enabled: false },
  session: false,
  security: { checkOrigin: false },
  vite: {
    // Phones that get no new system have Safari 16: its sheets have no light-dark().
    build: { assetsInlineLimit: 0, cssTarget: ['safari16', 'chrome111', 'firefox114'] },
    plugins: [keepSharedModulesExternal(), bundleServer()],
  },
});
