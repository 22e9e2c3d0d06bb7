import type { Plugin } from 'vite';

/**
 * The production copy of react-router: its package.json names only the copy with development warnings, which merchants
 * would load with every first visit.
 */
export function productionRouter(): Plugin {
  return {
    name: 'vuka-production-router',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!/^react-router(\/dom)?$/.test(source)) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      return found ? found.id.replace('/dist/development/', '/dist/production/') : null;
    },
  };
}
