import type { ComponentType } from 'react';
import { languageStarted, loadTexts } from '#shared/i18n/i18n.ts';
import { lazyAgain } from '#shared/lazy-again.ts';
import { loadAllStyles } from './all-styles.ts';

/** A page that is loaded when it is first shown. */
export interface Page {
  load: () => Promise<ComponentType>;
  Component: ComponentType;
}

/** A page whose file exports its component as `name`. `loadStyles` replaces the loading of all styles. */
export function page<Name extends string>(
  loadFile: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  loadStyles: () => Promise<void> = loadAllStyles,
): Page {
  let loaded: ComponentType | undefined;
  const load = async (): Promise<ComponentType> => {
    const [{ [name]: component }] = await Promise.all([loadFile(), loadStyles()]);
    // Wait for the texts that the page declared while loading, or it would first appear in English.
    await languageStarted();
    await loadTexts();
    loaded = component;
    return component;
  };
  return { load, Component: lazyAgain(load, () => loaded) };
}
