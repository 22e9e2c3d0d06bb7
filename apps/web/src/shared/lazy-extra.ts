import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** A component that loads after its page. If it fails to load, the page is shown without it. */
export function lazyExtra<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    load().then(
      (component) => ({ default: component }),
      () => ({ default: () => null }),
    ),
  );
}
