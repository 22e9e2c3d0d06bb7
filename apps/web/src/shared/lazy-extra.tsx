import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';

/**
 * A component that loads after its page, with `meanwhile` in its place. If it fails to load, the page is shown without
 * it.
 */
export function lazyExtra<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile?: ReactNode,
): ComponentType<Props> {
  const Lazy = lazy(() =>
    load().then(
      (component) => ({ default: component }),
      () => ({ default: () => null }),
    ),
  ) as ComponentType<Props>;
  return (props) => (
    <Suspense fallback={meanwhile}>
      <Lazy {...props} />
    </Suspense>
  );
}
