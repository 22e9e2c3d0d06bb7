import { type ComponentType, createElement, lazy, useState } from 'react';
import { languageStarted, loadTexts } from '#shared/i18n/i18n.ts';
import { loadAllStyles } from './all-styles.ts';

type Load = () => Promise<{ default: ComponentType }>;

const renewals: (() => void)[] = [];

/**
 * `lazy` keeps a failure for ever. Called once an error is shown, it lets the next attempt load the file again. Before
 * that React itself would attempt it again, without end.
 */
export function loadAgain(): void {
  for (const renew of renewals) renew();
}

/** A page that is loaded when it is first shown. */
export interface Page {
  load: Load;
  Component: ComponentType;
}

/** A page whose file exports its component as `name`. `loadStyles` replaces the loading of all styles. */
export function page<Name extends string>(
  loadFile: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  loadStyles: () => Promise<void> = loadAllStyles,
): Page {
  let loaded: ComponentType | undefined;
  const load: Load = async () => {
    const [{ [name]: component }] = await Promise.all([loadFile(), loadStyles()]);
    // Wait for the texts that the page declared while loading, or it would first appear in English.
    await languageStarted();
    await loadTexts();
    loaded = component;
    return { default: component };
  };
  let Lazy = lazy(load);
  renewals.push(() => {
    Lazy = lazy(load);
  });
  return {
    load,
    // Renders a loaded page at once. `lazy` would show a fallback first, and React keeps a fallback for 300 ms.
    Component() {
      const [Known] = useState(() => loaded ?? Lazy);
      return createElement(Known);
    },
  };
}
