import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** A component that comes after its page. The page does without where it does not come. */
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
